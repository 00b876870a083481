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

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    #[test]
    fn a_piece_flees_from_lesser_ones_only() {
        let position = Position::from_fen("4k3/8/2p5/5b2/8/3R4/8/1N2K1Q1 w - - 0 1").unwrap();
        let threats = Threats::new(&position);
        let bonus = |mv: &str| threats.bonus(&position, position.parse_uci(mv).unwrap());
        assert_eq!(bonus("d3e3"), params::rook_in_danger(), "out of the bishop's reach");
        assert_eq!(bonus("d3c3"), params::rook_in_danger());
        assert_eq!(bonus("d3d5"), 0, "from the bishop's reach into the pawn's");
        assert_eq!(bonus("g1g4"), -params::queen_in_danger());
        assert_eq!(bonus("b1c3"), 0);
        assert_eq!(threats.without_kinds().bonus(&position, position.parse_uci("g1g4").unwrap()), 0);
    }

    #[test]
    fn a_square_is_attacked_if_a_piece_attacks_it() {
        for fen in [
            Position::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let enemies = position.colored(!position.side_to_move());
            let is_attacked =
                |&square: &Square| (position.attackers_to(square, position.occupied()) & enemies).any();
            let threats = Threats::new(&position);
            assert_eq!(threats.all, Square::all().filter(is_attacked).collect(), "{fen}");
            assert!(threats.without_all().all.is_empty());
        }
    }
}
