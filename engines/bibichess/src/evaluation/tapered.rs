//! A score that depends on the phase of the game (§3.2.3).

use std::ops::{Add, AddAssign, Mul, Sub};

use super::Phase;

/// What something counts in the opening and in the endgame, in hundredths of a pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tapered {
    /// With all pieces on the board.
    pub opening: i32,
    /// With kings and pawns only.
    pub endgame: i32,
}

impl Tapered {
    /// Nothing.
    pub const ZERO: Tapered = Tapered::always(0);

    /// A score for the opening and one for the endgame.
    pub const fn new(opening: i32, endgame: i32) -> Tapered {
        Tapered { opening, endgame }
    }

    /// The same from the first move to the last.
    pub const fn always(score: i32) -> Tapered {
        Tapered::new(score, score)
    }

    /// The mean of the two, weighted by the pieces left.
    pub const fn blended(self, phase: Phase) -> i32 {
        let left = phase.pieces_left();
        (self.opening * left + self.endgame * (Phase::ALL_PIECES - left)) / Phase::ALL_PIECES
    }
}

impl Add for Tapered {
    type Output = Tapered;

    fn add(self, other: Tapered) -> Tapered {
        Tapered::new(self.opening + other.opening, self.endgame + other.endgame)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    fn sub(self, other: Tapered) -> Tapered {
        Tapered::new(self.opening - other.opening, self.endgame - other.endgame)
    }
}

/// So many times.
impl Mul<i32> for Tapered {
    type Output = Tapered;

    fn mul(self, count: i32) -> Tapered {
        Tapered::new(self.opening * count, self.endgame * count)
    }
}
