//! The program `arbiter` from end to end: what people type, and what they find afterwards. Elsewhere than on Unix what is
//! left out has engines or builds that are shell scripts. The tests of runs without the command line are in the same program,
//! since both wait more than they compute.

mod ablations;
mod browser;
#[cfg(unix)]
mod clocks;
#[cfg(unix)]
mod command_lines;
mod control;
mod dialects;
mod documents;
mod foreign_repository;
mod found_engines;
mod interruptions;
mod json_schema;
mod killed_runs;
mod matches;
mod openbench;
mod openbench_site;
mod pages_in_browser;
mod play;
mod pools;
mod processes;
#[path = "../programs/mod.rs"]
mod programs;
mod remote;
mod reports;
mod repository;
#[path = "../runs/mod.rs"]
mod runs;
mod scenarios;
#[cfg(unix)]
mod versions;
mod why;
mod workbench;
