//! `arbiter ci`: may a build pass? Every step of `arbiter.toml` is a file, what it found is a record, and the verdict is
//! written as text, Markdown and `JUnit`.

mod baseline;
mod baseline_changes;
mod bench_step;
mod ci_file;
mod ci_folder;
mod command;
mod contestants;
mod gate;
mod gate_junit;
mod gate_markdown;
mod gate_result;
mod gate_text;
mod git_state;
mod kept_baseline;
#[cfg(test)]
mod made_up_gate;
mod match_step;
mod perft_step;
mod plan;
mod protocol_step;
mod speed_step;
mod step;
mod step_result;
mod tactics_step;

pub use command::CiArgs;
