//! The program `arbiter` from end to end: what people type, and what they find afterwards. Elsewhere than on Unix what is
//! left out has engines or builds that are shell scripts. The tests of runs without the command line are in the same program,
//! since both wait more than they compute.

mod ablations;
mod browser;
mod check;
#[cfg(unix)]
mod clocks;
#[cfg(unix)]
mod command_lines;
mod control;
mod cutechess;
mod dialects;
mod documents;
mod extraction;
mod fastchess;
mod foreign_repository;
mod formats;
mod found_engines;
mod interruptions;
mod json_schema;
mod killed_runs;
mod ladder;
mod matches;
mod mining;
mod openbench;
mod openbench_site;
mod opening_books;
mod openings;
mod pages_in_browser;
mod play;
mod pools;
mod processes;
#[path = "../programs/mod.rs"]
mod programs;
mod ratings;
#[cfg(unix)]
mod rebuilt_engines;
mod remote;
mod reports;
mod repository;
mod reproduced_faults;
mod run_files;
#[path = "../runs/mod.rs"]
mod runs;
mod scenarios;
mod shards;
mod suites;
mod tuning;
#[cfg(unix)]
mod versions;
mod why;
mod win_draw_loss;
mod workbench;
