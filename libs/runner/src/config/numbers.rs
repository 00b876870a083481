//! Lists of numbers as text, such as `0-3,8`, for cores and for the games to log.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::InvalidInput;

/// A nonempty set of whole numbers, written like `0-3,8`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Numbers(BTreeSet<u32>);

const MOST: u32 = 1 << 20;

impl Numbers {
    /// Whether a number is in the list.
    pub fn has(&self, number: u32) -> bool {
        self.0.contains(&number)
    }

    /// The numbers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().copied()
    }
}

impl FromStr for Numbers {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<Numbers, InvalidInput> {
        let expected = "numbers and ranges joined by commas, such as 0-3,8";
        let mut numbers = BTreeSet::new();
        for range in text.split(',') {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            match (first.trim().parse::<u32>(), last.trim().parse::<u32>()) {
                (Ok(first), Ok(last)) if first <= last && last - first < MOST => numbers.extend(first..=last),
                _ => return Err(InvalidInput(format!("`{text}`: expected {expected}"))),
            }
        }
        Ok(Numbers(numbers))
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut numbers = self.iter().peekable();
        let mut comma = "";
        while let Some(first) = numbers.next() {
            let mut last = first;
            while let Some(next) = numbers.next_if_eq(&(last + 1)) {
                last = next;
            }
            match last {
                _ if last == first => write!(f, "{comma}{first}")?,
                _ => write!(f, "{comma}{first}-{last}")?,
            }
            comma = ",";
        }
        Ok(())
    }
}

/// Whether each game is pinned to cores of its own, and to which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected true, false or a list of cores such as \"0-3,8\"")]
pub enum Affinity {
    /// Not pinned, or pinned to any of the cores that this process may use.
    Pinned(bool),
    /// Pinned to these cores.
    Cores(Numbers),
}

impl Default for Affinity {
    fn default() -> Affinity {
        Affinity::Pinned(false)
    }
}

/// The games whose protocol logs are kept. The log of a game with a fault is always kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum GameLogs {
    /// Only games with a fault: `faults`.
    #[default]
    Faults,
    /// All games: `all`.
    All,
    /// Some games, by their numbers from 1: `7,20-29`.
    Games(Numbers),
}

impl GameLogs {
    /// Whether the protocol log of the game with this index, from 0, is kept even if nothing happens in it.
    pub fn has(&self, game: u32) -> bool {
        match self {
            GameLogs::Faults => false,
            GameLogs::All => true,
            GameLogs::Games(numbers) => numbers.has(game + 1),
        }
    }
}

impl FromStr for GameLogs {
    type Err = InvalidInput;

    fn from_str(text: &str) -> Result<GameLogs, InvalidInput> {
        match text {
            "faults" => Ok(GameLogs::Faults),
            "all" => Ok(GameLogs::All),
            numbers => numbers.parse().map(GameLogs::Games),
        }
    }
}

impl fmt::Display for GameLogs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameLogs::Faults => f.write_str("faults"),
            GameLogs::All => f.write_str("all"),
            GameLogs::Games(numbers) => numbers.fmt(f),
        }
    }
}

texts_in_files!(Numbers, GameLogs);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_print_as_short_as_they_can_be_read() {
        for (text, printed) in [("5", "5"), ("3,1,2,8", "1-3,8"), ("0-3,2-5,7-8", "0-5,7-8"), ("4-4", "4")] {
            assert_eq!(text.parse::<Numbers>().unwrap().to_string(), printed);
        }
        for wrong in ["", "a", "3-1", "1,", "-1", "0-4294967295"] {
            assert!(wrong.parse::<Numbers>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_file_has_a_switch_or_a_list_of_cores() {
        #[derive(Debug, PartialEq, Serialize, Deserialize)]
        struct File {
            affinity: Affinity,
        }
        for (written, affinity) in [
            ("affinity = false\n", Affinity::Pinned(false)),
            ("affinity = true\n", Affinity::Pinned(true)),
            ("affinity = \"0-3,8\"\n", Affinity::Cores("0-3,8".parse().unwrap())),
        ] {
            let file = File { affinity };
            assert_eq!(toml::to_string(&file).unwrap(), written);
            assert_eq!(toml::from_str::<File>(written).unwrap(), file);
        }
        let error = toml::from_str::<File>("affinity = 'x'").unwrap_err().to_string();
        assert!(error.contains("expected true, false or a list of cores"), "{error}");
    }
}
