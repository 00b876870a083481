//! What the techniques of an engine are worth in games: a match for each step of an ablation, and the file that it goes
//! on from.

mod plan;
mod series;
mod table_format;

pub use plan::AblationPlan;
pub use series::carry_on;
pub use table_format::TableFormat;
