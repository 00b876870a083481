//! Endgame scale factors for drawish endgames.

use super::super::{Score, king_pawn_king, pawn_sets};
use chess::{Bitboard, Color, File, PieceKind, Position};

/// The stronger side cannot win.
const DRAWN: i32 = 0;
/// A drawish rook ending.
const DRAWISH_ROOKS: i32 = 32;
/// Bishops of opposite colours without other pieces.
const OPPOSITE_BISHOPS: i32 = 28;
/// Bishops of opposite colours with other pieces.
const OPPOSITE_BISHOPS_AND_MORE: i32 = 50;
/// No pawns, and a lead of at most a minor piece.
const HARDLY_WINNABLE: i32 = 10;

/// The files a and c, and the files f and h.
const ROOK_AND_BISHOP: [Bitboard; 2] =
    [Bitboard::new(0x0505_0505_0505_0505), Bitboard::new(0xA0A0_A0A0_A0A0_A0A0)];

/// The scale of the `stronger` side's endgame score, from 0 to [`Score::FULL_SCALE`].
pub fn scale(position: &Position, stronger: Color) -> i32 {
    let pawns = position.pieces(stronger, PieceKind::Pawn);
    if pawns.is_empty() {
        return without_pawns(position, stronger);
    }
    if is_held_pawn(position, stronger) || has_wrong_rook_pawns(position, stronger) {
        return DRAWN;
    }
    if has_opposite_bishops(position) {
        let has_more = |color| pieces_value(position, color) > piece_value(PieceKind::Bishop);
        let more = Color::ALL.into_iter().any(has_more);
        return if more { OPPOSITE_BISHOPS_AND_MORE } else { OPPOSITE_BISHOPS };
    }
    if has_one_rook_each(position) && is_held_by_rook(position, stronger) {
        return DRAWISH_ROOKS;
    }
    Score::FULL_SCALE
}

/// Whether this is a drawn ending of king and pawn against king.
fn is_held_pawn(position: &Position, stronger: Color) -> bool {
    let pawns = position.of_kind(PieceKind::Pawn);
    let kings = position.of_kind(PieceKind::King);
    let Some(pawn) = pawns.first().filter(|pawn| position.occupied() == kings | pawn.bitboard()) else {
        return false;
    };
    let (king, lone_king) = (position.king(stronger), position.king(!stronger));
    !king_pawn_king::is_won(stronger, position.side_to_move(), king, pawn, lone_king)
}

/// Whether all pawns are on the a-file or all on the h-file, the enemy king is at their promotion corner, and no bishop
/// attacks that corner.
fn has_wrong_rook_pawns(position: &Position, stronger: Color) -> bool {
    let pawns = position.pieces(stronger, PieceKind::Pawn);
    let file = pawn_sets::files(pawns);
    if file != Bitboard::of_file(File::A) && file != Bitboard::of_file(File::H) {
        return false;
    }
    let kings_and_pawns = position.of_kind(PieceKind::King) | position.of_kind(PieceKind::Pawn);
    let bishops = position.pieces(stronger, PieceKind::Bishop);
    let corner = file & Bitboard::back_rank(!stronger);
    let is_right = |bishop: Bitboard| (bishop & Bitboard::DARK).any() == (corner & Bitboard::DARK).any();
    position.occupied() == kings_and_pawns | bishops
        && !bishops.into_iter().any(|bishop| is_right(bishop.bitboard()))
        && corner.first().is_some_and(|corner| position.king(!stronger).distance(corner) <= 1)
}

/// Whether each side has one rook and no other piece.
fn has_one_rook_each(position: &Position) -> bool {
    Color::ALL.iter().all(|&color| {
        let rooks = position.pieces(color, PieceKind::Rook);
        let pieces = position.colored(color) & !position.of_kind(PieceKind::Pawn);
        rooks.count() == 1 && pieces == rooks | position.king(color).bitboard()
    })
}

