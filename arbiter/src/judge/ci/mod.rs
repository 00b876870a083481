//! `arbiter ci`: checks of a build, with one verdict. Each step of `arbiter.toml` is a file here and gives a
//! [`StepResult`](step_result::StepResult); the verdict is written as text, Markdown and JUnit.

mod baseline;
mod baseline_changes;
mod baseline_file;
mod bench_step;
mod builds;
mod ci_file;
mod ci_folder;
mod ci_junit;
mod ci_markdown;
mod ci_result;
mod ci_run;
mod ci_text;
mod command;
mod git_state;
#[cfg(test)]
mod made_up_results;
mod match_step;
mod perft_step;
mod plan;
mod protocol_step;
mod speed_step;
mod step;
mod step_result;
mod tactics_step;

pub(crate) use baseline::Baseline;
pub(crate) use baseline_file::text as baseline_text;
pub(crate) use ci_file::CiFile;
pub use command::CiArgs;
