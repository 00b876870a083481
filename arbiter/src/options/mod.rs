//! Options that several commands share, one file per heading of the help of `arbiter match`.

mod adjudication;
pub mod books;
mod conclusion;
mod limits;
pub mod machine;
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
pub use books::{AskedBy, BookRequest, Changed};
pub use conclusion::ConclusionArgs;
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
