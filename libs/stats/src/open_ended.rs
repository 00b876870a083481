//! Serialization of numbers that may be infinite.
//!
//! A score of 100% has an infinite Elo, and JSON cannot represent it: `serde_json` would write `null` and refuse to
//! read it. So finite values are numbers, and the infinities are the strings `"inf"` and `"-inf"` in every format. NaN
//! is refused in both directions.

use serde::{Deserialize, Deserializer, Serializer, de, ser};

/// For `#[serde(with = "…")]`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands the field over by reference")]
pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    match *value {
        f64::INFINITY => serializer.serialize_str("inf"),
        f64::NEG_INFINITY => serializer.serialize_str("-inf"),
        number if number.is_nan() => Err(ser::Error::custom("a rating must not be NaN")),
        number => serializer.serialize_f64(number),
    }
}

/// For `#[serde(with = "…")]`.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(f64),
        Word(String),
    }
    match Written::deserialize(deserializer)? {
        Written::Number(number) if !number.is_nan() => Ok(number),
        Written::Word(word) if word == "inf" => Ok(f64::INFINITY),
        Written::Word(word) if word == "-inf" => Ok(f64::NEG_INFINITY),
        _ => Err(de::Error::custom(r#"expected a number, "inf" or "-inf""#)),
    }
}

#[cfg(test)]
mod tests {
    use crate::Elo;

    #[test]
    fn infinities_survive_json() {
        for (elo, json) in [(f64::INFINITY, r#""inf""#), (f64::NEG_INFINITY, r#""-inf""#), (12.5, "12.5")] {
            assert_eq!(serde_json::to_string(&Elo::new(elo)).unwrap(), json);
            assert_eq!(serde_json::from_str::<Elo>(json).unwrap(), Elo::new(elo));
        }
    }

    #[test]
    fn other_words_are_refused() {
        for json in [r#""NaN""#, "null", r#""infinite""#, "[1]"] {
            assert!(serde_json::from_str::<Elo>(json).is_err(), "{json} was read");
        }
    }
}
