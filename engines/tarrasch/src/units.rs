//! The units of the search: depth, ply and value.

use std::fmt;
use std::ops::Sub;

uci::adds_numbers! { Depth Value }

/// The remaining depth in plies; at zero and below quiescence search begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

impl Depth {
    /// The horizon: only quiescence search is left.
    pub const ZERO: Depth = Depth(0);
    /// The depth of the first iteration.
    pub const ONE: Depth = Depth(1);
    /// The deepest iteration.
    pub const MAX: Depth = Depth(100);

    pub const fn new(plies: i32) -> Depth {
        Depth(plies)
    }

    pub const fn get(self) -> i32 {
        self.0
    }
}

/// The number of plies from the root, from 0 to [`Ply::MAX`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ply(u8);

impl Ply {
    pub const ROOT: Ply = Ply(0);
    /// The deepest ply. Here the search only evaluates.
    pub const MAX: Ply = Ply(127);
    /// The number of plies, for arrays indexed by ply.
    pub const COUNT: usize = Ply::MAX.0 as usize + 1;

    /// This many plies from the root, at most [`Ply::MAX`].
    pub const fn new(plies: u8) -> Ply {
        if plies < Ply::MAX.0 { Ply(plies) } else { Ply::MAX }
    }

    pub const fn get(self) -> u8 {
        self.0
    }

    /// The index into arrays of [`Ply::COUNT`] elements.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next ply, at most [`Ply::MAX`].
    pub const fn next(self) -> Ply {
        Ply::new(self.0 + 1)
    }

    pub const fn is_root(self) -> bool {
        self.0 == 0
    }
}

/// A value in centipawns from the point of view of the side to move.
///
/// Mates are at the ends of the range: being mated at ply `n` is `-MATE + n`, so a shorter mate is a larger value.
/// [`super::wire`] converts values to the scores of UCI ([`uci::Score`]). Every value fits into 16 bits, on which the TT
/// relies.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, derive_more::Neg)]
pub struct Value(i32);

impl Value {
    pub const DRAW: Value = Value(0);
    /// Mate at the root: larger than any value that a search returns.
    pub const MATE: Value = Value(32_000);
    /// Larger than every value; beta of an open window.
    pub const INFINITE: Value = Value(32_001);
    /// The largest value that is not a mate.
    pub const MAX_EVAL: Value = Value(Value::MATE.0 - Ply::MAX.get() as i32 - 1);

    /// A tablebase win at the root: above every evaluation and below every mate.
    const TB_WIN: Value = Value(20_000);
    /// A cursed win: the fifty-move rule makes it a draw.
    pub const CURSED_WIN: Value = Value(1);

    pub const fn new(centipawns: i32) -> Value {
        Value(centipawns)
    }

    pub const fn get(self) -> i32 {
        self.0
    }

    /// The side to move is mated at `ply`.
    pub fn mated_in(ply: Ply) -> Value {
        Value(ply.get() as i32 - Value::MATE.0)
    }

    /// The side to move mates at `ply`.
    pub fn mate_in(ply: Ply) -> Value {
        -Value::mated_in(ply)
    }

    /// A tablebase win found at `ply`.
    pub fn tb_win_in(ply: Ply) -> Value {
        Value::TB_WIN - i32::from(ply.get())
    }

    /// The number of plies to mate: positive if the side to move mates, zero or negative if it is mated. `None` for other
    /// values.
    pub fn plies_to_mate(self) -> Option<i32> {
        if self > Value::MAX_EVAL {
            Some(Value::MATE.0 - self.0)
        } else if self < -Value::MAX_EVAL {
            Some(-Value::MATE.0 - self.0)
        } else {
            None
        }
    }

    /// Whether this is a mate, given or received.
    pub fn is_mate(self) -> bool {
        self.0.abs() > Value::MAX_EVAL.0
    }

    /// Whether the side to move is being mated.
    pub fn is_loss(self) -> bool {
        self < -Value::MAX_EVAL
    }

    /// The nearest value that is not a mate.
    pub fn clamp_to_eval(self) -> Value {
        self.clamp(-Value::MAX_EVAL, Value::MAX_EVAL)
    }

    /// Whether this is a mate or a tablebase result: such values depend on the ply.
    fn depends_on_ply(self) -> bool {
        self.0.abs() >= Value::tb_win_in(Ply::MAX).0
    }

    /// The value to store in the TT: mates and tablebase wins count from the node instead of the root, because the same
    /// position is reached at different plies.
    pub fn to_tt(self, ply: Ply) -> Value {
        if self.depends_on_ply() { self + self.0.signum() * i32::from(ply.get()) } else { self }
    }

    pub fn from_tt(self, ply: Ply) -> Value {
        if self.depends_on_ply() { self - self.0.signum() * i32::from(ply.get()) } else { self }
    }
}

/// The distance between two values, in centipawns.
impl Sub for Value {
    type Output = i32;

    fn sub(self, other: Value) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_mate() {
            Some(plies) => write!(f, "mate in {plies} plies"),
            None => write!(f, "{} cp", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shorter_mate_is_better_and_only_values_above_every_evaluation_are_mates() {
        let (mates, wins) =
            ([5, 3].map(Ply::new).map(Value::mate_in), [4, 2].map(Ply::new).map(Value::tb_win_in));
        assert!(mates.is_sorted() && wins.is_sorted() && !Value::tb_win_in(Ply::ROOT).is_mate());
        assert_eq!(Value::MAX_EVAL.plies_to_mate(), None);
        assert_eq!((Value::MAX_EVAL + 1).plies_to_mate(), Some(Ply::MAX.get() as i32));
        assert_eq!(Value::mated_in(Ply::new(2)).plies_to_mate(), Some(-2));
        assert!(Value::mated_in(Ply::ROOT).is_loss());
    }
}
