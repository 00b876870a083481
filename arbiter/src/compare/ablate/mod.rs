//! `arbiter ablate`: measures what each technique of an engine gains.

mod ablation;
mod command;

pub use ablation::{AblationStep, TableFormat, Toggle};
pub use command::{AblateArgs, AblationPlan, continue_in};
