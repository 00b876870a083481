//! `arbiter ablate`: measures what each technique of an engine gains.

mod ablation;
mod ablation_csv;
mod ablation_text;
mod command;
mod plan;
mod series;
mod table_format;

pub use ablation::AblationStep;
pub use command::AblateArgs;
pub use plan::AblationPlan;
pub use series::continue_in;
pub use table_format::TableFormat;
