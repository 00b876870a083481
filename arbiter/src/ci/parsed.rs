//! Values that a file writes as the text that is typed on the command line.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A value that is read from a text, such as an engine with its options; what is wrong with the text is told with its
/// line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<T>(pub T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Parsed<T>, D::Error> {
        String::deserialize(deserializer)?.parse().map(Parsed).map_err(D::Error::custom)
    }
}
