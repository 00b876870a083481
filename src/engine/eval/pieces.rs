//! Pieces by themselves: material, placement, the bishop pair, rooks on files and ranks.

use super::{Score, pawn_sets, piece_square_tables};
use crate::chess::{Bitboard, Color, PieceKind, Position, Rank};

const BISHOP_PAIR: Score = Score::new(25, 45);
const ROOK_ON_OPEN_FILE: Score = Score::new(28, 10);
const ROOK_ON_HALF_OPEN_FILE: Score = Score::new(12, 8);
const ROOK_ON_SEVENTH: Score = Score::new(8, 18);

/// What the pieces of `us` are worth.
pub fn material(position: &Position, us: Color) -> Score {
    let value = |kind| piece_square_tables::material(kind) * position.pieces(us, kind).count() as i32;
    PieceKind::ALL.into_iter().map(value).sum()
}

/// What the squares of the pieces add.
pub fn placement(position: &Position, us: Color) -> Score {
    let mut score = Score::ZERO;
    for kind in PieceKind::ALL {
        for square in position.pieces(us, kind) {
            score += piece_square_tables::placement(us, kind, square);
        }
    }
    score
}

/// Two bishops that cover both colours of squares.
pub fn bishop_pair(position: &Position, us: Color) -> Score {
    let bishops = position.pieces(us, PieceKind::Bishop);
    let is_pair = (bishops & Bitboard::DARK).any() && (bishops & !Bitboard::DARK).any();
    if is_pair { BISHOP_PAIR } else { Score::ZERO }
}

/// Rooks on files without pawns, or without own pawns; and on the seventh rank, where there are pawns to take or a
/// king to shut in.
pub fn rooks(position: &Position, us: Color) -> Score {
    let rooks = position.pieces(us, PieceKind::Rook);
    if rooks.is_empty() {
        return Score::ZERO;
    }
    let (ours, theirs) = (position.pieces(us, PieceKind::Pawn), position.pieces(!us, PieceKind::Pawn));
    let free_of_ours = rooks & !pawn_sets::files(ours);
    let open = free_of_ours & !pawn_sets::files(theirs);
    let half_open = free_of_ours & !open;
    let seventh = Bitboard::of_rank(Rank::Seventh.relative_to(us));
    let king_on_eighth = position.king(!us).rank() == Rank::Eighth.relative_to(us);
    let on_seventh =
        if king_on_eighth || (theirs & seventh).any() { rooks & seventh } else { Bitboard::EMPTY };
    ROOK_ON_OPEN_FILE * open.count() as i32
        + ROOK_ON_HALF_OPEN_FILE * half_open.count() as i32
        + ROOK_ON_SEVENTH * on_seventh.count() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rooks_of(fen: &str) -> Score {
        rooks(&Position::from_fen(fen).unwrap(), Color::White)
    }

    #[test]
    fn rooks_like_files_without_pawns() {
        assert_eq!(rooks_of("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1"), Score::ZERO);
        assert_eq!(rooks_of("4k3/p7/8/8/8/8/1P6/R3K3 w - - 0 1"), ROOK_ON_HALF_OPEN_FILE);
        assert_eq!(rooks_of("4k3/1p6/8/8/8/8/1P6/R3K3 w - - 0 1"), ROOK_ON_OPEN_FILE);
    }

    #[test]
    fn the_seventh_rank_counts_when_there_is_something_to_attack() {
        assert_eq!(rooks_of("4k3/R7/8/8/8/8/P7/4K3 w - - 0 1"), ROOK_ON_SEVENTH);
        assert_eq!(rooks_of("8/R7/4k3/8/8/8/P7/4K3 w - - 0 1"), Score::ZERO);
    }

    #[test]
    fn two_bishops_of_one_colour_are_no_pair() {
        let pair = |fen: &str| bishop_pair(&Position::from_fen(fen).unwrap(), Color::White);
        assert_eq!(pair("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1"), BISHOP_PAIR);
        assert_eq!(pair("4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1"), Score::ZERO);
    }
}
