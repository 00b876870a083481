//! Only moves: the one move that wins, or the one that does not lose.

use uci::{Bound, Info, ScoreValue, UciMove};

use crate::text::labelled;

labelled! {
    /// What the best move achieves, but no other move.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum OnlyMove {
        /// One move wins; the others are equal or worse.
        Wins = "wins",
        /// One move holds; the others lose.
        Holds = "holds",
    }
}

impl OnlyMove {
    /// What only the best move achieves, given the scores of the two best moves; `None` if both lead to the same
    /// result, or if a score is too close to call.
    ///
    /// A move wins at `winning` centipawns or more, loses at `-winning` or less, and is equal from `-equal` to `equal`.
    /// Scores are for the side to move.
    pub fn between(best: ScoreValue, second: ScoreValue, winning: i32, equal: i32) -> Option<OnlyMove> {
        // A mate counts more than any evaluation.
        let (best, second) = (best.in_centipawns(i32::MAX), second.in_centipawns(i32::MAX));
        if best >= winning && second <= equal {
            Some(OnlyMove::Wins)
        } else if best >= -equal && second <= -winning {
            Some(OnlyMove::Holds)
        } else {
            None
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    pub played: UciMove,
    pub score: ScoreValue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestTwo {
    pub depth: u32,
    pub best: RankedMove,
    pub second: RankedMove,
}

/// The reports of an engine in a search with `MultiPV` 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MultiPvSearch {
    /// The line of the best move until the second best follows.
    pending: Option<(u32, RankedMove)>,
    depths: Vec<BestTwo>,
    pub best_move: Option<UciMove>,
}

impl MultiPvSearch {
    /// Adds a line of the search. A pair of lines counts if both are exact and of the same depth: an engine that stops
    /// may repeat older lines, and so mix depths.
    pub fn add_info(&mut self, info: &Info) {
        let (Some(depth), Some(score), Some(&played)) = (info.depth, info.score, info.pv.first()) else {
            return;
        };
        if score.bound != Bound::Exact {
            return;
        }
        let scored = RankedMove { played, score: score.value };
        match info.multipv.unwrap_or(1) {
            1 => self.pending = Some((depth, scored)),
            2 => {
                if let Some((_, best)) = self.pending.take_if(|(of_best, _)| *of_best == depth) {
                    // A repeated depth replaces the earlier report.
                    self.depths.retain(|earlier| earlier.depth < depth);
                    self.depths.push(BestTwo { depth, best, second: scored });
                }
            }
            _ => {}
        }
    }

    /// The best two moves at the last finished depth, if the first of them is the move of `bestmove`.
    pub fn verdict(&self) -> Option<BestTwo> {
        self.depths.last().copied().filter(|last| self.best_move == Some(last.best.played))
    }

    /// The depth from which on the final best move was the best at every depth.
    pub fn settled_depth(&self) -> Option<u32> {
        let solution = self.depths.last()?.best.played;
        let settled = self.depths.iter().rev().take_while(|depth| depth.best.played == solution);
        settled.last().map(|first| first.depth)
    }
}

#[cfg(test)]
mod tests {
    use ScoreValue::{Centipawns, Mate};
    use uci::Message;

    use super::*;

    #[test]
    fn an_only_move_leads_to_another_result_than_the_second() {
        let only_move = |best, second| OnlyMove::between(best, second, 200, 60);
        assert_eq!(only_move(Centipawns(200), Centipawns(60)), Some(OnlyMove::Wins));
        assert_eq!(only_move(Mate(3), Centipawns(-500)), Some(OnlyMove::Wins));
        assert_eq!(only_move(Centipawns(-60), Centipawns(-200)), Some(OnlyMove::Holds));
        assert_eq!(only_move(Centipawns(100), Mate(-2)), Some(OnlyMove::Holds));
        for (best, second) in [
            (Centipawns(199), Centipawns(0)),
            (Centipawns(300), Centipawns(61)),
            (Mate(2), Centipawns(900)),
            (Centipawns(-61), Centipawns(-900)),
            (Centipawns(-300), Mate(-5)),
            (Mate(-1), Mate(-1)),
        ] {
            assert_eq!(only_move(best, second), None, "{best} {second}");
        }
    }

    fn search(lines: &[&str]) -> MultiPvSearch {
        let mut search = MultiPvSearch::default();
        for line in lines {
            match line.parse().unwrap() {
                Message::Info(info) => search.add_info(&info),
                Message::BestMove(answer) => search.best_move = answer.best,
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
        assert_eq!((verdict.depth, verdict.best.score), (5, Mate(3)));
        assert_eq!(verdict.second.played.as_str(), "b2b3");
        assert_eq!(search.settled_depth(), Some(4));
    }

    #[test]
    fn unfinished_depths_and_bounds_do_not_count_and_a_repeated_report_replaces_the_first() {
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
        assert_eq!(search(&lines[..1]).settled_depth(), None);
        let search = search(&[
            "info depth 7 multipv 1 score cp 30 pv a2a3",
            "info depth 7 multipv 2 score cp 20 pv b2b3",
            "info depth 7 multipv 1 score cp 90 pv c2c3",
            "info depth 7 multipv 2 score cp 30 pv a2a3",
            "bestmove c2c3",
        ]);
        assert_eq!(search.verdict().unwrap().best.score, Centipawns(90));
        assert_eq!(search.settled_depth(), Some(7));
    }
}
