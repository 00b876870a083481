//! Tarrasch from outside: as a library, and as a UCI engine.

mod analysis;
mod chess960;
mod command_line;
mod eval;
mod gui;
mod limited_strength;
mod lone_king;
mod network;
mod pondering;
mod search;
mod server;
mod syzygy;
mod syzygy_file;
mod thread_pool;
#[cfg(feature = "tuning")]
mod tuning;
