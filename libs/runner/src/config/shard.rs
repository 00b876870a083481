//! A part of a run that is played by itself.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One of several equal parts of a run: `3/10` plays the third tenth of its pairs of games, which keep their numbers,
/// openings and colours.
///
/// A shard is a stretch of the schedule. So in a tournament it has every pairing that the whole run has, as long as it
/// has a round, and the games of all shards, one after the other, are those of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    number: u32,
    of: u32,
}

/// A text that is no shard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("shard `{0}`: expected K/N with K from 1 to N, as in 3/10")]
pub struct ShardError(String);

impl Shard {
    /// Which of `units`, from 0, are in this shard. The sizes of all shards differ by at most one.
    pub fn stretch(self, units: u32) -> Range<u32> {
        let bound = |shards: u32| (u64::from(units) * u64::from(shards) / u64::from(self.of)) as u32;
        bound(self.number - 1)..bound(self.number)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err(ShardError(text.to_owned())),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Shard, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_shard_is_one_of_several() {
        assert_eq!("3/10".parse::<Shard>().unwrap().to_string(), "3/10");
        for wrong in ["", "3", "0/10", "11/10", "3/0", "a/b", "1/2/3", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn the_shards_of_a_run_are_all_of_it_in_its_order(units in 0_u32..5000, of in 1_u32..60) {
            let stretches: Vec<Range<u32>> =
                (1..=of).map(|number| Shard { number, of }.stretch(units)).collect();
            let all: Vec<u32> = stretches.iter().cloned().flatten().collect();
            prop_assert_eq!(all, (0..units).collect::<Vec<_>>());
            let sizes = stretches.iter().map(ExactSizeIterator::len);
            prop_assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1);
        }
    }
}
