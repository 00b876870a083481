//! What a position is worth (§1.1.2).

use std::ops::{Add, Neg, Sub};

use uci::{Score, ScoreValue};

use crate::ply::Ply;

/// The worth of a position to the side to move, in hundredths of a pawn.
///
/// Being mated at ply `n` is `n` above the lowest value, so that the quicker mate is the better one. The document has
/// one value for every mate; with that, an engine that has found a mate need not come nearer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value(i32);

impl Value {
    /// Nobody wins.
    pub const DRAW: Value = Value(0);
    /// Beyond every value: the ends of an open window.
    pub const INFINITE: Value = Value(Value::MATE + 1);
    const MATE: i32 = 30_000;
    /// From here on, values are mates.
    const NEAREST_TO_MATE: i32 = Value::MATE - Ply::COUNT as i32;

    /// A value in hundredths of a pawn.
    pub const fn centipawns(number: i32) -> Value {
        Value(number)
    }

    /// The number behind the type.
    pub const fn get(self) -> i32 {
        self.0
    }

    /// The side to move is mated at this ply.
    pub const fn mated_at(ply: Ply) -> Value {
        Value(ply.get() as i32 - Value::MATE)
    }

    /// Half-moves from the root to the mate, negative when it is the side to move that is mated; `None` where no mate
    /// was found.
    pub const fn plies_to_mate(self) -> Option<i32> {
        if self.0 >= Value::NEAREST_TO_MATE {
            Some(Value::MATE - self.0)
        } else if self.0 <= -Value::NEAREST_TO_MATE {
            Some(-Value::MATE - self.0)
        } else {
            None
        }
    }

    /// The same with mates counted from the node at `ply` in place of the root: the hash table meets a position at
    /// different plies.
    #[must_use]
    pub fn counted_from_node(self, ply: Ply) -> Value {
        self + self.mate_sign() * ply.get() as i32
    }

    /// The inverse of [`Value::counted_from_node`].
    #[must_use]
    pub fn counted_from_root(self, ply: Ply) -> Value {
        self - self.mate_sign() * ply.get() as i32
    }

    /// 1 for giving mate, -1 for being mated, 0 for neither.
    fn mate_sign(self) -> i32 {
        if self.plies_to_mate().is_some() { self.0.signum() } else { 0 }
    }

    /// The value as the protocol tells it, mates in full moves.
    pub fn to_score(self) -> Score {
        let value = match self.plies_to_mate() {
            Some(plies) if self.0 > 0 => ScoreValue::Mate((plies + 1) / 2),
            Some(plies) => ScoreValue::Mate(plies / 2),
            None => ScoreValue::Centipawns(self.0),
        };
        Score { value, ..Score::centipawns(0) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quicker_mate_is_worth_more() {
        assert!(-Value::mated_at(Ply::new(3)) > -Value::mated_at(Ply::new(5)));
        assert!(Value::mated_at(Ply::new(4)) > Value::mated_at(Ply::new(2)));
    }

    #[test]
    fn mates_are_told_in_moves() {
        let told = |value: Value| value.to_score().value;
        assert_eq!(told(-Value::mated_at(Ply::new(1))), ScoreValue::Mate(1));
        assert_eq!(told(-Value::mated_at(Ply::new(5))), ScoreValue::Mate(3));
        assert_eq!(told(Value::mated_at(Ply::new(2))), ScoreValue::Mate(-1));
        assert_eq!(told(Value::centipawns(-12)), ScoreValue::Centipawns(-12));
    }

    #[test]
    fn a_value_goes_through_the_table_unchanged() {
        for value in [Value::mated_at(Ply::new(9)), -Value::mated_at(Ply::new(10)), Value::centipawns(31)] {
            assert_eq!(value.counted_from_node(Ply::new(7)).counted_from_root(Ply::new(7)), value);
        }
        assert_eq!(Value::mated_at(Ply::new(9)).counted_from_node(Ply::new(7)), Value::mated_at(Ply::new(2)));
    }
}
