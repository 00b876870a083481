//! Pawn structure, and passed pawns with the pieces around them.

use super::super::feature::{
    BACKWARD, CANDIDATE, DEFENDED, DOUBLED, ISLAND, ISOLATED, OPPOSED_PHALANX, PASSED, PASSED_BESIDE,
    PASSED_CLEAR, PASSED_DEFENDED, PASSED_ENEMY_KING, PASSED_FREE, PASSED_OWN_KING, PASSED_SAFE, PHALANX,
    ROOK_BEHIND_PASSED, UNSTOPPABLE,
};
use super::super::pawn_sets::{self, PawnInfo};
use super::super::trace::Trace;
use super::{AttackMap, material};
use chess::{Bitboard, Color, PieceKind, Position, Rank, Square, attacks};

/// All features of the pawns of `us` that depend only on pawns.
pub fn count(position: &Position, us: Color, pawns: &PawnInfo, trace: &mut impl Trace) {
    material::count_kind(position, us, PieceKind::Pawn, trace);
    let (ours, theirs) = (position.pieces(us, PieceKind::Pawn), position.pieces(!us, PieceKind::Pawn));
    trace.add(us, DOUBLED.at(0), doubled(ours, us).count() as i32);
    let opposed = pawn_sets::in_front(theirs, !us);
    let isolated = isolated(ours);
    let backward = backward(ours, theirs, us);
    for (group, weak) in [(ISOLATED, isolated), (BACKWARD, backward)] {
        trace.add(us, group.at(0), (weak & opposed).count() as i32);
        trace.add(us, group.at(1), (weak & !opposed).count() as i32);
    }
    trace.add(us, ISLAND.at(0), islands(ours));
    let phalanx = ours & pawn_sets::beside(ours);
    let defended = ours & pawns.attacks[us.index()];
    let passed = pawns.passed[us.index()];
    let by_rank = [
        (PHALANX, phalanx),
        (DEFENDED, defended),
        (CANDIDATE, candidates(ours, theirs, us, passed)),
        (PASSED, passed),
        (PASSED_DEFENDED, passed & defended),
        (PASSED_BESIDE, passed & pawn_sets::beside(passed)),
        (OPPOSED_PHALANX, phalanx & opposed),
    ];
    for (group, set) in by_rank {
        for square in set {
            trace.add(us, group.at(square.relative_to(us).rank().index()), 1);
        }
    }
}

fn islands(ours: Bitboard) -> i32 {
    let files = pawn_sets::files(ours) & Bitboard::of_rank(Rank::First);
    (files & !files.east()).count() as i32
}

/// Pawns with an own pawn in front.
fn doubled(ours: Bitboard, us: Color) -> Bitboard {
    ours & pawn_sets::in_front(ours, !us)
}

/// Pawns without own pawns on the neighbouring files.
fn isolated(ours: Bitboard) -> Bitboard {
    ours & !pawn_sets::beside(pawn_sets::files(ours))
}

/// Backward pawns: not isolated, their next square is attacked by an enemy pawn, and no own pawn can ever defend it.
fn backward(ours: Bitboard, theirs: Bitboard, us: Color) -> Bitboard {
    let held_up = pawn_sets::attacks(theirs, !us) & !pawn_sets::attack_span(ours, us);
    ours & held_up.forward(!us) & !isolated(ours)
}

/// Candidate passed pawns: no pawn in front, and at least as many own pawns on the neighbouring files beside or behind as
/// enemy pawns ahead.
fn candidates(ours: Bitboard, theirs: Bitboard, us: Color, passed: Bitboard) -> Bitboard {
    let free_ahead = ours & !pawn_sets::in_front(theirs, !us) & !pawn_sets::in_front(ours, !us) & !passed;
    let has_help = |pawn: &Square| {
        let pawn = pawn.bitboard();
        let sentries = theirs & pawn_sets::attack_span(pawn, us);
        let behind = pawn_sets::beside(pawn | pawn_sets::in_front(pawn, !us));
        (ours & behind).count() >= sentries.count()
    };
    free_ahead.into_iter().filter(has_help).collect()
}

pub fn count_passed(
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
