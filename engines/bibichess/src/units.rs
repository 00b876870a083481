//! The numbers of a search: values and windows of values (§1.1.2 and §2.1.2), depths, and plies.

use uci::{Score, ScoreValue};

uci::adds_numbers! { Depth Value }

/// The worth of a position for the side to move, in hundredths of a pawn.
///
/// Being mated at ply `n` is `n` above the lowest value, so a quicker mate is better for the winner. The document has one
/// value for every mate; then an engine that has found a mate need not make progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, derive_more::Neg)]
pub struct Value(i32);

impl Value {
    pub const DRAW: Value = Value(0);
    /// Beyond every value: the ends of an open window.
    pub const INFINITE: Value = Value(Value::MATE + 1);
    const MATE: i32 = 30_000;
    /// From here on, values are mates.
    const NEAREST_TO_MATE: i32 = Value::MATE - Ply::COUNT as i32;

    pub const fn centipawns(number: i32) -> Value {
        Value(number)
    }

    pub const fn get(self) -> i32 {
        self.0
    }

    pub const fn mated_at(ply: Ply) -> Value {
        Value(ply.get() as i32 - Value::MATE)
    }

    /// Half-moves from the root to the mate, negative if the side to move is mated; `None` if the value is no mate.
    pub const fn plies_to_mate(self) -> Option<i32> {
        if self.0 >= Value::NEAREST_TO_MATE {
            Some(Value::MATE - self.0)
        } else if self.0 <= -Value::NEAREST_TO_MATE {
            Some(-Value::MATE - self.0)
        } else {
            None
        }
    }

    /// This value with mates counted from the node at `ply` instead of the root, since the hash table meets a position at
    /// different plies.
    pub fn counted_from_node(self, ply: Ply) -> Value {
        self + self.mate_sign() * ply.get() as i32
    }

    pub fn counted_from_root(self, ply: Ply) -> Value {
        self - self.mate_sign() * ply.get() as i32
    }

    /// 1 if the side to move mates, -1 if it is mated, else 0.
    fn mate_sign(self) -> i32 {
        if self.plies_to_mate().is_some() { self.0.signum() } else { 0 }
    }

    /// The value in UCI's terms, with mates in full moves.
    pub fn to_score(self) -> Score {
        let value = match self.plies_to_mate() {
            Some(plies) if self.0 > 0 => ScoreValue::Mate((plies + 1) / 2),
            Some(plies) => ScoreValue::Mate(plies / 2),
            None => ScoreValue::Centipawns(self.0),
        };
        Score { value, ..Score::centipawns(0) }
    }
}

/// The interval between what the side to move is already sure of and what its opponent is already sure of elsewhere.
/// Values outside it are refuted higher up.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The value that the side to move is sure of.
    pub alpha: Value,
    /// The value that the opponent will not allow.
    pub beta: Value,
}

impl Window {
    pub const OPEN: Window = Window { alpha: Window::LOWEST, beta: Value::INFINITE };
    const LOWEST: Value = Value::centipawns(-Value::INFINITE.get());

    pub fn of_opponent(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The zero window that tests whether a move is better than `alpha` (§2.1.4).
    pub fn zero_above_alpha(self) -> Window {
        Window { beta: self.alpha + 1, ..self }
    }

    /// The zero window that tests whether a move reaches `beta` (§2.3.1).
    pub fn zero_below_beta(self) -> Window {
        Window { alpha: self.beta - 1, ..self }
    }

    /// Whether no value lies strictly between the two ends.
    pub fn is_zero(self) -> bool {
        self.beta <= self.alpha + 1
    }

    /// Whether the side to move has so much that the opponent would avoid this position.
    pub fn is_refuted(self) -> bool {
        self.alpha >= self.beta
    }
}

/// Half-moves left until quiescence; zero or less is quiescence itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth(i32);

impl Depth {
    pub const MAX: Depth = Depth(64);

    pub const fn new(plies: i32) -> Depth {
        Depth(plies)
    }

    pub const fn plies(self) -> i32 {
        self.0
    }

    /// Whether only quiescence is left.
    pub const fn is_exhausted(self) -> bool {
        self.0 <= 0
    }
}

/// Half-moves played since the root of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ply(usize);

impl Ply {
    pub const ROOT: Ply = Ply(0);
    /// The deepest ply, which ends recursion: here a position is always evaluated.
    pub const LAST: Ply = Ply(127);
    pub const COUNT: usize = Ply::LAST.0 + 1;

    #[cfg(test)]
    pub const fn new(half_moves: usize) -> Ply {
        Ply(half_moves)
    }

    pub const fn get(self) -> usize {
        self.0
    }

    pub const fn next(self) -> Ply {
        Ply(self.0 + 1)
    }

    pub const fn is_root(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_told_in_moves() {
        let told = |value: Value| value.to_score().value;
        assert_eq!(told(-Value::mated_at(Ply::new(1))), ScoreValue::Mate(1));
        assert_eq!(told(-Value::mated_at(Ply::new(5))), ScoreValue::Mate(3));
        assert_eq!(told(Value::mated_at(Ply::new(2))), ScoreValue::Mate(-1));
        assert_eq!(told(Value::centipawns(-12)), ScoreValue::Centipawns(-12));
    }
}
