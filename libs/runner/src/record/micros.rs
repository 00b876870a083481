//! Durations in the journal: whole microseconds, so that a line is short and the value exact.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serializer};

/// Writes whole microseconds, or null for a missing duration.
///
/// # Errors
/// The serializer fails.
pub fn serialize<S: Serializer>(
    duration: &(impl Into<Option<Duration>> + Copy),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match (*duration).into() {
        Some(duration) => serializer.serialize_u64(duration.as_micros() as u64),
        None => serializer.serialize_none(),
    }
}

/// Truncates to whole microseconds, as written.
pub fn truncate(duration: &mut Duration) {
    *duration = Duration::from_micros(duration.as_micros() as u64);
}

/// Reads whole microseconds; an optional field also needs a default.
///
/// # Errors
/// The value is not a whole number.
pub fn deserialize<'de, D: Deserializer<'de>, T: From<Duration>>(deserializer: D) -> Result<T, D::Error> {
    u64::deserialize(deserializer).map(|micros| Duration::from_micros(micros).into())
}
