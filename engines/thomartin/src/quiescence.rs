//! Quiescence (chapter "Quiescence"): after a capture the last word is left to further captures, three in a row at
//! most.

use shakmaty::{Chess, Position};

use super::evaluation::evaluate;
use super::minimax::Minimax;
use super::move_order::sort_captures;
use super::pruning::{DELTA, has_delta};
use super::score::Score;
use super::window::{Window, is_better};

impl Minimax<'_> {
    /// The score of a position once captures are over. The side to move need not capture.
    pub fn quiescence(&mut self, position: &Chess, depth: u32, mut window: Window) -> Score {
        self.count_node();
        let player = position.turn();
        let mut best = evaluate(position.board(), self.phase(), window);
        window.narrow(player, best);
        if depth == 0 || self.is_over() || window.is_closed() || self.is_hopeless(position, best, window) {
            return best;
        }
        let mut captures = position.capture_moves();
        sort_captures(&mut captures);
        for mv in captures {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let score = self.quiescence(&next, depth - 1, window);
            if self.is_over() {
                break;
            }
            if is_better(player, score, best) {
                best = score;
                window.narrow(player, best);
                if window.is_closed() {
                    break;
                }
            }
        }
        best
    }

    /// Delta pruning: even the largest gain would not be enough.
    fn is_hopeless(&self, position: &Chess, score: Score, window: Window) -> bool {
        let falls_short = position.turn().fold_wb(score + DELTA < window.alpha, score - DELTA > window.beta);
        has_delta(self.phase()) && falls_short
    }
}
