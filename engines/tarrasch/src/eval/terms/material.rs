//! What pieces are worth by themselves, and what their squares add.
//!
//! The tables began as those of `PeSTO` (Ronald Friederich, "`PeSTO`'s Evaluation Function", Chess Programming Wiki),
//! each square with the mean of itself and its mirror image, so that a mirrored position is worth the same.

use super::super::feature::{AGAINST_ENEMY, WITH_OWN};
use super::super::trace::Trace;
use chess::{Color, PieceKind, Position};

/// Those that can be more or fewer.
const KINDS: [PieceKind; 5] =
    [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// The pieces of `us`, pawns aside, which belong to what the pawns say.
pub fn count(position: &Position, us: Color, trace: &mut impl Trace) {
    for kind in [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen, PieceKind::King] {
        count_kind(position, us, kind, trace);
    }
    count_pairs(position, us, trace);
}

/// What pieces are worth beside each other and against others, which their values alone do not say: two rooks do part
/// of each other's work, and a queen is worth less against many light pieces (Larry Kaufman, "The evaluation of
/// material imbalances", 1999; as a polynomial by Tord Romstad in Stockfish).
fn count_pairs(position: &Position, us: Color, trace: &mut impl Trace) {
    let of = |color| KINDS.map(|kind| position.pieces(color, kind).count() as i32);
    let (ours, theirs) = (of(us), of(!us));
    let (mut with_own, mut against_enemy) = (0, 0);
    for kind in 0..KINDS.len() {
        for other in 0..=kind {
            trace.add(us, WITH_OWN.at(with_own), ours[kind] * ours[other]);
            with_own += 1;
            if other < kind {
                trace.add(us, AGAINST_ENEMY.at(against_enemy), ours[kind] * theirs[other]);
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
