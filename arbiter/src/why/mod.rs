//! `arbiter why`: explains why a match was lost.

mod board;
mod causes;
mod command;
mod explanation;
mod groups;
mod match_games;
mod page;
mod points;
mod positions;
mod referee_answers;
mod report;

pub use command::WhyArgs;
pub use explanation::Explanation;
