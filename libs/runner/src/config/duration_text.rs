//! Durations as texts with units: `"50ms"`, `"1m 30s"`.

use std::fmt;
use std::time::Duration;

use jiff::fmt::friendly::{Designator, SpanParser, SpanPrinter};
use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;

static PARSER: SpanParser = SpanParser::new();
static PRINTER: SpanPrinter = SpanPrinter::new().designator(Designator::Compact);

/// Writes a duration as text, to the microsecond. A missing optional duration is written as nothing.
///
/// # Errors
/// Only errors of the serializer.
pub fn serialize<S: Serializer>(
    duration: &(impl Into<Option<Duration>> + Copy),
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match (*duration).into() {
        Some(duration) => serializer.serialize_str(&PRINTER.unsigned_duration_to_string(&duration)),
        None => serializer.serialize_none(),
    }
}

/// Reads a duration from text. An optional field also needs `#[serde(default)]`.
///
/// # Errors
/// If the value is not a duration with its unit.
pub fn deserialize<'de, D: Deserializer<'de>, T: From<Duration>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_str(DurationVisitor).map(T::from)
}

/// Reads a duration with its unit; `None` for any other text.
pub fn parse(text: &str) -> Option<Duration> {
    PARSER.parse_unsigned_duration(text).ok()
}

struct DurationVisitor;

impl Visitor<'_> for DurationVisitor {
    type Value = Duration;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a duration with its unit, such as \"50ms\" or \"10s\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Duration, E> {
        parse(text).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Both {
        #[serde(with = "super")]
        ready: Duration,
        #[serde(default, skip_serializing_if = "Option::is_none", with = "super")]
        movetime: Option<Duration>,
    }

    fn read(text: &str) -> Both {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn what_was_written_is_read_and_what_is_no_duration_is_refused() {
        for (millis, text) in [(0, "0s"), (50, "50ms"), (90_000, "1m 30s"), (3_600_500, "1h 500ms")] {
            let both =
                Both { ready: Duration::from_millis(millis), movetime: Some(Duration::from_micros(1)) };
            let written = toml::to_string(&both).unwrap();
            assert_eq!(written, format!("ready = \"{text}\"\nmovetime = \"1µs\"\n"));
            assert_eq!(read(&written), both);
        }
        assert_eq!(read("ready = \"2s\"").movetime, None);
        for text in ["ready = \"fast\"", "ready = \"10\"", "ready = 10", "ready = \"-5s\"", "ready = 1.5"] {
            let message = toml::from_str::<Both>(text).unwrap_err().to_string();
            assert!(message.contains("a duration with its unit"), "{message}");
        }
    }
}
