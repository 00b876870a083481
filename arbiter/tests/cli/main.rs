//! Tests the program `arbiter` from end to end: what people type, and what they find afterwards. Tests that need engines
//! or builds in shell scripts run only on Unix. The tests of runs without the command line share this program, since both
//! kinds mostly wait.

mod browser;
#[cfg(unix)]
mod clocks;
#[cfg(unix)]
mod command_lines;
mod control;
mod documents;
mod foreign_repository;
mod found_engines;
mod interruptions;
mod json_schema;
mod killed_runs;
mod openbench_site;
mod pages_in_browser;
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
mod workbench;
