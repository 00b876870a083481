//! Tests Tarrasch as a library and as a UCI engine.

mod command_line;
mod eval;
mod gui;
mod search;
mod server;
mod syzygy;
mod thread_pool;
