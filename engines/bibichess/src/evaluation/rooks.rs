//! Rooks on open files and on the seventh rank (§3.2.2).

use chess::{Bitboard, Color, PieceKind, Position, Rank};

use super::Tapered;

/// A file without pawns. It is little, because the rook is mobile there as well.
const OPEN_FILE: Tapered = Tapered::new(12, 6);
/// The rank of the enemy pawns.
const SEVENTH_RANK: Tapered = Tapered::new(16, 20);

/// What one side gets for where its rooks stand.
pub fn of(position: &Position, side: Color) -> Tapered {
    let seventh = Rank::Seventh.relative_to(side);
    let mut sum = Tapered::ZERO;
    for rook in position.pieces(side, PieceKind::Rook) {
        if (Bitboard::of_file(rook.file()) & position.of_kind(PieceKind::Pawn)).is_empty() {
            sum += OPEN_FILE;
        }
        if rook.rank() == seventh {
            sum += SEVENTH_RANK;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rook_likes_open_files_and_the_seventh_rank() {
        let white = |fen| of(&Position::from_fen(fen).unwrap(), Color::White);
        assert_eq!(white("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1"), Tapered::ZERO);
        assert_eq!(white("4k3/p7/8/8/8/8/8/1R2K3 w - - 0 1"), OPEN_FILE);
        assert_eq!(white("4k3/pR6/8/8/8/8/8/4K3 w - - 0 1"), OPEN_FILE + SEVENTH_RANK);
    }
}
