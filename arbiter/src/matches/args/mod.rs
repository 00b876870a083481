//! The options of `arbiter match`, one file per heading of its help; other commands share some of them.

mod adjudication;
mod conclusion;
pub mod forecast;
mod limits;
mod move_limits;
mod openings;
mod pacing;
mod pgn;
mod played_test;
mod playing;
mod sequential_test;
mod step_games;
mod tournament;

pub use adjudication::{AdjudicationArgs, OF_SPRT as ADJUDICATION_OF_SPRT};
pub use conclusion::ConclusionArgs;
pub use forecast::ForecastArgs;
pub use limits::LimitArgs;
pub use move_limits::MoveLimitArgs;
pub use openings::OpeningArgs;
pub use pacing::PacingArgs;
pub use pgn::PgnArgs;
pub use played_test::PlayedTestArgs;
pub use playing::PlayingArgs;
pub use sequential_test::SequentialTestArgs;
pub use step_games::StepGamesArgs;
pub use tournament::TournamentArgs;
