//! `arbiter sprt plan`: plans a test that fits into a budget of hours.

mod command;
mod everyday;
mod match_command;
mod pace;
mod plan_report;
mod planned_ladder;

pub use command::PlanArgs;
pub use match_command::games_like;
pub use pace::{GamePace, PaceSource};
pub use plan_report::{PlanReport, PlannedCourse, PlannedTest, ResultsModel};
