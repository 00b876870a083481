//! What pieces are worth by themselves, and what their squares add.
//!
//! The tables began as those of `PeSTO` (Ronald Friederich, "`PeSTO`'s Evaluation Function", Chess Programming Wiki),
//! each square with the mean of itself and its mirror image, so that a mirrored position is worth the same.

use super::super::tally::Tally;
use crate::chess::{Color, PieceKind, Position};

/// The pieces of `us`, pawns aside, which belong to what the pawns say.
pub fn count(position: &Position, us: Color, tally: &mut impl Tally) {
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen, PieceKind::King] {
        count_kind(position, us, kind, tally);
    }
}

/// The pieces of one kind.
pub fn count_kind(position: &Position, us: Color, kind: PieceKind, tally: &mut impl Tally) {
    for square in position.pieces(us, kind) {
        tally.add_piece(us, kind, square);
    }
}
