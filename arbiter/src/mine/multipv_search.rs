//! A search for the best two moves, depth by depth.

use uci::{Bound, Info, ScoreValue, UciMove};

/// A move and what the engine thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub played: UciMove,
    /// Its score, from the point of view of the side to move.
    pub score: ScoreValue,
}

/// The best two moves at one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestTwo {
    /// The depth in plies.
    pub depth: u32,
    /// The best move.
    pub best: ScoredMove,
    /// The next best.
    pub second: ScoredMove,
}

/// What an engine told while it searched for the best two moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TwoLineSearch {
    /// A line for the best move that still lacks the one for the second.
    pending: Option<(u32, ScoredMove)>,
    /// The depths that were finished, rising.
    depths: Vec<BestTwo>,
    /// The move that was played in the end.
    answer: Option<UciMove>,
}

impl TwoLineSearch {
    /// Takes a line of the search. A pair counts when both lines are of the same depth and exact: engines that are
    /// stopped repeat what they knew, with lines of two depths side by side.
    pub fn hear(&mut self, info: &Info) {
        let (Some(depth), Some(score), Some(&played)) = (info.depth, info.score, info.pv.first()) else {
            return;
        };
        if score.bound != Bound::Exact {
            return;
        }
        let scored = ScoredMove { played, score: score.value };
        match info.multipv.unwrap_or(1) {
            1 => self.pending = Some((depth, scored)),
            2 => {
                if let Some((_, best)) = self.pending.take_if(|(of_best, _)| *of_best == depth) {
                    // A depth that is told again replaces what was known of it.
                    self.depths.retain(|earlier| earlier.depth < depth);
                    self.depths.push(BestTwo { depth, best, second: scored });
                }
            }
            _ => {}
        }
    }

    /// The move that was played.
    pub fn played(&self) -> Option<UciMove> {
        self.answer
    }

    /// Takes the move that was played.
    pub fn answer(&mut self, played: Option<UciMove>) {
        self.answer = played;
    }

    /// The best two moves at the last depth that was finished, if the engine played the first of them.
    pub fn verdict(&self) -> Option<BestTwo> {
        self.depths.last().copied().filter(|last| self.answer == Some(last.best.played))
    }

    /// The depth from which on the last best move was the best without interruption.
    pub fn settled_at(&self) -> Option<u32> {
        let solution = self.depths.last()?.best.played;
        let settled = self.depths.iter().rev().take_while(|depth| depth.best.played == solution);
        settled.last().map(|first| first.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::Message;

    fn search(lines: &[&str]) -> TwoLineSearch {
        let mut search = TwoLineSearch::default();
        for line in lines {
            match line.parse().unwrap() {
                Message::Info(info) => search.hear(&info),
                Message::BestMove(answer) => search.answer(answer.best),
                other => panic!("{other}"),
            }
        }
        search
    }

    #[test]
    fn the_last_finished_depth_is_the_verdict_and_the_solution_settles_where_it_stays() {
        let search = search(&[
            "info depth 1 multipv 1 score cp 10 pv a2a3",
            "info depth 1 multipv 2 score cp 5 pv b2b3",
            "info depth 2 multipv 1 score cp 20 pv c2c3",
            "info depth 2 multipv 2 score cp 5 pv a2a3",
            "info depth 3 multipv 1 score cp 15 pv a2a3",
            "info depth 3 multipv 2 score cp 5 pv c2c3",
            "info depth 4 multipv 1 score mate 3 pv c2c3",
            "info depth 4 multipv 2 score cp 0 pv a2a3",
            "info depth 5 multipv 1 score mate 3 pv c2c3",
            "info depth 5 multipv 2 score cp -7 pv b2b3",
            "bestmove c2c3",
        ]);
        let verdict = search.verdict().unwrap();
        assert_eq!((verdict.depth, verdict.best.score), (5, ScoreValue::Mate(3)));
        assert_eq!(verdict.second.played.as_str(), "b2b3");
        assert_eq!(search.settled_at(), Some(4));
    }

    #[test]
    fn an_unfinished_depth_and_bounds_do_not_count() {
        let lines = [
            "info depth 4 multipv 1 score cp 300 pv c2c3",
            "info depth 4 multipv 2 score cp 0 pv a2a3",
            "info depth 5 multipv 1 score cp 400 lowerbound pv a2a3",
            "info depth 5 multipv 1 score cp 10 pv a2a3",
            "info depth 4 multipv 2 score cp 300 pv c2c3",
            "info depth 6 nodes 7",
        ];
        let stopped = search(&[&lines[..], &["bestmove c2c3"]].concat());
        assert_eq!(stopped.verdict().unwrap().depth, 4);
        assert_eq!(search(&[&lines[..], &["bestmove a2a3"]].concat()).verdict(), None);
        assert_eq!(search(&["bestmove a2a3"]).verdict(), None);
        assert_eq!(search(&lines[..1]).settled_at(), None);
    }

    #[test]
    fn a_depth_that_is_told_again_replaces_the_first_account() {
        let search = search(&[
            "info depth 7 multipv 1 score cp 30 pv a2a3",
            "info depth 7 multipv 2 score cp 20 pv b2b3",
            "info depth 7 multipv 1 score cp 90 pv c2c3",
            "info depth 7 multipv 2 score cp 30 pv a2a3",
            "bestmove c2c3",
        ]);
        assert_eq!(search.verdict().unwrap().best.score, ScoreValue::Centipawns(90));
        assert_eq!(search.settled_at(), Some(7));
    }
}
