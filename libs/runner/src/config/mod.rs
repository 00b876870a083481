//! The configuration of a run: engines, limits, format, openings, adjudication.

/// Makes types serialize as text: `FromStr` reads them, `Display` writes them.
macro_rules! texts_in_files {
    ($($type:ty),+) => {$(
        impl TryFrom<String> for $type {
            type Error = super::InvalidInput;

            fn try_from(text: String) -> Result<$type, super::InvalidInput> {
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

use serde::de::DeserializeOwned;
use serde::de::value::{self, U32Deserializer};

mod adjudication;
mod book_config;
pub mod duration_text;
mod engine_config;
mod format;
mod invalid_input;
mod limits_here;
mod list_goal;
mod numbers;
mod pgn_config;
mod pool_config;
mod protocol_name;
mod run_config;
mod schema;
mod syzygy_rule;
mod time_control;
mod time_scale;
mod values_test;

pub use adjudication::{Adjudication, DrawRule, PlayOut, ResignRule};
pub use book_config::{BookConfig, BookOrder};
pub use engine_config::{EngineBook, EngineConfig, EngineFile, UciSetting};
pub use format::{Format, Rounds, Shard};
pub use invalid_input::InvalidInput;
pub(crate) use invalid_input::found;
pub use list_goal::{KnownPairs, ListGoal};
pub use numbers::{Affinity, GameLogs, Numbers};
pub use pgn_config::{PgnConfig, PgnField, PgnFields};
pub use pool_config::{PoolConfig, PoolPlace};
pub use protocol_name::ProtocolName;
pub use run_config::{JudgedAs, Made, PositionForm, RunConfig, Timeouts};
pub(crate) use schema::upgrade;
pub use syzygy_rule::{SyzygyResults, SyzygyRule};
pub use time_control::{ClockKind, SearchLimits, TimeControl, TimeStage};
pub use time_scale::TimeScale;
pub use values_test::ValuesTest;

/// The variants of a fieldless enum, in order, which serde numbers from 0.
pub(crate) fn variants<T: DeserializeOwned>() -> impl Iterator<Item = T> + Clone {
    (0_u32..).map_while(|number| T::deserialize(U32Deserializer::<value::Error>::new(number)).ok())
}

/// Whether a field has its default value, so that files can leave it out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
