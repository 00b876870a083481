//! Material, piece-square tables and imbalance.
//!
//! The piece-square tables began as those of `PeSTO` (Ronald Friederich, "`PeSTO`'s Evaluation Function", Chess
//! Programming Wiki), made symmetric.

use super::super::feature::{IMBALANCE_OURS, IMBALANCE_THEIRS};
use super::super::trace::Trace;
use chess::{Color, PieceKind, Position};

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

/// The pieces of one kind.
pub fn count_kind(position: &Position, us: Color, kind: PieceKind, trace: &mut impl Trace) {
    for square in position.pieces(us, kind) {
        trace.add_piece(us, kind, square);
    }
}
