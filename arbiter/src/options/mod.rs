//! Options that several commands share, one file per heading of the help of `arbiter match`.

mod adjudication;
pub mod books;
mod limits;
pub mod machine;
mod openings;
mod pacing;
mod playing;
mod sequential_test;
mod step_games;
mod tournament;

pub use adjudication::{AdjudicationArgs, OF_SPRT as ADJUDICATION_OF_SPRT};
pub use books::{AskedBy, BookRequest, Changed};
pub use limits::{ClockArg, LimitArgs, MoveLimitArgs};
pub use openings::OpeningArgs;
pub use pacing::{ConclusionArgs, PacingArgs};
pub use playing::{PgnArgs, PlayingArgs};
pub use sequential_test::{PlayedTestArgs, SequentialTestArgs};
pub use step_games::StepGamesArgs;
pub use tournament::TournamentArgs;
