//! Material, piece-square tables, imbalance, and how well a lead converts into a win.
//!
//! The piece-square tables began as those of `PeSTO` (Ronald Friederich, "`PeSTO`'s Evaluation Function", Chess
//! Programming Wiki), made symmetric.

use super::super::feature::{IMBALANCE_OURS, IMBALANCE_THEIRS, LEAD, LEAD_BOARD, LEAD_KINGS, LEAD_PAWNS};
use super::super::trace::Trace;
use chess::{Bitboard, Color, PieceKind, Position, Rank};

/// All kinds but the king.
const KINDS: [PieceKind; 5] =
    [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// The pieces of `us` without pawns, which [`super::pawns`] counts.
pub fn count(position: &Position, us: Color, trace: &mut impl Trace) {
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen, PieceKind::King] {
        count_kind(position, us, kind, trace);
    }
    count_pairs(position, us, trace);
}

/// Material imbalance as a quadratic polynomial, like Tord Romstad's in Stockfish: two rooks are partly redundant, and a
/// queen is worth less against many minor pieces (Larry Kaufman, "The evaluation of material imbalances", 1999).
fn count_pairs(position: &Position, us: Color, trace: &mut impl Trace) {
    let of = |color| KINDS.map(|kind| position.pieces(color, kind).count() as i32);
    let (ours, theirs) = (of(us), of(!us));
    let (mut with_own, mut against_enemy) = (0, 0);
    for kind in 0..KINDS.len() {
        for other in 0..=kind {
            trace.add(us, IMBALANCE_OURS.at(with_own), ours[kind] * ours[other]);
            with_own += 1;
            if other < kind {
                trace.add(us, IMBALANCE_THEIRS.at(against_enemy), ours[kind] * theirs[other]);
                against_enemy += 1;
            }
        }
    }
}

pub fn count_kind(position: &Position, us: Color, kind: PieceKind, trace: &mut impl Trace) {
    for square in position.pieces(us, kind) {
        trace.add_piece(us, kind, square);
    }
}

/// The files a to d.
const LEFT_WING: Bitboard = Bitboard::new(0x0F0F_0F0F_0F0F_0F0F);

/// Counts the features of the side that leads.
pub fn count_lead(position: &Position, trace: &mut impl Trace) {
    let lead = in_pawns(position, Color::White) - in_pawns(position, Color::Black);
    if lead == 0 {
        return;
    }
    let us = if lead > 0 { Color::White } else { Color::Black };
    let most = LEAD.len;
    trace.add(us, LEAD.at(lead.unsigned_abs().min(most as u32) as usize - 1), 1);
    let pawns = position.pieces(us, PieceKind::Pawn).count() as usize;
    trace.add(us, LEAD_PAWNS.at(pawns), 1);
    count_board(position, us, trace);
    count_kings(position, us, trace);
}

/// The material of a side in pawns: 1, 3, 3, 5, 9.
fn in_pawns(position: &Position, color: Color) -> i32 {
    let worth = |(kind, value)| value * position.pieces(color, kind).count() as i32;
    PieceKind::ALL.into_iter().zip([1, 3, 3, 5, 9]).map(worth).sum()
}

/// The material that helps to win or to draw.
fn count_board(position: &Position, us: Color, trace: &mut impl Trace) {
    let of = |kind| position.of_kind(kind);
    let (pawns, rooks, queens) = (of(PieceKind::Pawn), of(PieceKind::Rook), of(PieceKind::Queen));
    let bishops = of(PieceKind::Bishop);
    let minors = bishops | of(PieceKind::Knight);
    let pieces = minors | rooks | queens;
    let has_one_bishop = |color| position.pieces(color, PieceKind::Bishop).count() == 1;
    let seen = [
        (pawns & LEFT_WING).any() && (pawns & !LEFT_WING).any(),
        pieces.is_empty(),
        queens.is_empty(),
        rooks.is_empty(),
        Color::ALL.into_iter().all(has_one_bishop) && (bishops & Bitboard::DARK).count() == 1,
        pieces.any() && pieces == rooks,
        pieces.any() && pieces == minors,
        pieces.any() && pieces == queens,
    ];
    for (index, is_so) in seen.into_iter().enumerate() {
        trace.add(us, LEAD_BOARD.at(index), is_so.into());
    }
}

/// The king of the leading side, and its distance from the other.
fn count_kings(position: &Position, us: Color, trace: &mut impl Trace) {
    let (ours, theirs) = (position.king(us), position.king(!us));
    let is_beyond_the_middle = ours.relative_to(us).rank() > Rank::Fourth;
    trace.add(us, LEAD_KINGS.at(0), is_beyond_the_middle.into());
    let apart = |ours: usize, theirs: usize| ours.abs_diff(theirs) as i32;
    trace.add(us, LEAD_KINGS.at(1), apart(ours.file().index(), theirs.file().index()));
    trace.add(us, LEAD_KINGS.at(2), apart(ours.rank().index(), theirs.rank().index()));
}
