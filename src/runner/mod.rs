//! Plays the games of a run and records them.
//!
//! The records ([`GameRecord`], [`Event`]) are what every report is made from; [`RunConfig`] is what a run is.

mod adjudication;
mod event;
mod game_record;
mod game_result;
pub(crate) mod micros;
mod move_record;
mod move_score;
mod run_config;
mod search_limits;
mod side;
mod termination;
mod time_control;
mod uci_setting;

pub use adjudication::{Adjudication, AdjudicationError, DrawRule, ResignRule};
pub use event::{Event, FinishReason};
pub use game_record::{GameRecord, OpeningMove, OpeningRecord};
pub use game_result::GameResult;
pub use move_record::MoveRecord;
pub use move_score::MoveScore;
pub use run_config::{BookConfig, BookFormat, BookOrder, EngineConfig, Made, Patience, RunConfig};
pub use search_limits::{SearchLimits, SearchLimitsError};
pub use side::Side;
pub use termination::Termination;
pub use time_control::{Stage, TimeControl, TimeControlError};
pub use uci_setting::UciSetting;
