//! The option `Move Overhead` of all our engines: the time lost between an engine and the clock of its GUI.

use std::time::Duration;

use crate::EngineOption;

/// The default.
pub const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(DEFAULT_MS as u64);

const DEFAULT_MS: i64 = 10;
const MAX_MS: i64 = 10_000;

/// The option, in milliseconds.
pub fn move_overhead_option() -> EngineOption {
    EngineOption::spin("Move Overhead", DEFAULT_MS, 0..=MAX_MS)
}
