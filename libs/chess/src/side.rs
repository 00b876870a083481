//! The side to move as a type, so that the generator is compiled once for each and the directions are constants.

use super::{Bitboard, Color, Rank};

/// One of the two players, known at compile time.
pub(super) trait Side {
    /// The opponent.
    type Them: Side<Them = Self>;
    /// The player as a value.
    const COLOR: Color;
    /// How far the index of a square changes when a pawn steps forward.
    const FORWARD: i8 = match Self::COLOR {
        Color::White => 8,
        Color::Black => -8,
    };
    /// The rank that a pawn reaches by its first single step.
    const THIRD_RANK: Bitboard = Bitboard::of_rank(Rank::Third.relative_to(Self::COLOR));
    /// The rank from which pawns are promoted.
    const SEVENTH_RANK: Bitboard = Bitboard::of_rank(Rank::Seventh.relative_to(Self::COLOR));
}

/// White, moving north.
pub(super) enum White {}

/// Black, moving south.
pub(super) enum Black {}

impl Side for White {
    type Them = Black;
    const COLOR: Color = Color::White;
}

impl Side for Black {
    type Them = White;
    const COLOR: Color = Color::Black;
}
