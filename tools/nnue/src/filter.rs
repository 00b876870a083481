//! Which positions a network is trained on.

use serde::{Deserialize, Serialize};

use super::game::{Turn, ply_of};

/// Chooses training positions. By default it excludes positions in check or with a capture or promotion as the best move,
/// because a static evaluation cannot see their consequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// The first ply that is used, counted from the initial position.
    pub min_ply: u32,
    /// Positions with at least this score, in centipawns for either side, are excluded.
    pub max_score: u16,
    /// Whether to keep positions in check.
    pub keeps_checks: bool,
    /// Whether to keep positions whose best move is a capture or promotion.
    pub keeps_tactical: bool,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { min_ply: 16, max_score: 2500, keeps_checks: false, keeps_tactical: false }
    }
}

impl Filter {
    /// Whether a position is used for training.
    pub fn keeps(self, turn: &Turn) -> bool {
        let Turn { position, mv, score } = turn;
        let is_tactical = || position.is_capture(*mv) || mv.promotion().is_some();
        ply_of(position) >= self.min_ply
            && score.unsigned_abs() < self.max_score
            && (self.keeps_checks || !position.is_check())
            && (self.keeps_tactical || !is_tactical())
    }
}
