//! The internal score of a position.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

use super::Ply;

/// How good a position is for the side to move, in hundredths of a pawn.
///
/// Mates lie at the ends of the range: being mated at ply `n` of the search is `-MATE + n`, so that the shorter mate
/// is the larger value. What the protocol calls a score is [`uci::Score`]; the two meet only in
/// [`super::wire`]. Every value fits into 16 bits, which the transposition table relies on.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value(i32);

impl Value {
    /// A draw.
    pub const DRAW: Value = Value(0);
    /// Mate at the root: larger than any value a search returns.
    pub const MATE: Value = Value(32_000);
    /// Beyond every value; the bounds of an open window.
    pub const INFINITE: Value = Value(32_001);
    /// The largest value that is not a mate within the search horizon.
    pub const MAX_EVAL: Value = Value(Value::MATE.0 - Ply::MAX.get() as i32 - 1);

    /// A win that endgame tables promise, at the root: beyond every evaluation, and below every mate.
    const TABLE_WIN: Value = Value(20_000);
    /// A win that only the fifty-move rule makes a draw.
    pub const CURSED_WIN: Value = Value(1);

    /// A value in centipawns.
    pub const fn new(centipawns: i32) -> Value {
        Value(centipawns)
    }

    /// The number behind the type.
    pub const fn get(self) -> i32 {
        self.0
    }

    /// The side to move is mated at `ply`.
    pub fn mated_in(ply: Ply) -> Value {
        Value(ply.get() as i32 - Value::MATE.0)
    }

    /// The side to move mates, and the mate stands on the board at `ply`.
    pub fn mate_in(ply: Ply) -> Value {
        -Value::mated_in(ply)
    }

    /// The side to move at the root wins by the word of endgame tables, which are reached at `ply`.
    pub fn table_win_at(ply: Ply) -> Value {
        Value::TABLE_WIN - i32::from(ply.get())
    }

    /// Half-moves until the mate: positive for giving it, negative for suffering it, `None` for other values.
    ///
    /// Zero cannot tell the sides apart and does not need to: the side to move is mated on the board.
    pub fn plies_to_mate(self) -> Option<i32> {
        if self > Value::MAX_EVAL {
            Some(Value::MATE.0 - self.0)
        } else if self < -Value::MAX_EVAL {
            Some(-Value::MATE.0 - self.0)
        } else {
            None
        }
    }

    /// Whether this is a mate for either side.
    pub fn is_mate(self) -> bool {
        self.0.abs() > Value::MAX_EVAL.0
    }

    /// Whether the side to move is being mated.
    pub fn is_loss(self) -> bool {
        self < -Value::MAX_EVAL
    }

    /// The nearest value that does not claim a mate.
    #[must_use]
    pub fn clamp_to_eval(self) -> Value {
        self.clamp(-Value::MAX_EVAL, Value::MAX_EVAL)
    }

    /// Whether this is a mate or a win by endgame tables, for either side: such values count plies.
    fn counts_plies(self) -> bool {
        self.0.abs() >= Value::table_win_at(Ply::MAX).0
    }

    /// The value as the transposition table keeps it: plies to mates and to endgame tables count from the node itself,
    /// not from the root, because the same node is reached at different plies.
    #[must_use]
    pub fn to_table(self, ply: Ply) -> Value {
        if self.counts_plies() { self + self.0.signum() * i32::from(ply.get()) } else { self }
    }

    /// The inverse of [`Value::to_table`].
    #[must_use]
    pub fn from_table(self, ply: Ply) -> Value {
        if self.counts_plies() { self - self.0.signum() * i32::from(ply.get()) } else { self }
    }
}

impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl Add<i32> for Value {
    type Output = Value;

    fn add(self, centipawns: i32) -> Value {
        Value(self.0 + centipawns)
    }
}

impl Sub<i32> for Value {
    type Output = Value;

    fn sub(self, centipawns: i32) -> Value {
        Value(self.0 - centipawns)
    }
}

impl AddAssign<i32> for Value {
    fn add_assign(&mut self, centipawns: i32) {
        self.0 += centipawns;
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
    fn a_shorter_mate_is_better_for_the_one_who_gives_it() {
        assert!(Value::mate_in(Ply::new(3)) > Value::mate_in(Ply::new(5)));
        assert!(Value::mated_in(Ply::new(4)) > Value::mated_in(Ply::new(2)));
    }

    #[test]
    fn mates_in_the_table_count_from_the_node() {
        let ply = Ply::new(7);
        let table_loss = -Value::table_win_at(Ply::MAX);
        for value in [Value::mate_in(Ply::new(10)), Value::mated_in(Ply::new(9)), Value::new(35), table_loss]
        {
            assert_eq!(value.to_table(ply).from_table(ply), value);
        }
        assert_eq!(Value::table_win_at(Ply::new(10)).to_table(ply), Value::table_win_at(Ply::new(3)));
        assert_eq!(Value::mate_in(Ply::new(10)).to_table(ply), Value::mate_in(Ply::new(3)));
    }

    #[test]
    fn a_win_by_tables_is_no_mate_and_the_sooner_the_better() {
        assert!(!Value::table_win_at(Ply::ROOT).is_mate());
        assert!(Value::table_win_at(Ply::new(2)) > Value::table_win_at(Ply::new(4)));
    }

    #[test]
    fn only_values_beyond_every_evaluation_are_mates() {
        assert_eq!(Value::MAX_EVAL.plies_to_mate(), None);
        assert_eq!((Value::MAX_EVAL + 1).plies_to_mate(), Some(Ply::MAX.get() as i32));
        assert_eq!(Value::mated_in(Ply::new(2)).plies_to_mate(), Some(-2));
        assert!(Value::mated_in(Ply::ROOT).is_loss());
    }
}
