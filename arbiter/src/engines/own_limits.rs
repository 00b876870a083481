//! Limits of one engine alone, among the settings that are typed behind its name.
//!
//! The keys `tc`, `movetime`, `nodes` and `depth` in small letters are limits, not UCI options. UCI does not regard
//! case, so an engine's option of that name can still be set, as `Nodes=`.

use std::time::Duration;

use runner::{SearchLimits, TimeControlError};

/// Why a value is no limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OwnLimitError {
    /// The value of `tc`.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// The value of another key.
    #[error("{key}: expected {expected}, found `{found}`")]
    Number {
        /// The key.
        key: &'static str,
        /// What its value should be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
}

/// Whether a key is a limit.
pub fn is_limit(key: &str) -> bool {
    matches!(key, "tc" | "movetime" | "nodes" | "depth")
}

/// Adds one limit.
///
/// # Errors
/// The value is none.
pub fn read(limits: &mut SearchLimits, key: &str, value: &str) -> Result<(), OwnLimitError> {
    match key {
        "tc" => limits.clock = Some(value.parse()?),
        "movetime" => {
            let millis = number("movetime", "a whole number of milliseconds", value)?;
            limits.movetime = Some(Duration::from_millis(millis));
        }
        "nodes" => limits.nodes = Some(number("nodes", "a whole number", value)?),
        _ => limits.depth = Some(number("depth", "a whole number of plies", value)?),
    }
    Ok(())
}

fn number<N: std::str::FromStr>(
    key: &'static str,
    expected: &'static str,
    value: &str,
) -> Result<N, OwnLimitError> {
    value.parse().map_err(|_| OwnLimitError::Number { key, expected, found: value.to_owned() })
}

/// The limits as they are typed.
pub fn settings(limits: &SearchLimits) -> Vec<String> {
    let clock = limits.clock.as_ref().map(|clock| format!("tc={clock}"));
    let movetime = limits.movetime.map(|time| format!("movetime={}", time.as_millis()));
    let nodes = limits.nodes.map(|nodes| format!("nodes={nodes}"));
    let depth = limits.depth.map(|depth| format!("depth={depth}"));
    [clock, movetime, nodes, depth].into_iter().flatten().collect()
}
