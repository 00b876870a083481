//! `arbiter ci`: checks of a build, with one verdict. Each step of `arbiter.toml` yields a
//! [`StepResult`](ci_result::StepResult); the result is written as text, JSON, Markdown and JUnit.

mod baseline;
mod builds;
mod ci_file;
mod ci_folder;
mod ci_plan;
mod ci_result;
mod ci_run;
mod ci_text;
mod command;
mod step;
mod steps;

pub(crate) use baseline::{Baseline, BaselineFile, text as baseline_text};
pub(crate) use ci_file::CiFile;
pub(crate) use ci_result::StepResult;
pub(crate) use step::Step;

pub use command::CiArgs;
