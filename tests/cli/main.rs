//! The program `arbiter` from end to end: what people type, and what they find afterwards.

mod adjudication;
mod bad_input;
mod clocks;
#[cfg(unix)]
mod control;
mod finished_games;
mod found_engines;
mod interruptions;
mod matches;
#[path = "../engines/mock_program.rs"]
mod mock_program;
mod opening_books;
mod suites;
mod warnings;
mod workbench;
