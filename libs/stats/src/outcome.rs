//! The outcome of one game for one of its players.

use serde::{Deserialize, Serialize};

/// The outcome of one game for one player; the order is from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Worth nothing.
    Loss,
    /// Worth half a point.
    Draw,
    /// Worth one point.
    Win,
}

impl Outcome {
    /// The outcome that is worth so many half points; more than 2 count as 2.
    pub const fn of_half_points(half_points: u8) -> Outcome {
        match half_points {
            0 => Outcome::Loss,
            1 => Outcome::Draw,
            _ => Outcome::Win,
        }
    }

    /// The outcome for the opponent.
    #[must_use]
    pub const fn reversed(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// What the game is worth in half points: 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        match self {
            Outcome::Loss => 0,
            Outcome::Draw => 1,
            Outcome::Win => 2,
        }
    }
}
