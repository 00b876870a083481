//! The program `arbiter` from end to end: what people type, and what they find afterwards.

#[cfg(unix)]
mod ablations;
mod adjudication;
mod bad_input;
#[cfg(unix)]
mod bisects;
#[cfg(unix)]
#[path = "../browser/mod.rs"]
mod browser;
mod check;
mod ci;
mod ci_refused;
mod clocks;
#[cfg(unix)]
mod control;
mod finished_games;
#[cfg(unix)]
mod foreign_repository;
mod formats;
mod found_engines;
#[cfg(unix)]
mod hard_ends;
#[cfg(unix)]
mod histories;
mod interruptions;
mod journals;
mod json_schema;
mod killed_runs;
#[cfg(unix)]
mod killed_series;
mod matches;
mod mining;
mod mining_refused;
#[path = "../engines/mock_program.rs"]
mod mock_program;
mod opening_books;
mod openings;
#[cfg(unix)]
mod page_client;
#[cfg(unix)]
mod pages_in_chromium;
mod play;
mod quiet_positions;
mod ratings;
mod report_formats;
mod reports;
mod run_files;
mod speed;
mod sprt;
mod suites;
#[cfg(unix)]
mod versions;
mod warnings;
#[cfg(unix)]
mod watch;
#[cfg(unix)]
mod web_play;
mod workbench;
