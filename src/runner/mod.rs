//! Plays the games of a run and records them.
//!
//! [`RunConfig`] is what a run is, and the [`Schedule`] follows from it alone. A [`Run`] plays the games that its
//! [`Journal`] does not have yet, in as many slots as asked for, each a thread with two engines. Slots report to one
//! collector, which writes the journal first and then tells the caller. The records ([`GameRecord`], [`Event`]) are
//! what every report is made from.

mod adjudication;
mod adjudicator;
mod clock;
mod config_error;
mod core_plan;
mod cpu_topology;
mod event;
mod game;
mod game_record;
mod game_result;
mod journal;
pub(crate) mod micros;
mod move_record;
mod move_score;
mod ponder;
mod position_line;
mod ready_engine;
mod run;
mod run_config;
mod schedule;
mod search_limits;
mod search_order;
mod side;
mod slot;
mod standing;
mod stop_handle;
mod termination;
mod time_control;
mod time_loss_verdict;
mod uci_setting;

pub use adjudication::{Adjudication, AdjudicationError, DrawRule, ResignRule};
pub use adjudicator::Adjudicator;
pub use clock::Clock;
pub use config_error::{ConfigError, ConfigProblem};
pub use core_plan::{CorePlan, CorePlanError, cores_per_game};
pub use event::{Event, FinishReason};
pub use game_record::{GameRecord, OpeningMove, OpeningRecord};
pub use game_result::GameResult;
pub use journal::{Journal, JournalError};
pub use move_record::MoveRecord;
pub use move_score::MoveScore;
pub use run::{JOURNAL_FILE, Run, RunError};
pub use run_config::{BookConfig, BookOrder, EngineConfig, Made, Patience, RunConfig};
pub use schedule::{Pairing, Schedule, ScheduledOpenings};
pub use search_limits::{SearchLimits, SearchLimitsError};
pub use side::Side;
pub use stop_handle::{StopHandle, StopLevel};
pub use termination::Termination;
pub use time_control::{Stage, TimeControl, TimeControlError};
pub use uci_setting::UciSetting;
