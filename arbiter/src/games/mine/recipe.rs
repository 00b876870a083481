//! Which positions to find, and with how many nodes.

use std::collections::HashSet;

use serde::Serialize;

use super::mined_position::MinedPosition;
use super::miner::MinedGame;
use super::mining_log::{MiningTally, Rejection};
use super::only_move::OnlyMove;
use uci::ScoreValue;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MiningKind {
    /// Positions with more pieces than an endgame.
    Tactical,
    Endgame,
}

/// The conditions for the positions of a suite.
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

/// The positions found so far, each once, up to a limit.
#[derive(Clone, Debug)]
pub struct MinedSuite {
    limit: usize,
    positions: Vec<MinedPosition>,
    boards: HashSet<String>,
    tally: MiningTally,
}

impl MinedSuite {
    /// An empty suite for at most `limit` positions.
    pub fn new(limit: usize) -> MinedSuite {
        MinedSuite { limit, positions: Vec::new(), boards: HashSet::new(), tally: MiningTally::default() }
    }

    /// Adds the positions of the next game. Games must come in the order of their source, so that the suite does not
    /// depend on which game was finished first.
    pub fn add(&mut self, game: MinedGame) {
        self.tally.add(&game.tally);
        for position in game.positions {
            if self.is_full() {
                return;
            }
            if self.boards.insert(position.board.clone()) {
                self.positions.push(position);
            } else {
                self.tally.reject(Rejection::Duplicate);
            }
        }
    }

    /// Whether the limit is reached.
    pub fn is_full(&self) -> bool {
        self.positions.len() >= self.limit
    }

    /// The positions in the order in which they were found.
    pub fn positions(&self) -> &[MinedPosition] {
        &self.positions
    }

    /// The counts over all games.
    pub fn tally(&self) -> &MiningTally {
        &self.tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(boards: &[&str]) -> MinedGame {
        let position = |board: &&str| MinedPosition {
            board: (*board).to_owned(),
            solution: "e4".to_owned(),
            source: String::new(),
            achieves: "wins".to_owned(),
            solution_depth: 2,
            verification: String::new(),
        };
        let tally = MiningTally { positions: 10, ..MiningTally::default() };
        MinedGame { positions: boards.iter().map(position).collect(), tally }
    }

    #[test]
    fn a_position_of_two_games_counts_once() {
        let mut suite = MinedSuite::new(10);
        suite.add(game(&["a", "b"]));
        suite.add(game(&["b", "c"]));
        let boards: Vec<&str> = suite.positions().iter().map(|position| position.board.as_str()).collect();
        assert_eq!(boards, ["a", "b", "c"]);
        assert_eq!(suite.tally().rejected[&Rejection::Duplicate], 1);
        assert_eq!(suite.tally().positions, 20);
    }

    #[test]
    fn a_full_suite_takes_no_more() {
        let mut suite = MinedSuite::new(2);
        suite.add(game(&["a"]));
        assert!(!suite.is_full());
        suite.add(game(&["b", "c"]));
        assert!(suite.is_full());
        assert_eq!(suite.positions().len(), 2);
    }
}
