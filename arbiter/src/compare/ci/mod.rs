//! `arbiter ci`: checks of a build, with one verdict. Each step of `arbiter.toml` yields a
//! [`StepResult`](ci_result::StepResult); the result is written as text, JSON, Markdown and JUnit.

mod baseline;
mod builds;
mod ci_folder;
mod ci_plan;
mod ci_result;
mod ci_run;
mod ci_text;
mod command;

pub(crate) use baseline::{BaselineFile, text as baseline_text};
pub(crate) use ci_result::StepResult;

pub use command::CiArgs;
