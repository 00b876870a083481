//! A seed in TOML, whose integers end at 2⁶³ − 1: a larger one is written as a text.

use std::fmt;

use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde::ser::Serializer;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde prescribes the reference")]
pub(super) fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(*seed) {
        Ok(seed) => serializer.serialize_i64(seed),
        Err(_) => serializer.serialize_str(&seed.to_string()),
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    deserializer.deserialize_any(Seed)
}

struct Seed;

impl Visitor<'_> for Seed {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0 to 2^64 - 1")
    }

    fn visit_u64<E: Error>(self, seed: u64) -> Result<u64, E> {
        Ok(seed)
    }

    fn visit_i64<E: Error>(self, seed: i64) -> Result<u64, E> {
        u64::try_from(seed).map_err(|_| E::invalid_value(Unexpected::Signed(seed), &self))
    }

    fn visit_str<E: Error>(self, seed: &str) -> Result<u64, E> {
        seed.parse().map_err(|_| E::invalid_value(Unexpected::Str(seed), &self))
    }
}
