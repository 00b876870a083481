//! What is looked for, and how hard.

use serde::Serialize;

use super::stake::Stake;
use uci::ScoreValue;

/// Which positions of the games are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MiningKind {
    /// Those with more men than an endgame has.
    Tactical,
    /// Endgames.
    Endgame,
}

/// What the positions of a suite have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MiningRecipe {
    /// Which positions are looked at.
    pub kind: MiningKind,
    /// The most men of an endgame, kings and pawns included.
    pub endgame_men: usize,
    /// From how many centipawns on a move wins.
    pub winning: i32,
    /// Up to how many centipawns from 0 a move is level.
    pub level: i32,
    /// How far the players' scores have to move around a position, in centipawns, where they are known.
    pub swing: i32,
    /// Nodes of the search that every position gets.
    pub scan_nodes: u64,
    /// Nodes of the searches that have to confirm it one after the other, rising; the last one is the verification.
    pub verify_nodes: Vec<u64>,
}

impl MiningRecipe {
    /// Whether a position with so many men is looked at.
    pub fn wants(&self, men: usize) -> bool {
        match self.kind {
            MiningKind::Tactical => men > self.endgame_men,
            MiningKind::Endgame => men <= self.endgame_men,
        }
    }

    /// What is at stake between two moves with these scores.
    pub fn stake(&self, best: ScoreValue, second: ScoreValue) -> Option<Stake> {
        Stake::between(best, second, self.winning, self.level)
    }
}
