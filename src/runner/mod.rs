//! Plays the games of a run and records them.
//!
//! [`RunConfig`] is what a run is, and the [`Schedule`] follows from it (that of a knockout from the results, too). A
//! [`Run`] plays the games that its [`Journal`] does not have yet, in as many slots as asked for, each a thread with its
//! engines. Slots report to one collector, which writes the journal first and then tells the caller. The records
//! ([`GameRecord`], [`Event`]) are what every report is made from.

mod adjudication;
mod adjudicator;
mod clock;
mod config_error;
mod control_command;
mod core_plan;
mod cpu_topology;
mod ending;
mod engine_warning;
mod event;
mod format;
mod game;
mod game_queue;
mod game_record;
mod game_result;
mod gauntlet;
mod idle_engines;
mod journal;
mod knockout;
pub(crate) mod micros;
mod move_record;
mod move_score;
mod move_warnings;
mod pgn_config;
mod ponder;
mod position_line;
mod ready_engine;
mod round_robin;
mod run;
mod run_config;
mod run_control;
mod schedule;
mod search_limits;
mod search_order;
mod side;
mod slot;
mod stage;
mod standing;
mod stop_level;
mod supervisor;
mod syzygy_rule;
mod termination;
mod time_control;
mod time_loss_verdict;
mod uci_setting;

pub use adjudication::{Adjudication, AdjudicationError, DrawRule, ResignRule};
pub use adjudicator::Adjudicator;
pub use clock::Clock;
pub use config_error::{ConfigError, ConfigProblem};
pub use control_command::{ControlCommand, ControlCommandError};
pub use core_plan::{CorePlan, CorePlanError, cores_per_game};
pub use engine_warning::WarningKind;
pub use event::{Event, FinishReason};
pub use format::{Format, FormatError};
pub use game_record::{GameRecord, OpeningMove, OpeningRecord};
pub use game_result::GameResult;
pub use journal::{Journal, JournalError};
pub use knockout::{Knockout, Tie};
pub use move_record::MoveRecord;
pub use move_score::MoveScore;
pub use pgn_config::{PgnConfig, PgnField, PgnFields, PgnFieldsError};
pub use run::{JOURNAL_FILE, Run, RunError};
pub use run_config::{BookConfig, BookOrder, EngineConfig, Made, Patience, RunConfig};
pub use run_control::{Pace, RunControl};
pub use schedule::{Pairing, Schedule, ScheduledOpenings};
pub use search_limits::{SearchLimits, SearchLimitsError};
pub use side::Side;
pub use stop_level::StopLevel;
pub use syzygy_rule::{EndgameTables, SyzygyRule, TableJudge};
pub use termination::Termination;
pub use time_control::{Stage, TimeControl, TimeControlError};
pub use uci_setting::UciSetting;
