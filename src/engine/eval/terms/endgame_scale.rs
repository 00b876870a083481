//! Endgames in which an advantage is worth less than it looks.

use super::super::Score;
use crate::chess::{Bitboard, Color, PieceKind, Position};

/// Pure opposite bishops.
const OPPOSITE_BISHOPS: i32 = 28;
/// Opposite bishops with other pieces.
const OPPOSITE_BISHOPS_AND_MORE: i32 = 50;
/// Without pawns, an advantage of at most a minor piece rarely wins.
const HARDLY_WINNABLE: i32 = 10;
/// Two knights, or less, cannot force mate.
const CANNOT_MATE: i32 = 0;

/// How much of its endgame advantage the `stronger` side may count, of [`Score::FULL_SCALE`].
pub fn scale(position: &Position, stronger: Color) -> i32 {
    if position.pieces(stronger, PieceKind::Pawn).is_empty() {
        return without_pawns(position, stronger);
    }
    if has_opposite_bishops(position) {
        let has_more = |color| pieces_value(position, color) > piece_value(PieceKind::Bishop);
        let more = Color::ALL.into_iter().any(has_more);
        return if more { OPPOSITE_BISHOPS_AND_MORE } else { OPPOSITE_BISHOPS };
    }
    Score::FULL_SCALE
}

fn without_pawns(position: &Position, stronger: Color) -> i32 {
    let (ours, theirs) = (pieces_value(position, stronger), pieces_value(position, !stronger));
    let only_knights =
        ours == piece_value(PieceKind::Knight) * position.pieces(stronger, PieceKind::Knight).count() as i32;
    if ours <= piece_value(PieceKind::Bishop) || (only_knights && ours <= 2 * piece_value(PieceKind::Knight))
    {
        CANNOT_MATE
    } else if ours - theirs <= piece_value(PieceKind::Bishop) {
        HARDLY_WINNABLE
    } else {
        Score::FULL_SCALE
    }
}

fn has_opposite_bishops(position: &Position) -> bool {
    let bishops = Color::ALL.map(|color| position.pieces(color, PieceKind::Bishop));
    let is_dark = |bishop: Bitboard| (bishop & Bitboard::DARK).any();
    bishops.iter().all(|bishop| bishop.count() == 1) && is_dark(bishops[0]) != is_dark(bishops[1])
}

/// What a piece is worth here, in pawns; the weights of the evaluation are tuned and would move the cases.
fn piece_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Knight | PieceKind::Bishop => 3,
        PieceKind::Rook => 5,
        PieceKind::Queen => 9,
        PieceKind::King => 0,
    }
}

/// What the pieces of a side are worth, pawns aside.
fn pieces_value(position: &Position, color: Color) -> i32 {
    let kinds = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    kinds.into_iter().map(|kind| piece_value(kind) * position.pieces(color, kind).count() as i32).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale_of(fen: &str) -> i32 {
        scale(&Position::from_fen(fen).unwrap(), Color::White)
    }

    #[test]
    fn endings_that_cannot_be_won_are_scaled_down() {
        assert_eq!(scale_of("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1"), CANNOT_MATE);
        assert_eq!(scale_of("4k3/4p3/8/8/8/8/8/2B1K3 w - - 0 1"), CANNOT_MATE);
        assert_eq!(scale_of("4kb2/8/8/8/8/8/8/2R1K3 w - - 0 1"), HARDLY_WINNABLE);
        assert_eq!(scale_of("4kb2/4p3/8/8/8/8/4P3/2B1K3 w - - 0 1"), Score::FULL_SCALE);
        assert_eq!(scale_of("2b1k3/4p3/8/8/8/8/4P3/2B1K3 w - - 0 1"), OPPOSITE_BISHOPS);
        assert_eq!(scale_of("2b1k2r/4p3/8/8/8/8/4P3/2B1K2R w - - 0 1"), OPPOSITE_BISHOPS_AND_MORE);
    }

    #[test]
    fn won_endings_without_pawns_count_in_full() {
        for fen in ["4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1"] {
            assert_eq!(scale_of(fen), Score::FULL_SCALE, "{fen}");
        }
    }
}
