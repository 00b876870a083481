//! What the games of a round have in common.

use serde::{Deserialize, Serialize};

/// How many games two engines play from an opening, and with which colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rounds {
    /// Games from each opening: 2, or 1.
    pub games: u32,
    /// Whether the colours stay; otherwise they are reversed in every second game.
    pub noswap: bool,
    /// Openings that two engines play in one go before the next two meet; the colours of the two alternate from game to
    /// game then. Otherwise it is one, and colours alternate from game to game of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_one_go: Option<u32>,
    /// Whether the first engine has Black where it would have White.
    pub reverse: bool,
}

impl Rounds {
    /// Whether this is the default.
    pub fn is_default(&self) -> bool {
        *self == Rounds::default()
    }

    /// Whether the engine that is named first has White in the game of this number, from 0.
    pub const fn first_has_white(&self, game: u32) -> bool {
        (game.is_multiple_of(2) || self.noswap) != self.reverse
    }
}

impl Default for Rounds {
    fn default() -> Rounds {
        Rounds { games: 2, noswap: false, in_one_go: None, reverse: false }
    }
}
