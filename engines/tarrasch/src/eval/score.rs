//! A middlegame and an endgame score in one number.

use std::fmt;
use std::iter::Sum;

use derive_more::{Add, AddAssign, Mul, Sub};

use crate::Value;

/// A middlegame score in the lower 16 bits and an endgame score in the upper 16, both in centipawns, so that one
/// instruction adds both. A negative middlegame score borrows 1 from the endgame score; [`PhasedScore::eg`] corrects that.
#[derive(Clone, Copy, Default, PartialEq, Eq, Add, AddAssign, Sub, Mul)]
pub struct PhasedScore(i32);

impl PhasedScore {
    pub const ZERO: PhasedScore = PhasedScore(0);

    /// From `mg` and `eg`, each within the range of an `i16`.
    pub const fn new(mg: i32, eg: i32) -> PhasedScore {
        PhasedScore((eg << 16) + mg)
    }

    pub const fn mg(self) -> i32 {
        self.0 as i16 as i32
    }

    pub const fn eg(self) -> i32 {
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }

    /// Interpolates between both scores by `phase`, from [`PhasedScore::ENDGAME`] to [`PhasedScore::MIDDLEGAME`]. The endgame score is
    /// multiplied by `scale` / [`PhasedScore::FULL_SCALE`] first.
    pub fn blend(self, phase: i32, scale: i32) -> Value {
        let eg = self.eg() * scale / PhasedScore::FULL_SCALE;
        Value::new((self.mg() * phase + eg * (PhasedScore::MIDDLEGAME - phase)) / PhasedScore::MIDDLEGAME)
    }

    /// The phase of the start position.
    pub const MIDDLEGAME: i32 = 24;
    /// The phase with only kings and pawns.
    pub const ENDGAME: i32 = 0;
    pub const FULL_SCALE: i32 = 64;
}

impl Sum for PhasedScore {
    fn sum<I: Iterator<Item = PhasedScore>>(scores: I) -> PhasedScore {
        scores.fold(PhasedScore::ZERO, |sum, score| sum + score)
    }
}

impl fmt::Debug for PhasedScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.mg(), self.eg())
    }
}
