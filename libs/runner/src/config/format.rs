//! Tournament formats.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::InvalidInput;

/// The format of a tournament.
///
/// Written `round-robin`, `gauntlet`, `gauntlet,challengers=2`, `knockout` or `knockout,extra-pairs=5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Format {
    /// Each engine plays each other one; two engines play a match.
    #[default]
    RoundRobin,
    /// The first engines of the configuration play all others, but not each other.
    Gauntlet {
        /// The number of challengers, at least 1.
        challengers: usize,
    },
    /// The loser of a tie is out. Engines are seeded in the order of the configuration, the best first.
    Knockout {
        /// The maximum number of extra pairs of games in a level tie; after them the better seed advances.
        extra_pairs: u32,
    },
}

impl Format {
    const DEFAULT_CHALLENGERS: usize = 1;
    const DEFAULT_EXTRA_PAIRS: u32 = 3;

    /// The number of pairings of this many engines, if extra pairs decide no tie of a knockout.
    pub fn pairings(self, engines: usize) -> u64 {
        let engines = engines as u64;
        match self {
            Format::RoundRobin => engines * engines.saturating_sub(1) / 2,
            Format::Gauntlet { challengers } => {
                challengers as u64 * engines.saturating_sub(challengers as u64)
            }
            Format::Knockout { .. } => engines.saturating_sub(1),
        }
    }

    /// The pairings of this many engines that are known from the beginning, each with the engine listed first. Empty for a
    /// knockout, where they depend on the results.
    pub fn encounters(self, engines: usize) -> Vec<(usize, usize)> {
        match self {
            Format::RoundRobin => (0..engines)
                .flat_map(|first| (first + 1..engines).map(move |second| (first, second)))
                .collect(),
            // All challengers meet the first opponent, then the next one, and so on.
            Format::Gauntlet { challengers } => (challengers..engines)
                .flat_map(|other| (0..challengers).map(move |challenger| (challenger, other)))
                .collect(),
            Format::Knockout { .. } => Vec::new(),
        }
    }
}

impl FromStr for Format {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<Format, InvalidInput> {
        let error = || {
            let expected = "`round-robin`, `gauntlet`, `gauntlet,challengers=N`, `knockout` or";
            InvalidInput(format!("format `{text}`: expected {expected} `knockout,extra-pairs=N`"))
        };
        let (kind, setting) = text.split_once(',').map_or((text, None), |(kind, it)| (kind, Some(it.trim())));
        let number = |key: &str, default: u32| {
            let Some(setting) = setting else { return Ok(default) };
            let value = setting.strip_prefix(key).and_then(|rest| rest.strip_prefix('='));
            value.and_then(|value| value.trim().parse().ok()).ok_or_else(error)
        };
        match kind.trim() {
            "round-robin" if setting.is_none() => Ok(Format::RoundRobin),
            "gauntlet" => match number("challengers", Format::DEFAULT_CHALLENGERS as u32)? {
                0 => Err(error()),
                challengers => Ok(Format::Gauntlet { challengers: challengers as usize }),
            },
            "knockout" => {
                Ok(Format::Knockout { extra_pairs: number("extra-pairs", Format::DEFAULT_EXTRA_PAIRS)? })
            }
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Format::RoundRobin => f.write_str("round-robin"),
            Format::Gauntlet { challengers: Format::DEFAULT_CHALLENGERS } => f.write_str("gauntlet"),
            Format::Gauntlet { challengers } => write!(f, "gauntlet,challengers={challengers}"),
            Format::Knockout { extra_pairs: Format::DEFAULT_EXTRA_PAIRS } => f.write_str("knockout"),
            Format::Knockout { extra_pairs } => write!(f, "knockout,extra-pairs={extra_pairs}"),
        }
    }
}

texts_in_files!(Format, Shard);

/// The games that two engines play from an opening, and their colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rounds {
    /// The number of games from each opening: 1 or 2.
    pub games: u32,
    /// Whether the colours stay the same in all games; otherwise every second game reverses them.
    pub noswap: bool,
    /// The number of openings that two engines play in a row before the next two meet. Colours then alternate between the
    /// games of the two. By default it is one, and colours alternate between the games of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_one_go: Option<u32>,
    /// Whether colours are exchanged in every game, so that the first engine begins with Black.
    pub reverse: bool,
}

impl Rounds {
    /// Whether the engine listed first has White in the game with this index, from 0.
    pub const fn first_has_white(&self, game: u32) -> bool {
        (game.is_multiple_of(2) || self.noswap) != self.reverse
    }
}

impl Default for Rounds {
    fn default() -> Rounds {
        Rounds { games: 2, noswap: false, in_one_go: None, reverse: false }
    }
}

/// One of several equal parts of a run: `3/10` plays the third tenth of its pairs of games, which keep their numbers,
/// openings and colours.
///
/// A shard is a contiguous part of the schedule, and all shards together play the games of the run. In a tournament, a
/// shard of at least one round has every pairing. Shards with a pool may stop at any time, so each takes every nth pair
/// of the schedule instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize, derive_more::Display)]
#[serde(try_from = "String", into = "String")]
#[display("{number}/{of}")]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// The number of this shard, from 1.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// The number of shards.
    pub const fn of(self) -> u32 {
        self.of
    }
}

impl FromStr for Shard {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<Shard, InvalidInput> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err(InvalidInput(format!("shard `{text}`: expected K/N with K from 1 to N, as in 3/10"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_enough_a_format_prints_as_it_is_read_and_what_no_format_has_is_refused() {
        for (text, format) in [
            ("round-robin", Format::RoundRobin),
            ("gauntlet", Format::Gauntlet { challengers: 1 }),
            ("gauntlet,challengers=12", Format::Gauntlet { challengers: 12 }),
            ("knockout", Format::Knockout { extra_pairs: 3 }),
            ("knockout,extra-pairs=0", Format::Knockout { extra_pairs: 0 }),
        ] {
            assert_eq!((text.parse::<Format>(), format.to_string()), (Ok(format), text.to_owned()));
        }
        assert_eq!(" gauntlet , challengers= 1".parse(), Ok(Format::Gauntlet { challengers: 1 }));
        for text in
            ["", "swiss", "round-robin,challengers=1", "gauntlet,challengers=0", "gauntlet,extra-pairs=1"]
        {
            assert!(text.parse::<Format>().is_err(), "{text}");
        }
        assert!("knockout,extra-pairs=-1".parse::<Format>().is_err());
    }

    #[test]
    fn every_two_engines_meet_once_or_challengers_meet_all_others() {
        assert_eq!(Format::RoundRobin.encounters(2), [(0, 1)]);
        assert_eq!(Format::RoundRobin.encounters(4), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        let gauntlet = |challengers| Format::Gauntlet { challengers }.encounters(4);
        assert_eq!(gauntlet(1), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(gauntlet(2), [(0, 2), (1, 2), (0, 3), (1, 3)]);
        assert_eq!(gauntlet(3), [(0, 3), (1, 3), (2, 3)]);
    }

    #[test]
    fn a_shard_is_one_of_several() {
        assert_eq!("3/10".parse::<Shard>().unwrap().to_string(), "3/10");
        for wrong in ["", "3", "0/10", "11/10", "3/0", "a/b", "1/2/3", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
