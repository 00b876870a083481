//! Durations in the journal: whole microseconds, so that a line stays short and exact.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serializer};

/// Writes whole microseconds, or nothing where a duration may be missing and is.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(
    duration: &(impl Into<Option<Duration>> + Copy),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match (*duration).into() {
        Some(duration) => serializer.serialize_u64(duration.as_micros() as u64),
        None => serializer.serialize_none(),
    }
}

/// Leaves out what is not written.
pub fn truncate(duration: &mut Duration) {
    *duration = Duration::from_micros(duration.as_micros() as u64);
}

/// Reads whole microseconds; a field that may be missing needs a default besides.
///
/// # Errors
/// There is no whole number.
pub fn deserialize<'de, D: Deserializer<'de>, T: From<Duration>>(deserializer: D) -> Result<T, D::Error> {
    u64::deserialize(deserializer).map(|micros| Duration::from_micros(micros).into())
}

/// Reads whole microseconds, or nothing that was written.
///
/// # Errors
/// There is something else than a whole number.
pub fn or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    Option::<u64>::deserialize(deserializer).map(|micros| micros.map(Duration::from_micros))
}
