//! Pawns that no enemy pawn can stop, and those that may become so.

use super::{Score, pawn_sets};
use crate::chess::{Bitboard, Color, PieceKind, Position, Square};

/// By rank as the owner counts. The piece-square tables already reward far advanced pawns.
const PASSED: [Score; 8] = [
    Score::ZERO,
    Score::new(0, 6),
    Score::new(2, 10),
    Score::new(6, 22),
    Score::new(18, 42),
    Score::new(40, 66),
    Score::new(55, 80),
    Score::ZERO,
];
/// A candidate gets this part of what it would get as a passed pawn.
const CANDIDATE_DIVISOR: i32 = 3;
/// For each rank beyond the third, when the square in front is free.
const FREE_TO_ADVANCE: Score = Score::new(2, 6);
/// For each rank beyond the third, when another pawn defends it.
const SUPPORTED: Score = Score::new(3, 4);
/// For each rank beyond the third and each step by which the enemy king is further from the square in front.
const ENEMY_KING_DISTANCE: Score = Score::new(0, 4);
/// The same for our own king.
const OWN_KING_DISTANCE: Score = Score::new(0, -2);

/// Passed pawns and candidates of `us`.
pub fn score(position: &Position, us: Color) -> Score {
    let passed = pawn_sets::passed(position, us);
    let of_passed: Score = passed.into_iter().map(|square| passed_score(position, us, square)).sum();
    let of_candidates: Score =
        candidates(position, us, passed).into_iter().map(|s| candidate_score(us, s)).sum();
    of_passed + of_candidates
}

fn passed_score(position: &Position, us: Color, square: Square) -> Score {
    let rank = square.relative_to(us).rank().index();
    let advance = rank.saturating_sub(2) as i32;
    let Some(stop) = square.bitboard().forward(us).first() else { return Score::ZERO };
    let distance = |king: Square| i32::from(king.distance(stop).min(5));
    let mut score = PASSED[rank]
        + ENEMY_KING_DISTANCE * (advance * distance(position.king(!us)))
        + OWN_KING_DISTANCE * (advance * distance(position.king(us)));
    if !position.occupied().has(stop) {
        score += FREE_TO_ADVANCE * advance;
    }
    if pawn_sets::attacks(position.pieces(us, PieceKind::Pawn), us).has(square) {
        score += SUPPORTED * advance;
    }
    score
}

fn candidate_score(us: Color, square: Square) -> Score {
    let full = PASSED[square.relative_to(us).rank().index()];
    Score::new(full.mg() / CANDIDATE_DIVISOR, full.eg() / CANDIDATE_DIVISOR)
}

/// Pawns with a free file ahead that have as many helpers on the neighbouring files as there are guards.
fn candidates(position: &Position, us: Color, passed: Bitboard) -> Bitboard {
    let (ours, theirs) = (position.pieces(us, PieceKind::Pawn), position.pieces(!us, PieceKind::Pawn));
    let free_ahead = ours & !pawn_sets::in_front(theirs, !us) & !pawn_sets::in_front(ours, !us) & !passed;
    let has_help = |pawn: &Square| {
        let pawn = pawn.bitboard();
        let guards = theirs & pawn_sets::attack_span(pawn, us);
        let behind = pawn_sets::beside(pawn | pawn_sets::in_front(pawn, !us));
        (ours & behind).count() >= guards.count()
    };
    free_ahead.into_iter().filter(has_help).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_has_as_many_helpers_as_guards() {
        let found = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            candidates(&position, Color::White, pawn_sets::passed(&position, Color::White)).count()
        };
        assert_eq!(found("4k3/1p6/8/8/8/8/PP6/4K3 w - - 0 1"), 1);
        assert_eq!(found("4k3/1p6/8/8/8/8/P7/4K3 w - - 0 1"), 0);
    }

    #[test]
    fn a_passed_pawn_is_worth_more_when_the_enemy_king_is_far() {
        let worth = |fen: &str| score(&Position::from_fen(fen).unwrap(), Color::White).eg();
        assert!(worth("7k/8/8/1P6/8/8/8/4K3 w - - 0 1") > worth("8/8/1k6/1P6/8/8/8/4K3 w - - 0 1"));
    }
}
