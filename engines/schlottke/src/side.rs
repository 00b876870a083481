//! Whose turn it is: the `trait` of the article, 1 for White and -1 for Black (section III-D).

/// A side, with the sign that its pieces have on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i8)]
pub enum Side {
    /// Positive pieces; its pawns go up.
    White = 1,
    /// Negative pieces; its pawns go down.
    Black = -1,
}

impl Side {
    /// 1 for White, -1 for Black: a piece times this is positive exactly if it is the side's own.
    pub const fn sign(self) -> i8 {
        self as i8
    }

    /// The opponent.
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The rank on which its king and rooks begin, 1 or 8.
    pub const fn home_rank(self) -> i8 {
        match self {
            Side::White => 1,
            Side::Black => 8,
        }
    }

    /// The rank on which its pawns begin, 2 or 7.
    pub const fn pawn_rank(self) -> i8 {
        self.home_rank() + self.sign()
    }

    /// The place of the side in an array of two.
    pub const fn index(self) -> usize {
        match self {
            Side::White => 0,
            Side::Black => 1,
        }
    }
}
