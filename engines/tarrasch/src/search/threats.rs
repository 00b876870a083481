//! The opponent's attacks: a quiet move out of the attack of a lesser piece is searched earlier, one into it later.

use super::params;
use chess::{Bitboard, Move, PieceKind, Position, attacks};

/// The squares that the side not to move attacks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats {
    /// With any piece.
    pub all: Bitboard,
    by_pawns: Bitboard,
    /// With pawns and minor pieces.
    by_minors: Bitboard,
    /// With pawns, minor pieces and rooks.
    by_rooks: Bitboard,
}

impl Threats {
    pub fn new(position: &Position) -> Threats {
        let (them, occupied) = (!position.side_to_move(), position.occupied());
        let attacked = |kind| {
            let pieces = position.pieces(them, kind).into_iter();
            pieces.fold(Bitboard::EMPTY, |all, square| all | attacks::of_kind(kind, square, occupied))
        };
        let pawns = position.pieces(them, PieceKind::Pawn).forward(them);
        let by_pawns = pawns.east() | pawns.west();
        let by_minors = by_pawns | attacked(PieceKind::Knight) | attacked(PieceKind::Bishop);
        let by_rooks = by_minors | attacked(PieceKind::Rook);
        let all = by_rooks | attacked(PieceKind::Queen) | attacks::king(position.king(them));
        Threats { all, by_pawns, by_minors, by_rooks }
    }

    /// These threats without the attacks by kind of piece, which give no move a bonus.
    pub fn without_kinds(self) -> Threats {
        Threats { all: self.all, ..Threats::default() }
    }

    /// These threats without `all`, for a butterfly history that does not depend on attacks.
    pub fn without_all(self) -> Threats {
        Threats { all: Bitboard::EMPTY, ..self }
    }

    /// The bonus of a quiet move that leaves the attack of lesser pieces; negative for one that enters it.
    pub fn bonus(&self, position: &Position, mv: Move) -> i32 {
        let (by_lesser, worth) = match position.kind_on(mv.from()) {
            Some(PieceKind::Queen) => (self.by_rooks, params::queen_in_danger()),
            Some(PieceKind::Rook) => (self.by_minors, params::rook_in_danger()),
            Some(PieceKind::Bishop | PieceKind::Knight) => (self.by_pawns, params::minor_in_danger()),
            _ => return 0,
        };
        worth * (i32::from(by_lesser.has(mv.from())) - i32::from(by_lesser.has(mv.to())))
    }
}
