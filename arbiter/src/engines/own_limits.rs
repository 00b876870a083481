//! Limits of one engine, among the settings after its name.
//!
//! The keys `tc`, `movetime`, `nodes` and `depth` in lower case are limits, not UCI options. UCI option names are
//! case-insensitive, so an option of such a name can still be set, as `Nodes=`.

use std::time::Duration;

use runner::{SearchLimits, TimeControlError};

/// Why a value is not a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OwnLimitError {
    /// The value of `tc`.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// The value of another key.
    #[error("{key}: expected {expected}, found `{found}`")]
    Number {
        key: &'static str,
        /// The expected kind of value.
        expected: &'static str,
        found: String,
    },
}

/// Whether a key is a limit.
pub fn is_limit(key: &str) -> bool {
    matches!(key, "tc" | "movetime" | "nodes" | "depth")
}

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

pub fn settings(limits: &SearchLimits) -> Vec<String> {
    let clock = limits.clock.as_ref().map(|clock| format!("tc={clock}"));
    let movetime = limits.movetime.map(|time| format!("movetime={}", time.as_millis()));
    let nodes = limits.nodes.map(|nodes| format!("nodes={nodes}"));
    let depth = limits.depth.map(|depth| format!("depth={depth}"));
    [clock, movetime, nodes, depth].into_iter().flatten().collect()
}
