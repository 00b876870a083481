//! The program `arbiter` from end to end: what people type, and what they find afterwards.

#[cfg(unix)]
mod ablations;
mod adjudication;
mod adjudication_cost;
mod bad_input;
#[cfg(unix)]
mod bisects;
#[cfg(unix)]
mod browser;
mod candidates;
#[cfg(unix)]
mod cargo_builds;
mod check;
mod ci;
mod ci_refused;
mod clocks;
mod command_lines;
mod committed_results;
#[cfg(unix)]
mod control;
mod dialects;
mod documents;
mod extraction;
mod finished_games;
#[cfg(unix)]
mod foreign_repository;
mod formats;
mod found_engines;
mod games_in_browser;
#[cfg(unix)]
mod hard_ends;
#[cfg(unix)]
mod histories;
#[cfg(unix)]
mod hostile_folders;
mod html_report;
#[cfg(unix)]
mod inits;
mod interruptions;
mod journals;
mod json_schema;
mod killed_runs;
#[cfg(unix)]
mod killed_series;
mod layers;
mod matches;
mod mining;
mod mining_refused;
#[cfg(unix)]
mod mistakes;
#[cfg(unix)]
mod openbench;
#[cfg(unix)]
mod openbench_site;
mod opening_books;
mod opening_ratings;
mod openings;
#[cfg(unix)]
mod page_client;
#[cfg(unix)]
mod pages_in_chromium;
mod plans;
mod play;
#[path = "../programs/mod.rs"]
mod programs;
mod ratings;
mod report_formats;
mod reports;
mod run_files;
mod shards;
mod shipped_suites;
mod speed;
mod sprt;
mod suites;
#[cfg(unix)]
mod tuning;
mod versions;
mod warnings;
#[cfg(unix)]
mod watch;
#[cfg(unix)]
mod web_play;
mod workbench;
