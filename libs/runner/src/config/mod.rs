//! What a run is: the engines, their limits, the format, the openings, and when a game is called off.

mod adjudication;
mod config_error;
pub mod duration_text;
mod format;
mod pgn_config;
mod run_config;
mod syzygy_rule;
mod time_control;

pub use adjudication::{Adjudication, AdjudicationError, DrawRule, InvalidPlayOut, PlayOut, ResignRule};
pub use config_error::{ConfigError, ConfigProblem};
pub use format::{Format, FormatError, Rounds, Shard, ShardError};
pub use pgn_config::{PgnConfig, PgnField, PgnFields, PgnFieldsError};
pub use run_config::{
    BookConfig, BookOrder, EngineConfig, Made, PositionForm, RunConfig, Timeouts, UciSetting,
};
pub use syzygy_rule::{SyzygyResults, SyzygyRule, TablebaseAdjudicator, TablebaseProbe};
pub use time_control::{SearchLimits, SearchLimitsError, Stage, TimeControl, TimeControlError};
