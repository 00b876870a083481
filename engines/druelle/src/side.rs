//! The two sides of a game, by which the document tells its players apart (section 3.6.2).

/// Which player; the document's `id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Begins.
    White,
    /// Answers.
    Black,
}

impl Side {
    /// The document's `adverse`.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The index into pairs of things, White first.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction in which pawns go.
    pub const fn forward(self) -> i8 {
        match self {
            Side::White => 1,
            Side::Black => -1,
        }
    }

    /// The line that is this many lines from the player's own first, counted from 0.
    pub const fn line(self, from_own: i8) -> i8 {
        match self {
            Side::White => from_own,
            Side::Black => 7 - from_own,
        }
    }
}
