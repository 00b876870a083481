//! Durations in the journal: whole microseconds, so that a line stays short and exact.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serializer};

/// Writes whole microseconds.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(duration.as_micros() as u64)
}

/// Leaves out what is not written.
pub fn truncate(duration: &mut Duration) {
    *duration = Duration::from_micros(duration.as_micros() as u64);
}

/// Reads what [`serialize`] wrote.
///
/// # Errors
/// There is no whole number.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_micros)
}

/// The same for a duration that may be missing.
pub mod option {
    use super::{Deserialize, Deserializer, Duration, Serializer};

    /// Writes whole microseconds, or nothing.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        match duration {
            Some(duration) => super::serialize(duration, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads what [`serialize`] wrote.
    ///
    /// # Errors
    /// There is something else than a whole number.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        Option::<u64>::deserialize(deserializer).map(|micros| micros.map(Duration::from_micros))
    }
}
