//! Which positions a suite is to have.

use serde::Serialize;
use uci::ScoreValue;

use super::only_move::OnlyMove;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MiningKind {
    /// Positions with more pieces than an endgame.
    Tactical,
    Endgame,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MiningRecipe {
    pub kind: MiningKind,
    /// Most pieces of an endgame, kings and pawns included.
    pub endgame_pieces: usize,
    /// Smallest score of a winning move, in centipawns.
    pub winning: i32,
    /// Largest distance from 0 of an equal score, in centipawns.
    pub equal: i32,
    /// Smallest change of the players' scores around a position, in centipawns, where the scores are known.
    pub swing: i32,
    /// Nodes of the first search of every position.
    pub scan_nodes: u64,
    /// Nodes of the searches that must confirm the result, ascending.
    pub verify_nodes: Vec<u64>,
}

impl MiningRecipe {
    /// Whether a position with this number of pieces is of the kind.
    pub fn wants(&self, pieces: usize) -> bool {
        match self.kind {
            MiningKind::Tactical => pieces > self.endgame_pieces,
            MiningKind::Endgame => pieces <= self.endgame_pieces,
        }
    }

    /// What the best move alone achieves, given the scores of the best two moves.
    pub fn only_move(&self, best: ScoreValue, second: ScoreValue) -> Option<OnlyMove> {
        OnlyMove::between(best, second, self.winning, self.equal)
    }
}
