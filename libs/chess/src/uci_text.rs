//! Moves as UCI writes them.

use super::{CastlingSide, Move, MoveList, PieceKind, Position, Square};

impl Move {
    /// The move as UCI text. Castling is the king taking its rook in Chess960 (`e1h1`), and the king's own step
    /// otherwise (`e1g1`).
    pub fn to_uci(self, chess960: bool) -> String {
        if self.is_castling() && !chess960 {
            let side = CastlingSide::of(self.from(), self.to());
            return Move::normal(self.from(), Square::new(side.king_file(), self.from().rank())).to_string();
        }
        self.to_string()
    }
}

impl Position {
    /// The legal move that a UCI text means here, or `None` if it means none.
    ///
    /// Castling is accepted both as the king taking its rook and as the king going two or more squares to the c- or
    /// g-file, in any variant. If the king can also step to that square, as from f1 to g1 in Chess960, it is the step.
    pub fn parse_uci(&self, text: &str) -> Option<Move> {
        let (from, to): (Square, Square) = (text.get(0..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?);
        let promotion = match text.get(4..)? {
            "" => None,
            letter => Some(PieceKind::ALL.into_iter().find(|kind| letter == kind.letter().to_string())?),
        };
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        let named = |m: &&Move| m.from() == from && m.to() == to && m.promotion() == promotion;
        let castles = |m: &&Move| {
            let side = CastlingSide::of(m.from(), m.to());
            m.is_castling() && m.from() == from && to == Square::new(side.king_file(), from.rank())
        };
        let found = moves.iter().find(named);
        if promotion.is_some() {
            found.copied()
        } else {
            found.or_else(|| moves.iter().find(castles)).copied()
        }
    }
}
