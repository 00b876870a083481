//! `arbiter openbench`: creates a test on an OpenBench site, shows the state of tests, and fetches their games.
//!
//! Requests and answers are those of OpenBench 9906bad (`OpenBench/views.py`, `workloads/verify_workload.py`,
//! `workloads/create_workload.py`).

mod command;
mod curl;
mod game_archive;
mod site;
mod site_engine;
mod test_form;
mod test_state;
mod workload;

pub use command::OpenbenchArgs;
