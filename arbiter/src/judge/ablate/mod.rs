//! `arbiter ablate`: measures what each technique of an engine gains.

mod ablation;
mod ablation_text;
mod command;
mod plan;

pub use ablation::AblationStep;
pub use ablation_text::TableFormat;
pub use command::AblateArgs;
pub use plan::{AblationPlan, continue_in};
