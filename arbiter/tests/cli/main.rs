//! The program `arbiter` from end to end: what people type, and what they find afterwards.

#![cfg(unix)]

mod ablations;
mod adjudication;
mod bad_input;
mod bisects;
mod browser;
mod check;
mod ci;
mod ci_refused;
mod clocks;
mod command_lines;
mod control;
mod dialects;
mod documents;
mod extraction;
mod foreign_repository;
mod formats;
mod found_engines;
mod inits;
mod interruptions;
mod json_schema;
mod killed_runs;
mod matches;
mod mining;
mod mistakes;
mod openbench;
mod openbench_site;
mod opening_books;
mod openings;
mod pages_in_browser;
mod play;
#[path = "../programs/mod.rs"]
mod programs;
mod ratings;
mod reports;
mod repository;
mod run_files;
mod shards;
mod sprt;
mod suites;
mod tuning;
mod versions;
mod workbench;
