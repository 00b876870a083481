//! Which thread's move is played.

use std::cmp::Reverse;

use super::Outcome;
use crate::{Depth, Value};

/// Added to each thread's margin, so that the one with the lowest value has a say too (Stockfish's figure).
const BASE: i64 = 14;

/// The index of the outcome to answer with. The first is the main thread's; it is chosen where nothing speaks for
/// another.
///
/// Every thread votes for its best move, with a weight that grows with its depth and with its value over that of the
/// most pessimistic thread (Stockfish, pull request 1721, "Introduce voting system for best move selection", 2018). A
/// deeper search or a better value alone would follow one thread's mistake; a vote asks how many threads share it. With
/// two threads that disagree the heavier one decides. A mate, being proved, needs no vote: the shortest is played.
pub(super) fn elect(outcomes: &[Outcome]) -> usize {
    let has_say = |outcome: &&Outcome| outcome.depth > Depth::ZERO && !outcome.line.is_empty();
    let voters = || outcomes.iter().enumerate().filter(|(_, outcome)| has_say(outcome));
    let Some(worst) = voters().map(|(_, outcome)| outcome.value).min() else { return 0 };
    let weight = |outcome: &Outcome| {
        i64::from(outcome.depth.get()) * (i64::from(outcome.value.get() - worst.get()) + BASE)
    };
    let votes = |outcome: &Outcome| -> i64 {
        let likeminded = voters().filter(|(_, other)| other.line[0] == outcome.line[0]);
        likeminded.map(|(_, other)| weight(other)).sum()
    };
    let mate = |outcome: &Outcome| (outcome.value > Value::MAX_EVAL).then_some(outcome.value);
    let merit = |outcome: &Outcome| (mate(outcome), votes(outcome), weight(outcome));
    // Of equals the first.
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
        Outcome { line, value, depth: Depth::new(depth), deepest: Ply::ROOT, nodes: Nodes::default() }
    }

    fn scored(to: usize, depth: i32, centipawns: i32) -> Outcome {
        outcome(to, depth, Value::new(centipawns))
    }

    #[test]
    fn the_main_thread_answers_where_nothing_speaks_for_another() {
        assert_eq!(elect(&[scored(A, 9, 20)]), 0);
        assert_eq!(elect(&[scored(A, 9, 20), scored(A, 9, 20)]), 0);
        assert_eq!(elect(&[scored(A, 9, 20), scored(B, 9, 20)]), 0);
    }

    #[test]
    fn a_deeper_or_a_better_search_counts_for_more() {
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
    fn who_finished_no_iteration_has_no_say() {
        assert_eq!(elect(&[scored(A, 1, 0), scored(B, 0, 900)]), 0);
        assert_eq!(elect(&[scored(A, 0, 0), scored(B, 0, 900)]), 0);
        let nothing = Outcome { line: [].into_iter().collect(), ..scored(A, 1, 900) };
        assert_eq!(elect(&[nothing.clone(), nothing]), 0);
    }
}
