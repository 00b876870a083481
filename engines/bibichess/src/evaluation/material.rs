//! The pieces on the board (§1.1.2): p = 1, N = B = 3, R = 5, Q = 9.

use chess::{Color, PieceKind, Position};

use super::Tapered;

/// What a piece is worth, in hundredths of a pawn. The king, which is never exchanged, is worth more than all else.
pub const fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Knight | PieceKind::Bishop => 300,
        PieceKind::Rook => 500,
        PieceKind::Queen => 900,
        PieceKind::King => 10_000,
    }
}

/// The worth of all pieces of one side.
pub fn of(position: &Position, side: Color) -> Tapered {
    let kinds = PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King);
    Tapered::always(kinds.map(|kind| worth(kind) * position.pieces(side, kind).count() as i32).sum())
}
