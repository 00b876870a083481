//! The vote of the threads for the move to play.

use std::cmp::Reverse;

use super::Outcome;
use crate::{Depth, Value};

/// Added to each thread's margin over the lowest value, so that the lowest counts, too (as in Stockfish).
const BASE: i64 = 14;

/// The index of the elected outcome. Index 0, the main thread, wins ties.
///
/// Every thread votes for its best move with the weight depth × (value - lowest value + `BASE`) (Stockfish, pull request
/// 1721, "Introduce voting system for best move selection", 2018). The move with the most weight wins. A mate needs no
/// vote: the shortest is played.
pub(super) fn elect(outcomes: &[Outcome]) -> usize {
    let may_vote = |outcome: &&Outcome| outcome.depth > Depth::ZERO && !outcome.line.is_empty();
    let voters = || outcomes.iter().enumerate().filter(|(_, outcome)| may_vote(outcome));
    let Some(worst) = voters().map(|(_, outcome)| outcome.value).min() else { return 0 };
    let weight = |outcome: &Outcome| {
        i64::from(outcome.depth.get()) * (i64::from(outcome.value.get() - worst.get()) + BASE)
    };
    let votes = |outcome: &Outcome| -> i64 {
        let same_move = voters().filter(|(_, other)| other.line[0] == outcome.line[0]);
        same_move.map(|(_, other)| weight(other)).sum()
    };
    let mate = |outcome: &Outcome| (outcome.value > Value::MAX_EVAL).then_some(outcome.value);
    let merit = |outcome: &Outcome| (mate(outcome), votes(outcome), weight(outcome));
    // The lowest index wins ties.
    voters().max_by_key(|(index, outcome)| (merit(outcome), Reverse(*index))).map_or(0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Nodes, Ply};
    use chess::{Move, Square};

    /// The targets of two moves.
    const A: usize = 8;
    const B: usize = 16;

    fn outcome(to: usize, depth: i32, value: Value) -> Outcome {
        let line = [Move::normal(Square::A1, Square::from_index(to))].into_iter().collect();
        Outcome { line, value, depth: Depth::new(depth), sel_depth: Ply::ROOT, nodes: Nodes::default() }
    }

    fn scored(to: usize, depth: i32, centipawns: i32) -> Outcome {
        outcome(to, depth, Value::new(centipawns))
    }

    #[test]
    fn the_main_thread_wins_ties() {
        assert_eq!(elect(&[scored(A, 9, 20)]), 0);
        assert_eq!(elect(&[scored(A, 9, 20), scored(A, 9, 20)]), 0);
        assert_eq!(elect(&[scored(A, 9, 20), scored(B, 9, 20)]), 0);
    }

    #[test]
    fn a_deeper_search_or_a_higher_value_has_more_weight() {
        assert_eq!(elect(&[scored(A, 9, 20), scored(B, 10, 20)]), 1);
        assert_eq!(elect(&[scored(A, 9, 20), scored(B, 9, 25)]), 1);
        assert_eq!(elect(&[scored(A, 9, 20), scored(B, 8, 20)]), 0);
    }

    #[test]
    fn two_that_agree_outvote_a_slightly_better_one() {
        assert_eq!(elect(&[scored(A, 9, 24), scored(B, 9, 20), scored(B, 9, 22)]), 2);
    }

    #[test]
    fn the_shortest_mate_is_played_whatever_the_votes() {
        let mate = |plies| outcome(B, 3, Value::mate_in(Ply::new(plies)));
        assert_eq!(elect(&[scored(A, 20, 900), scored(A, 20, 900), mate(5), mate(3)]), 3);
    }

    #[test]
    fn a_thread_without_a_finished_iteration_has_no_vote() {
        assert_eq!(elect(&[scored(A, 1, 0), scored(B, 0, 900)]), 0);
        assert_eq!(elect(&[scored(A, 0, 0), scored(B, 0, 900)]), 0);
        let nothing = Outcome { line: [].into_iter().collect(), ..scored(A, 1, 900) };
        assert_eq!(elect(&[nothing.clone(), nothing]), 0);
    }
}
