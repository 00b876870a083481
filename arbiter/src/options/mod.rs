//! Options that several commands share.

mod adjudication;
pub mod books;
mod ladder;
pub mod machine;
mod playing;
mod run_programs;
mod sequential_test;
mod shards;
mod shared;
mod step_games;

pub use adjudication::{AdjudicationArgs, OF_SPRT as ADJUDICATION_OF_SPRT};
pub use books::OpeningArgs;
pub use ladder::{Rungs, time_of_an_engine, times};
pub use playing::{ClockArg, ConclusionArgs, MoveLimitArgs, PlayingArgs};
pub use run_programs::RunProgramsArgs;
pub use sequential_test::{PlayedTestArgs, SequentialTestArgs};
pub use shards::ShardArgs;
pub use shared::SharedArgs;
pub use step_games::StepGamesArgs;
