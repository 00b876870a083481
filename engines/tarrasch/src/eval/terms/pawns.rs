//! Pawn structure.

use super::super::feature::{
    BACKWARD, CANDIDATE, DEFENDED, DOUBLED, ISLAND, ISOLATED, OPPOSED_PHALANX, PASSED, PASSED_BESIDE,
    PASSED_DEFENDED, PHALANX,
};
use super::super::pawn_info::PawnInfo;
use super::super::pawn_sets;
use super::super::trace::Trace;
use super::material;
use chess::{Bitboard, Color, PieceKind, Position, Rank, Square};

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

/// The number of pawn islands.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(fen: &str) -> (Position, Bitboard, Bitboard) {
        let position = Position::from_fen(fen).unwrap();
        let [ours, theirs] = Color::ALL.map(|color| position.pieces(color, PieceKind::Pawn));
        (position, ours, theirs)
    }

    #[test]
    fn weak_pawns_are_doubled_isolated_or_backward() {
        let weak = |fen: &str| {
            let (_, ours, theirs) = sides(fen);
            let us = Color::White;
            [doubled(ours, us), isolated(ours), backward(ours, theirs, us)].map(Bitboard::count)
        };
        assert_eq!(weak("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1"), [0, 0, 0]);
        assert_eq!(weak("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1"), [1, 2, 0]);
        assert_eq!(weak("4k3/8/8/8/8/8/P1P5/4K3 w - - 0 1"), [0, 2, 0]);
        // d3 cannot reach d4, which c5 attacks, with the help of the pawn on e4.
        assert_eq!(weak("4k3/8/8/2p5/4P3/3P4/8/4K3 w - - 0 1"), [0, 0, 1]);
    }

    #[test]
    fn a_candidate_has_as_many_helpers_as_sentries() {
        let found = |fen: &str| {
            let (position, ours, theirs) = sides(fen);
            candidates(ours, theirs, Color::White, pawn_sets::passed(&position, Color::White)).count()
        };
        assert_eq!(found("4k3/1p6/8/8/8/8/PP6/4K3 w - - 0 1"), 1);
        assert_eq!(found("4k3/1p6/8/8/8/8/P7/4K3 w - - 0 1"), 0);
    }
}
