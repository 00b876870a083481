//! Plays the games of a run and records them.
//!
//! A [`RunConfig`] defines a run and its [`Schedule`] (in a knockout, together with the results). A [`Run`] plays the
//! games that its [`Journal`] does not have yet, with the configured number of workers, each a thread with its
//! engines. Workers report to one collector, which writes the journal and then tells the caller. All reports are made
//! from its records ([`GameRecord`], [`Event`]). A [`Match`] is a run of two engines that keeps nothing on disk.
//!
//! Modules are layers: each imports only those above it in this table, which a test checks.
//!
//! | module | contents |
//! |---|---|
//! | `config` | the configuration: engines, limits, format, openings, adjudication |
//! | `termination` | the ways in which a game ends |
//! | `written_files` | the files that an engine may write |
//! | `protocol` | what is said to an engine, and what its lines mean |
//! | `process` | an engine as a process, with deadlines |
//! | `machine` | the noise of the machine |
//! | `record` | games and events |
//! | `used_files` | the files that an engine is started from and reads |
//! | `live` | the games while they are played |
//! | `control` | pauses a run, changes its pace, or ends it |
//! | `tournament` | the schedule: the question of the run, pairings, openings |
//! | `journal` | the events of a run, kept on disk |
//! | `play` | one game: clock, moves, adjudication |
//! | `workers` | games played at the same time |
//! | `pool` | shards that know of each other |
//! | `run_error`, `run_plan`, `run`, `played_match` | a run from its configuration to its end |

mod config;
mod control;
mod journal;
mod live;
mod machine;
mod play;
mod played_match;
mod pool;
pub mod process;
mod protocol;
mod record;
mod run;
mod run_error;
mod run_plan;
mod termination;
mod tournament;
mod used_files;
mod workers;
mod written_files;

pub use config::{
    Adjudication, Affinity, BookConfig, BookOrder, DrawRule, EngineBook, EngineConfig, EngineFile, Format,
    GameLogs, InvalidInput, JudgedAs, KnownPairs, ListGoal, Made, Numbers, PgnConfig, PgnField, PgnFields,
    PlayOut, PoolConfig, PoolPlace, PositionForm, ProtocolName, ResignRule, Rounds, RunConfig, SearchLimits,
    Shard, SyzygyResults, SyzygyRule, TimeControl, TimeScale, TimeStage, Timeouts, UciSetting, ValuesTest,
    duration_text, is_default,
};
pub use control::{ControlCommand, Pace, RunControl, StopLevel};
pub use journal::{
    BAD_GAMES_FOLDER, GAME_LOGS_FOLDER, JOURNAL_FILE, Journal, JournalError, JournalPlace, JournalReader,
    RunJournal, journal_text,
};
pub(crate) use live::LiveFeed;
pub use live::{LiveEntrance, LivePosition, LiveSide, LiveWatch};
pub use machine::{MachineNoise, available_memory};
pub use play::{Adjudicator, Clock, TablebaseAdjudicator, search_order};
pub use played_match::{Match, PlayedMatch};
pub use pool::ShardReport;
pub use protocol::{PositionLine, SearchTask};
pub use record::clock_time::now;
pub use record::{
    Event, FinishReason, GameRecord, Machine, MachineBench, Machines, MoveRecord, MoveScore, OpeningMove,
    OpeningRecord, Pairing, PoolDecision, PoolView, WarningKind,
};
pub use record::{exclusive_file, fingerprint, micros, untrusted_files};
pub use run::Run;
pub use run_error::RunError;
pub use run_plan::RunPlan;
pub use termination::Termination;
pub use tournament::{
    BestOfSeveral, Knockout, ListRatings, PairingGames, PairingTest, Part, Question, Results, Schedule,
    ScheduledOpenings, SequentialTests, SprtSummary, Tie, Tuning,
};
pub use workers::{CorePlan, cores_per_game};
pub use written_files::WrittenFiles;