/// Whether the weaker side has no pawns and its king stands in front of a single pawn, or of pawns on the files of
/// [`ROOK_AND_BISHOP`].
fn is_held_by_rook(position: &Position, stronger: Color) -> bool {
    let [ours, theirs] = [stronger, !stronger].map(|color| position.pieces(color, PieceKind::Pawn));
    let is_hard =
        ours.count() == 1 || (ours.count() == 2 && ROOK_AND_BISHOP.contains(&pawn_sets::files(ours)));
    let way = pawn_sets::in_front(ours | pawn_sets::beside(ours), stronger);
    theirs.is_empty() && is_hard && way.has(position.king(!stronger))
}

fn without_pawns(position: &Position, stronger: Color) -> i32 {
    let (ours, theirs) = (pieces_value(position, stronger), pieces_value(position, !stronger));
    let only_knights =
        ours == piece_value(PieceKind::Knight) * position.pieces(stronger, PieceKind::Knight).count() as i32;
    if ours <= piece_value(PieceKind::Bishop) || (only_knights && ours <= 2 * piece_value(PieceKind::Knight))
    {
        // At most a minor piece or two knights: no forced mate.
        DRAWN
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

/// The piece values of this file, in pawns. The weights of the evaluation would change with each tuning.
fn piece_value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 1,
        PieceKind::Knight | PieceKind::Bishop => 3,
        PieceKind::Rook => 5,
        PieceKind::Queen => 9,
        PieceKind::King => 0,
    }
}

/// The value of a side's pieces without pawns.
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
        assert_eq!(scale_of("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1"), DRAWN);
        assert_eq!(scale_of("4k3/4p3/8/8/8/8/8/2B1K3 w - - 0 1"), DRAWN);
        assert_eq!(scale_of("4kb2/8/8/8/8/8/8/2R1K3 w - - 0 1"), HARDLY_WINNABLE);
        assert_eq!(scale_of("4kb2/4p3/8/8/8/8/4P3/2B1K3 w - - 0 1"), Score::FULL_SCALE);
        assert_eq!(scale_of("2b1k3/4p3/8/8/8/8/4P3/2B1K3 w - - 0 1"), OPPOSITE_BISHOPS);
        assert_eq!(scale_of("2b1k2r/4p3/8/8/8/8/4P3/2B1K2R w - - 0 1"), OPPOSITE_BISHOPS_AND_MORE);
    }

    #[test]
    fn drawn_pawn_endings_are_scaled_to_zero() {
        assert_eq!(scale_of("4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"), DRAWN);
        assert_eq!(scale_of("8/8/8/1k6/8/4K3/4P3/8 w - - 0 1"), Score::FULL_SCALE);
        assert_eq!(scale_of("1k6/8/1K6/P7/P7/8/8/8 w - - 0 1"), DRAWN);
        assert_eq!(scale_of("1k6/8/1K6/P7/8/8/2B5/8 w - - 0 1"), Score::FULL_SCALE);
        assert_eq!(scale_of("1k6/8/1K6/P7/8/8/3B4/8 w - - 0 1"), DRAWN);
        assert_eq!(scale_of("6k1/8/6K1/7P/8/8/2B5/8 w - - 0 1"), DRAWN);
    }

    #[test]
    fn rook_endings_with_the_king_in_front_of_the_pawns_are_drawish() {
        for fen in ["4k3/8/8/4P3/8/8/r7/3RK3 w - - 0 1", "6k1/8/8/5P1P/8/8/r7/3RK3 w - - 0 1"] {
            assert_eq!(scale_of(fen), DRAWISH_ROOKS, "{fen}");
        }
        for fen in [
            "4k3/p7/8/4P3/8/8/r7/3RK3 w - - 0 1",
            "1k6/8/8/4P3/8/8/r7/3RK3 w - - 0 1",
            "6k1/8/8/5PP1/8/8/r7/3RK3 w - - 0 1",
            "4k3/8/8/4P3/8/8/r7/3RKN2 w - - 0 1",
        ] {
            assert_eq!(scale_of(fen), Score::FULL_SCALE, "{fen}");
        }
    }

    #[test]
    fn won_endings_without_pawns_count_in_full() {
        for fen in ["4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1"] {
            assert_eq!(scale_of(fen), Score::FULL_SCALE, "{fen}");
        }
    }
}
