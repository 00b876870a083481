//! The program `arbiter` from end to end: what people type, and what they find afterwards.

mod adjudication;
mod bad_input;
mod check;
mod clocks;
#[cfg(unix)]
mod control;
mod finished_games;
mod formats;
mod found_engines;
#[cfg(unix)]
mod hard_ends;
mod interruptions;
mod journals;
mod killed_runs;
mod matches;
#[path = "../engines/mock_program.rs"]
mod mock_program;
mod opening_books;
mod openings;
mod ratings;
mod report_formats;
mod reports;
mod run_files;
mod speed;
mod sprt;
mod suites;
mod warnings;
mod workbench;
