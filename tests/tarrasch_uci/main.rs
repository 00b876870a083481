//! Tarrasch as a GUI meets it: a process that speaks UCI. What the protocol asks beyond a plain search, and what the
//! options promise.

mod analysis;
mod chess960;
mod endgame_tables;
mod gui;
mod limited_strength;
mod lone_king;
mod pondering;
mod syzygy_file;
