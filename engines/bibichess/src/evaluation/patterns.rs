//! Pieces in each other's way (§3.2.2): a rook that its own king shuts in, a bishop that a pawn traps on a7 or h7.

use chess::{Bitboard, Color, File, PieceKind, Position, Rank, Square};

use super::Tapered;

/// A rook behind three pawns at home with its king beside it.
const SHUT_IN_ROOK: Tapered = Tapered::new(-50, 0);
/// A bishop on the seventh rank at the edge, with an enemy pawn in its way back.
const TRAPPED_BISHOP: Tapered = Tapered::always(-120);

/// A wing of the board, from the edge inwards: three files of pawns, two where the rook is shut in.
struct Wing {
    files: [File; 3],
}

const WINGS: [Wing; 2] =
    [Wing { files: [File::A, File::B, File::C] }, Wing { files: [File::H, File::G, File::F] }];

/// What one side gets, or loses, for such patterns.
pub fn of(position: &Position, side: Color) -> Tapered {
    let mut sum = Tapered::ZERO;
    for wing in &WINGS {
        if wing.has_shut_in_rook(position, side) {
            sum += SHUT_IN_ROOK;
        }
        if wing.has_trapped_bishop(position, side) {
            sum += TRAPPED_BISHOP;
        }
    }
    sum
}

impl Wing {
    fn has_shut_in_rook(&self, position: &Position, side: Color) -> bool {
        let [edge, second, third] = self.files;
        let at = |file, rank: Rank| Square::new(file, rank.relative_to(side)).bitboard();
        let home = |file| at(file, Rank::First);
        let pawns: Bitboard =
            self.files.map(|file| Square::new(file, Rank::Second.relative_to(side))).into_iter().collect();
        let king = position.pieces(side, PieceKind::King);
        let rook = position.pieces(side, PieceKind::Rook);
        let is_behind_king = ((home(third) & king).any() && (rook & (home(edge) | home(second))).any())
            || ((home(second) & king).any() && (rook & home(edge)).any());
        is_behind_king && (pawns & !position.pieces(side, PieceKind::Pawn)).is_empty()
    }

    fn has_trapped_bishop(&self, position: &Position, side: Color) -> bool {
        let [edge, second, _] = self.files;
        let bishop = Square::new(edge, Rank::Seventh.relative_to(side));
        let pawn = Square::new(second, Rank::Sixth.relative_to(side));
        position.pieces(side, PieceKind::Bishop).has(bishop)
            && position.pieces(!side, PieceKind::Pawn).has(pawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn white(fen: &str) -> Tapered {
        of(&Position::from_fen(fen).unwrap(), Color::White)
    }

    #[test]
    fn a_rook_in_the_corner_behind_king_and_pawns_is_shut_in() {
        assert_eq!(white("4k3/8/8/8/8/8/5PPP/5K1R w - - 0 1"), SHUT_IN_ROOK);
        assert_eq!(white("4k3/8/8/8/8/8/PPP5/R1K5 w - - 0 1"), SHUT_IN_ROOK);
        assert_eq!(white("4k3/8/8/8/8/7P/5PP1/5K1R w - - 0 1"), Tapered::ZERO, "it gets out by h2");
        assert_eq!(white("4k3/8/8/8/8/8/5PPP/5RK1 w - - 0 1"), Tapered::ZERO, "castled");
    }

    #[test]
    fn a_bishop_behind_a_pawn_on_the_edge_is_trapped() {
        assert_eq!(white("4k3/5p1B/6p1/8/8/8/8/4K3 w - - 0 1"), TRAPPED_BISHOP);
        assert_eq!(white("4k3/B7/1p6/8/8/8/8/4K3 w - - 0 1"), TRAPPED_BISHOP);
        assert_eq!(white("4k3/7B/8/6p1/8/8/8/4K3 w - - 0 1"), Tapered::ZERO);
    }
}
