//! The games that are played out to check the adjudication rules.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The share of games that go on where the rules for draws and resignations would end them. Their results are the true
/// ones, and afterwards the rules can be compared with them.
///
/// Which games these are follows from the seed of the run and the number of the game, so a resumed run has the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct PlayOut(f64);

/// A number that is no share of the games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}`: expected a share of the games, above 0 and at most 1, as in 0.1")]
pub struct InvalidPlayOut(String);

impl PlayOut {
    /// The share, above 0 and at most 1.
    pub const fn share(self) -> f64 {
        self.0
    }

    /// Whether the game with this number is one of them.
    pub fn includes(self, seed: u64, game: u32) -> bool {
        uniform(mixed(mixed(seed).wrapping_add(u64::from(game)))) < self.0
    }
}

/// The finalizer of `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): every
/// bit of the result depends on every bit of the number.
const fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// From 0 to 1, excluded, by the upper 53 bits.
fn uniform(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

impl TryFrom<f64> for PlayOut {
    type Error = InvalidPlayOut;

    fn try_from(share: f64) -> Result<PlayOut, InvalidPlayOut> {
        let is_share = share > 0.0 && share <= 1.0;
        is_share.then_some(PlayOut(share)).ok_or_else(|| InvalidPlayOut(share.to_string()))
    }
}

impl From<PlayOut> for f64 {
    fn from(share: PlayOut) -> f64 {
        share.0
    }
}

impl FromStr for PlayOut {
    type Err = InvalidPlayOut;

    fn from_str(text: &str) -> Result<PlayOut, InvalidPlayOut> {
        let share: f64 = text.trim().parse().map_err(|_| InvalidPlayOut(text.to_owned()))?;
        PlayOut::try_from(share)
    }
}

impl fmt::Display for PlayOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_the_share_of_games_is_chosen_and_other_seeds_choose_others() {
        let tenth: PlayOut = "0.1".parse().unwrap();
        let chosen = |seed| (0..10_000).filter(move |game| tenth.includes(seed, *game)).collect::<Vec<_>>();
        for seed in [0, 1, u64::MAX] {
            assert!((850..1150).contains(&chosen(seed).len()), "{}", chosen(seed).len());
        }
        assert_ne!(chosen(0), chosen(1));
        // Recorded runs rely on these.
        assert_eq!(chosen(7)[..4], [39, 41, 45, 50]);
        let all: PlayOut = "1".parse().unwrap();
        assert!((0..1000).all(|game| all.includes(3, game)));
    }

    #[test]
    fn what_is_no_share_is_refused_with_an_example() {
        for text in ["0", "-0.1", "1.01", "nan", "inf", "x", ""] {
            let message = text.parse::<PlayOut>().unwrap_err().to_string();
            assert!(message.contains("as in 0.1"), "{message}");
        }
    }
}
