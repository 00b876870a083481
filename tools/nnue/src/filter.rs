//! Which positions a network is trained on.

use serde::{Deserialize, Serialize};

use super::game::{Turn, ply_of};

/// What a position must be like. A static evaluation cannot see what a capture, a promotion or a check is about to
/// change, so positions with one of these are left out by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// The first ply that counts, from the initial position.
    pub min_ply: u32,
    /// The score in centipawns, for either side, from which positions are left out.
    pub max_score: u16,
    /// Whether positions in check are kept.
    pub keeps_checks: bool,
    /// Whether positions are kept whose best move captures or promotes.
    pub keeps_tactical: bool,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { min_ply: 16, max_score: 2500, keeps_checks: false, keeps_tactical: false }
    }
}

impl Filter {
    /// Whether a position is for training.
    pub fn keeps(self, turn: &Turn) -> bool {
        let Turn { position, mv, score } = turn;
        let is_tactical = || position.is_capture(*mv) || mv.promotion().is_some();
        ply_of(position) >= self.min_ply
            && score.unsigned_abs() < self.max_score
            && (self.keeps_checks || !position.is_check())
            && (self.keeps_tactical || !is_tactical())
    }
}
