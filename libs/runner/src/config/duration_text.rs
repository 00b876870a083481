//! Durations as texts with their unit: `"50ms"`, `"1m 30s"`.
//!
//! Files of older versions have whole numbers instead, whose unit was in the name of the field: microseconds in a run
//! file, seconds in `arbiter.toml`, and milliseconds for `movetime_ms`. They are still read.

use std::fmt;
use std::time::Duration;

use jiff::fmt::friendly::{Designator, SpanParser, SpanPrinter};
use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;

static PARSER: SpanParser = SpanParser::new();
static PRINTER: SpanPrinter = SpanPrinter::new().designator(Designator::Compact);

/// Writes the text, to the microsecond.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&PRINTER.unsigned_duration_to_string(duration))
}

/// Reads a text, or a number of microseconds.
///
/// # Errors
/// There is something else.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    deserializer.deserialize_any(DurationVisitor { of_number: Duration::from_micros })
}

/// Reads a text, or a number of seconds.
///
/// # Errors
/// There is something else.
pub fn or_seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    deserializer.deserialize_any(DurationVisitor { of_number: Duration::from_secs })
}

/// The same for a duration that may be missing, where a number is one of milliseconds.
pub mod option_or_millis {
    use super::{Deserializer, Duration, DurationVisitor, Serializer};

    /// Writes the text, or nothing.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        match duration {
            Some(duration) => super::serialize(duration, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a text, or a number of milliseconds.
    ///
    /// # Errors
    /// There is something else.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        deserializer.deserialize_any(DurationVisitor { of_number: Duration::from_millis }).map(Some)
    }
}

struct DurationVisitor {
    of_number: fn(u64) -> Duration,
}

impl Visitor<'_> for DurationVisitor {
    type Value = Duration;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration with its unit, such as \"50ms\" or \"10s\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Duration, E> {
        PARSER
            .parse_unsigned_duration(text)
            .map_err(|_| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Duration, E> {
        Ok((self.of_number)(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Duration, E> {
        let number = u64::try_from(number)
            .map_err(|_| E::invalid_value(serde::de::Unexpected::Signed(number), &self))?;
        self.visit_u64(number)
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Both {
        #[serde(alias = "ready_us", with = "super")]
        ready: Duration,
        #[serde(
            alias = "movetime_ms",
            default,
            skip_serializing_if = "Option::is_none",
            with = "super::option_or_millis"
        )]
        movetime: Option<Duration>,
    }

    fn read(text: &str) -> Both {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn what_was_written_is_read() {
        for (millis, text) in [(0, "0s"), (50, "50ms"), (90_000, "1m 30s"), (3_600_500, "1h 500ms")] {
            let both =
                Both { ready: Duration::from_millis(millis), movetime: Some(Duration::from_micros(1)) };
            let written = toml::to_string(&both).unwrap();
            assert_eq!(written, format!("ready = \"{text}\"\nmovetime = \"1µs\"\n"));
            assert_eq!(read(&written), both);
        }
        assert_eq!(read("ready = \"2s\"").movetime, None);
    }

    #[test]
    fn older_files_have_numbers_in_the_unit_of_their_name() {
        let both = read("ready_us = 1500\nmovetime_ms = 20");
        assert_eq!(both.ready, Duration::from_micros(1500));
        assert_eq!(both.movetime, Some(Duration::from_millis(20)));
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in ["ready = \"fast\"", "ready = \"10\"", "ready = -1", "ready = \"-5s\"", "ready = 1.5"] {
            let message = toml::from_str::<Both>(text).unwrap_err().to_string();
            assert!(message.contains("a duration with its unit"), "{message}");
        }
    }
}
