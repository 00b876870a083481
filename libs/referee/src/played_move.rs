use std::fmt::Write as _;

use arrayvec::ArrayString;
use shakmaty::{
    san::{San, SanPlus, Suffix},
    uci::UciMove,
};

/// Room for the longest texts of a move, such as `Qa1xb2#` and `a7b8q`.
type MoveText = ArrayString<8>;

/// A legal move that was played, in the two notations people and programs read. Small enough to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    san: MoveText,
    uci: MoveText,
}

impl PlayedMove {
    pub(super) fn new(san: San, suffix: Option<Suffix>, uci: UciMove) -> Self {
        let mut played = Self { san: MoveText::new(), uci: MoveText::new() };
        write!(played.san, "{}", SanPlus { san, suffix }).expect("a move in SAN has at most seven letters");
        write!(played.uci, "{uci}").expect("a move in UCI has at most five letters");
        played
    }

    /// Standard algebraic notation, with `+` for check and `#` for mate.
    pub fn san(&self) -> &str {
        &self.san
    }

    /// UCI notation; castling as the game's [`Variant`](super::Variant) writes it.
    pub fn uci(&self) -> &str {
        &self.uci
    }
}
