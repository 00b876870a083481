//! What a run is: the engines, their limits, the format, the openings, and when a game is called off.

mod adjudication;
mod config_error;
pub mod duration_text;
mod format;
mod pgn_config;
mod position_form;
mod run_config;
mod search_limits;
mod seed_text;
mod syzygy_rule;
mod time_control;
mod uci_setting;

pub use adjudication::{Adjudication, AdjudicationError, DrawRule, InvalidPlayOut, PlayOut, ResignRule};
pub use config_error::{ConfigError, ConfigProblem};
pub use format::{Format, FormatError, Rounds, Shard, ShardError};
pub use pgn_config::{PgnConfig, PgnField, PgnFields, PgnFieldsError};
pub use position_form::PositionForm;
pub use run_config::{BookConfig, BookOrder, EngineConfig, Made, RunConfig, Timeouts};
pub use search_limits::{SearchLimits, SearchLimitsError};
pub use syzygy_rule::{SyzygyResults, SyzygyRule, TablebaseAdjudicator, TablebaseProbe};
pub use time_control::{Stage, TimeControl, TimeControlError};
pub use uci_setting::UciSetting;
