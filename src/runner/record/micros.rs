//! Durations in the journal: whole microseconds, so that a line stays short and exact.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(duration.as_micros() as u64)
}

/// Leaves out what is not written.
pub(crate) fn truncate(duration: &mut Duration) {
    *duration = Duration::from_micros(duration.as_micros() as u64);
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_micros)
}

/// The same for a duration that may be missing.
pub(crate) mod option {
    use super::{Deserialize, Deserializer, Duration, Serializer};

    #[expect(clippy::ref_option, reason = "serde prescribes the reference")]
    pub(crate) fn serialize<S: Serializer>(
        duration: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match duration {
            Some(duration) => super::serialize(duration, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Option::<u64>::deserialize(deserializer).map(|micros| micros.map(Duration::from_micros))
    }
}
