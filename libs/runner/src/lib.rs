//! Plays the games of a run and records them.
//!
//! A [`RunConfig`] defines a run and its [`Schedule`] (in a knockout, together with the results). A [`Run`] plays the
//! games that its [`Journal`] does not have yet, with the configured number of workers, each a thread with its
//! engines. Workers report to one collector, which writes the journal and then tells the caller. All reports are made
//! from its records ([`GameRecord`], [`Event`]). A [`Match`] is a run of two engines that keeps nothing on disk.

mod config;
mod control;
mod live;
mod machine;
mod play;
mod played_match;
mod pool;
pub mod process;
mod protocol;
mod record;
mod run;
mod run_plan;
mod tournament;
mod used_files;
mod workers;

pub use config::{
    Adjudication, Affinity, BookConfig, BookOrder, DrawRule, EngineBook, EngineConfig, Format, GameLogs,
    InvalidInput, JudgedAs, Made, Numbers, PgnConfig, PgnField, PgnFields, PlayOut, PoolConfig, PoolPlace,
    PositionForm, ResignRule, Rounds, RunConfig, SearchLimits, Shard, Stage, SyzygyResults, SyzygyRule,
    TablebaseAdjudicator, TimeControl, Timeouts, UciSetting, duration_text, is_default,
};
pub use control::{ControlCommand, Pace, RunControl, StopLevel};
pub(crate) use live::LiveFeed;
pub use live::{LiveEntrance, LivePosition, LiveSide, LiveWatch};
pub use machine::MachineNoise;
pub use play::{Adjudicator, Clock, search_order};
pub use played_match::{Match, PlayedMatch};
pub use pool::{PoolDecision, PoolView, ShardReport};
pub use protocol::{PositionLine, SearchTask};
pub use record::clock_time::now;
pub use record::{
    Event, FinishReason, GameRecord, Journal, JournalError, JournalPlace, JournalReader, Machine,
    MachineBench, Machines, MoveRecord, MoveScore, OpeningMove, OpeningRecord, RunJournal, Termination,
    WarningKind, journal_text,
};
pub use record::{exclusive_file, fingerprint, micros, untrusted_files};
pub use run::{BAD_GAMES_FOLDER, GAME_LOGS_FOLDER, JOURNAL_FILE, Run, RunError};
pub use run_plan::RunPlan;
pub use tournament::{
    BestOfSeveral, Knockout, KnownPairs, ListGoal, ListRatings, Pairing, PairingGames, PairingTest, Part,
    Question, Results, Schedule, ScheduledOpenings, SequentialTests, SprtSummary, Tie, Tuning,
};
pub use used_files::{EngineFile, WrittenFiles};
pub use workers::{CorePlan, cores_per_game};
