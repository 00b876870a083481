//! `arbiter openbench`: creates a test on an OpenBench site, shows the state of tests, and fetches their games.
//!
//! Requests and answers are those of OpenBench 9906bad (`OpenBench/views.py`, `workloads/verify_workload.py`,
//! `workloads/create_workload.py`).

mod command;
mod curl;
mod game_archive;
mod report;
mod site;
mod site_engine;
mod site_page;
mod status;
mod submit;
mod test_form;
mod test_state;
mod test_summary;
mod time_control_field;
mod workload;

pub use command::OpenbenchArgs;
