//! The configuration of a run: engines, limits, format, openings, adjudication.

/// These types are texts in files: `FromStr` reads them, `Display` writes them.
macro_rules! texts_in_files {
    ($($type:ty: $error:ty),+) => {$(
        impl TryFrom<String> for $type {
            type Error = $error;

            fn try_from(text: String) -> Result<$type, $error> {
                text.parse()
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> String {
                value.to_string()
            }
        }
    )+};
}

mod adjudication;
mod config_error;
pub mod duration_text;
mod format;
mod numbers;
mod pgn_config;
mod pool_config;
mod run_config;
mod syzygy_rule;
mod time_control;

pub use adjudication::{Adjudication, AdjudicationError, DrawRule, InvalidPlayOut, PlayOut, ResignRule};
pub use config_error::ConfigError;
pub use format::{Format, FormatError, Rounds, Shard, ShardError};
pub use numbers::{Affinity, GameLogs, Numbers, NumbersError};
pub use pgn_config::{PgnConfig, PgnField, PgnFields, PgnFieldsError};
pub use pool_config::{PoolConfig, PoolPlace};
pub use run_config::{
    BookConfig, BookOrder, EngineBook, EngineConfig, Made, PositionForm, RunConfig, Timeouts, UciSetting,
};
pub use syzygy_rule::{SyzygyResults, SyzygyRule, TablebaseAdjudicator};
pub use time_control::{SearchLimits, SearchLimitsError, Stage, TimeControl, TimeControlError};

/// Whether a field of a file need not be written.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
