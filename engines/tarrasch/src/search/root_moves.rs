//! The moves at the root and what the iterations found out about them.

use super::principal_variation::Line;
use super::root_ranking::RootRank;
use crate::{Nodes, Value};
use chess::{Move, MoveList, Position};
use std::cmp::Reverse;

/// A move at the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The expected line, which starts with the move.
    pub line: Line,
    /// The value in this iteration; below every value until the move has raised alpha.
    pub value: Value,
    /// The value in the iteration before.
    pub previous: Value,
    /// The nodes spent on it, in all iterations.
    pub nodes: Nodes,
    /// What endgame tables say of it.
    table_rank: Option<RootRank>,
}

impl RootMove {
    /// The value in this iteration, or else what was known before.
    pub fn known_value(&self) -> Value {
        if self.value > -Value::INFINITE { self.value } else { self.previous }
    }

    /// The value to tell when the search found this one: a mate that was found is news, all else the tables know
    /// better.
    pub fn told(&self, found: Value) -> Value {
        self.table_rank.filter(|_| !found.is_mate()).map_or(found, |rank| rank.value)
    }

    /// Higher is better, whatever the search finds.
    fn rank(&self) -> Option<i32> {
        self.table_rank.map(|rank| rank.rank)
    }
}

/// The root moves under consideration, the best first.
#[derive(Clone, Debug)]
pub struct RootMoves {
    moves: Vec<RootMove>,
    /// The lines before this one are settled for this iteration; their moves are left out of the search.
    settled: usize,
    /// Whether some legal moves are not among them, or not considered for what endgame tables say.
    is_selection: bool,
}

impl RootMoves {
    /// All legal moves, or those among them that are in `wanted` if it is not empty.
    pub fn new(position: &Position, wanted: &[Move]) -> RootMoves {
        let mut legal = MoveList::new();
        position.legal_moves(&mut legal);
        let legal_count = legal.len();
        let moves = legal.into_iter().filter(|mv| wanted.is_empty() || wanted.contains(mv));
        let root_move = |mv| RootMove {
            line: [mv].into_iter().collect(),
            value: -Value::INFINITE,
            previous: -Value::INFINITE,
            nodes: Nodes::default(),
            table_rank: None,
        };
        let moves: Vec<RootMove> = moves.map(root_move).collect();
        let is_selection = moves.len() < legal_count;
        RootMoves { moves, settled: 0, is_selection }
    }

    /// Ranks them, in their present order, by what endgame tables say, and puts the best first.
    pub fn rank(&mut self, ranks: &[RootRank]) {
        for (root_move, &rank) in self.moves.iter_mut().zip(ranks) {
            root_move.table_rank = Some(rank);
        }
        self.is_selection |= ranks.iter().any(|rank| rank.rank != ranks[0].rank);
        self.sort();
    }

    /// The moves, the best first.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().map(|root_move| root_move.line[0])
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The best move so far; `None` only if there is no move at all.
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// The best move but `index`.
    ///
    /// # Panics
    /// If there are not so many moves.
    pub fn line(&self, index: usize) -> &RootMove {
        &self.moves[index]
    }

    /// The best move of the line being searched.
    pub fn current(&self) -> &RootMove {
        &self.moves[self.settled]
    }

    /// Begins an iteration.
    pub fn begin_iteration(&mut self) {
        for root_move in &mut self.moves {
            root_move.previous = root_move.value;
        }
    }

    /// Begins the search for the best line but `index`.
    pub fn begin_line(&mut self, index: usize) {
        self.settled = index;
    }

    /// Begins another search of the same line.
    pub fn begin_window(&mut self) {
        for root_move in &mut self.moves[self.settled..] {
            root_move.value = -Value::INFINITE;
        }
    }

    /// Whether the search of the current line leaves out legal moves, so that its value is not the position's.
    pub fn is_restricted(&self) -> bool {
        self.settled > 0 || self.is_selection
    }

    /// Whether the search of the current line considers this move: one of the best rank that is left.
    pub fn considers(&self, mv: Move) -> bool {
        let left = &self.moves[self.settled..];
        left.iter().any(|root_move| root_move.line[0] == mv && root_move.rank() == left[0].rank())
    }

    /// A move was searched and has this value and line.
    pub fn record(&mut self, mv: Move, value: Value, line: &Line) {
        if let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.line[0] == mv) {
            root_move.value = value;
            root_move.line.clone_from(line);
        }
    }

    /// The best move has at least this value: should the search end before that is known better, it is played.
    pub fn keep_best(&mut self, bound: Value) {
        self.moves[self.settled].previous = bound;
    }

    /// Some more nodes were spent on a move.
    pub fn add_nodes(&mut self, mv: Move, nodes: Nodes) {
        if let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.line[0] == mv) {
            root_move.nodes += nodes;
        }
    }

    /// Puts the moves of the current line in order, the best first; equals keep their places.
    pub fn sort(&mut self) {
        self.moves[self.settled..]
            .sort_by_key(|root_move| Reverse((root_move.rank(), root_move.value, root_move.previous)));
    }
}
