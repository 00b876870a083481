//! What a run is: the engines, their limits, the format, the openings, and when a game is called off.

mod adjudication;
mod config_error;
pub mod duration_text;
mod format;
mod pgn_config;
mod play_out;
mod position_form;
mod rounds;
mod run_config;
mod search_limits;
mod seed_text;
mod shard;
mod syzygy_rule;
mod time_control;
mod uci_setting;

pub use adjudication::{Adjudication, AdjudicationError, DrawRule, ResignRule};
pub use config_error::{ConfigError, ConfigProblem};
pub use format::{Format, FormatError};
pub use pgn_config::{PgnConfig, PgnField, PgnFields, PgnFieldsError};
pub use play_out::{InvalidPlayOut, PlayOut};
pub use position_form::PositionForm;
pub use rounds::Rounds;
pub use run_config::{BookConfig, BookOrder, EngineConfig, Made, RunConfig, Timeouts};
pub use search_limits::{SearchLimits, SearchLimitsError};
pub use shard::{Shard, ShardError};
pub use syzygy_rule::{SyzygyResults, SyzygyRule, TablebaseAdjudicator, TablebaseProbe};
pub use time_control::{Stage, TimeControl, TimeControlError};
pub use uci_setting::UciSetting;
