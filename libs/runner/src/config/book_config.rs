//! The configuration of the openings: the book and its order.

use std::num::NonZeroU32;
use std::path::PathBuf;

use serde::de::{Deserializer, Error};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

use referee::openings::{BookFormat, OpeningOrder};

/// The opening book and the order of its openings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookConfig {
    /// The file, or the name of a book that ships with the program.
    pub path: PathBuf,
    /// Whether `path` names a book that ships with the program.
    #[serde(default)]
    pub embedded: bool,
    /// The format; by default the one of the file's extension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<BookFormat>,
    /// The order of the openings.
    #[serde(default)]
    pub order: BookOrder,
    /// The seed of a random order. From 2⁶³ it is written as text, since TOML has no integers that large.
    #[serde(default, serialize_with = "seed_as_text", deserialize_with = "seed_from_text")]
    pub seed: u64,
    /// Whether every pairing of a round has an opening of its own instead of all having the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub per_pairing: bool,
    /// With `per_pairing`: whether the openings start again after as many as there are rounds, as in fastchess, and not at the
    /// end of the book. `None` in runs that were started when this was always so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrap: Option<bool>,
    /// With `per_pairing`: the numbers of consecutive encounters that share their openings, used in turn and then from the
    /// beginning again. Empty if each encounter has its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub turns: Vec<u32>,
    /// The maximum number of plies played of an opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// The number of openings skipped at the beginning of the order.
    #[serde(default)]
    pub start: usize,
    /// The number of consecutive rounds with the same opening, if it is more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<NonZeroU32>,
    /// The SHA-256 hash of the file, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// The order in which openings are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookOrder {
    /// The order of the file.
    Sequential,
    /// Shuffled by the seed.
    #[default]
    Random,
    /// Shuffled by the seed as in fastchess.
    Fastchess,
}

impl BookConfig {
    /// A book as configured by its path alone: all openings, at full length, shuffled with seed 0.
    pub fn of(path: impl Into<PathBuf>) -> BookConfig {
        BookConfig { path: path.into(), ..BookConfig::default() }
    }

    /// The order in the book's terms, for drawing from it and for reading it. The schedule handles `start`, for any order.
    pub fn opening_order(&self) -> OpeningOrder {
        match self.order {
            BookOrder::Sequential => OpeningOrder::Sequential { start: 0 },
            BookOrder::Random => OpeningOrder::Random { seed: self.seed },
            BookOrder::Fastchess => OpeningOrder::Fastchess { seed: self.seed },
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde prescribes the reference")]
fn seed_as_text<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(*seed) {
        Ok(seed) => serializer.serialize_i64(seed),
        Err(_) => serializer.serialize_str(&seed.to_string()),
    }
}

fn seed_from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let seed = match SeedInFile::deserialize(deserializer)? {
        SeedInFile::Number(seed) => u64::try_from(seed).ok(),
        SeedInFile::Text(seed) => seed.parse().ok(),
    };
    seed.ok_or_else(|| D::Error::custom(NO_SEED))
}

const NO_SEED: &str = "expected a whole number from 0 to 2^64 - 1";

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a whole number from 0 to 2^64 - 1")]
enum SeedInFile {
    Number(i64),
    Text(String),
}
