//! `arbiter openbench`: creates a test on an OpenBench site, shows how tests stand, and fetches their games.
//!
//! What is asked of the site, and what it answers, is that of OpenBench at 9906bad (`OpenBench/views.py`,
//! `workloads/verify_workload.py`, `workloads/create_workload.py`).

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
