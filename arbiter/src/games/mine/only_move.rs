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
