//! `arbiter ci`: checks of a build, with one verdict. Each step of `arbiter.toml` is a file here and gives a
//! [`StepResult`](step::StepResult); the verdict is written as text, Markdown and JUnit.

mod baseline;
mod baseline_changes;
mod bench_step;
mod ci_file;
mod ci_folder;
mod ci_run;
mod ci_text;
mod command;
#[cfg(test)]
mod made_up_results;
mod match_step;
mod perft_step;
mod plan;
mod protocol_step;
mod speed_step;
mod step;
mod tactics_step;

pub(crate) use baseline::{Baseline, text as baseline_text};
pub(crate) use ci_file::CiFile;
pub use command::CiArgs;
