//! Tarrasch from outside: as a library that searches and evaluates, and as a GUI meets it, a process that speaks UCI.

mod analysis;
mod chess960;
mod command_line;
mod endgame_tables;
mod eval;
mod gui;
mod limited_strength;
mod lone_king;
mod network;
mod pondering;
mod search;
mod server;
mod syzygy_file;
mod thread_pool;
#[cfg(feature = "tuning")]
mod tuning;
