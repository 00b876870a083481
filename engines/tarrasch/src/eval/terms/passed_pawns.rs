//! Passed pawns and the pieces around them.

use super::super::attack_map::AttackMap;
use super::super::feature::{
    PASSED_CLEAR, PASSED_ENEMY_KING, PASSED_FREE, PASSED_OWN_KING, PASSED_SAFE, ROOK_BEHIND_PASSED,
    UNSTOPPABLE,
};
use super::super::pawn_info::PawnInfo;
use super::super::pawn_sets;
use super::super::trace::Trace;
use chess::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// The passed pawns of `us`.
pub fn count(
    position: &Position,
    us: Color,
    pawns: &PawnInfo,
    ours: &AttackMap,
    theirs: &AttackMap,
    trace: &mut impl Trace,
) {
    let empty = !position.occupied();
    // Attacked and not defended, or attacked twice and not defended twice.
    let unsafe_squares = theirs.all & !ours.all | theirs.twice & !ours.twice;
    for pawn in pawns.passed[us.index()] {
        let rank = pawn.relative_to(us).rank().index();
        let stop = pawn.bitboard().forward(us);
        let way = pawn_sets::in_front(pawn.bitboard(), us);
        if (stop & empty).any() {
            trace.add(us, PASSED_FREE.at(rank), 1);
            if (stop & unsafe_squares).is_empty() {
                trace.add(us, PASSED_SAFE.at(rank), 1);
            }
            if (way & (unsafe_squares | !empty)).is_empty() {
                trace.add(us, PASSED_CLEAR.at(rank), 1);
            }
        }
        count_kings(position, us, stop, rank, trace);
        count_rooks(position, us, pawn, trace);
        if is_unstoppable(position, us, way) {
            trace.add(us, UNSTOPPABLE.at(0), 1);
        }
    }
}

/// The distances of the kings from the square in front of the pawn, weighted by its rank.
fn count_kings(position: &Position, us: Color, stop: Bitboard, rank: usize, trace: &mut impl Trace) {
    let Some(stop) = stop.first() else { return };
    let advance = rank as i32 - 2;
    if advance <= 0 {
        return;
    }
    let distance = |color| usize::from(position.king(color).distance(stop));
    trace.add(us, PASSED_OWN_KING.at(distance(us)), advance);
    trace.add(us, PASSED_ENEMY_KING.at(distance(!us)), advance);
}

/// Rooks behind the pawn, with no piece between.
fn count_rooks(position: &Position, us: Color, pawn: Square, trace: &mut impl Trace) {
    let rooks = position.of_kind(PieceKind::Rook);
    let behind = pawn_sets::in_front(pawn.bitboard(), !us);
    if (rooks & behind).is_empty() {
        return;
    }
    let seen = attacks::of_kind(PieceKind::Rook, pawn, position.occupied()) & behind & rooks;
    trace.add(us, ROOK_BEHIND_PASSED.at(0), (seen & position.colored(us)).count() as i32);
    trace.add(us, ROOK_BEHIND_PASSED.at(1), (seen & position.colored(!us)).count() as i32);
}

/// Whether the way is free and the enemy has only king and pawns, with the king outside the square of the pawn.
fn is_unstoppable(position: &Position, us: Color, way: Bitboard) -> bool {
    let pieces = position.colored(!us) & !position.of_kind(PieceKind::Pawn);
    if pieces.more_than_one() || (way & position.occupied()).any() {
        return false;
    }
    let Some(goal) = (way & Bitboard::back_rank(!us)).first() else { return false };
    // At most five steps, because the first may be a double one. The king gains a step with the move.
    let steps = way.count().min(5) as u8;
    let their_turn = u8::from(position.side_to_move() != us);
    position.king(!us).distance(goal) > steps + their_turn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_is_unstoppable_when_the_king_is_outside_its_square() {
        let found = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            let pawns = position.pieces(Color::White, PieceKind::Pawn);
            is_unstoppable(&position, Color::White, pawn_sets::in_front(pawns, Color::White))
        };
        assert!(found("8/8/8/P4k2/8/8/8/K7 b - - 0 1"));
        assert!(found("8/8/8/P3k3/8/8/8/K7 w - - 0 1"));
        assert!(!found("8/8/8/P3k3/8/8/8/K7 b - - 0 1"));
        assert!(!found("8/8/8/P2k4/8/8/8/K7 w - - 0 1"));
        assert!(!found("r7/8/8/7P/8/k7/8/K7 w - - 0 1"));
    }
}
