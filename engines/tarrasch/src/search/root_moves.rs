//! The moves at the root and the results of the iterations.

use std::cmp::Reverse;

use super::Line;
use super::tablebases::RootRank;
use crate::{Nodes, Value};
use chess::{Move, Position};

#[derive(Clone, Debug)]
pub struct RootMove {
    /// The expected line, which starts with the move.
    pub line: Line,
    /// The value in this iteration; -[`Value::INFINITE`] until the move has raised alpha.
    pub value: Value,
    /// The value in the iteration before.
    pub previous_value: Value,
    /// The nodes spent on it in all iterations.
    pub nodes: Nodes,
    /// Its rank by the tablebases.
    tb_rank: Option<RootRank>,
}

impl RootMove {
    /// The value in this iteration, or else in the one before.
    pub fn known_value(&self) -> Value {
        if self.value > -Value::INFINITE { self.value } else { self.previous_value }
    }

    /// The value to report: a mate that the search found, or else the tablebase value.
    pub fn reported_value(&self, found: Value) -> Value {
        self.tb_rank.filter(|_| !found.is_mate()).map_or(found, |rank| rank.value)
    }

    /// The rank by the tablebases. Moves of higher rank come first, whatever their value.
    fn rank(&self) -> Option<i32> {
        self.tb_rank.map(|rank| rank.rank)
    }
}

/// The root moves to search, the best first.
#[derive(Clone, Debug)]
pub struct RootMoves {
    moves: Vec<RootMove>,
    /// The `MultiPV` line being searched, from 0. The moves of earlier lines are excluded from its search.
    pv_index: usize,
    /// Whether `searchmoves` or the tablebases exclude legal moves.
    is_partial: bool,
}

impl RootMoves {
    /// The legal moves that are in `wanted`; all legal moves if it is empty.
    pub fn new(position: &Position, wanted: &[Move]) -> RootMoves {
        let legal = position.move_list();
        let legal_count = legal.len();
        let moves = legal.into_iter().filter(|mv| wanted.is_empty() || wanted.contains(mv));
        let root_move = |mv| RootMove {
            line: [mv].into_iter().collect(),
            value: -Value::INFINITE,
            previous_value: -Value::INFINITE,
            nodes: Nodes::default(),
            tb_rank: None,
        };
        let moves: Vec<RootMove> = moves.map(root_move).collect();
        let is_partial = moves.len() < legal_count;
        RootMoves { moves, pv_index: 0, is_partial }
    }

    /// Sets the tablebase ranks, which are in the order of the moves, and sorts by them.
    pub fn rank(&mut self, ranks: &[RootRank]) {
        for (root_move, &rank) in self.moves.iter_mut().zip(ranks) {
            root_move.tb_rank = Some(rank);
        }
        self.is_partial |= ranks.iter().any(|rank| rank.rank != ranks[0].rank);
        self.sort();
    }

    /// The moves, the best first.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().map(|root_move| root_move.line[0])
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The best move so far; `None` only if there is no move.
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }

    /// The best move of `MultiPV` line `index`, from 0.
    pub fn line(&self, index: usize) -> &RootMove {
        &self.moves[index]
    }

    /// The best move of the current line.
    pub fn current(&self) -> &RootMove {
        &self.moves[self.pv_index]
    }

    pub fn begin_iteration(&mut self) {
        for root_move in &mut self.moves {
            root_move.previous_value = root_move.value;
        }
    }

    /// Begins the search of `MultiPV` line `index`.
    pub fn set_pv_index(&mut self, index: usize) {
        self.pv_index = index;
    }

    /// Begins another search of the current line, with another window.
    pub fn begin_window(&mut self) {
        for root_move in &mut self.moves[self.pv_index..] {
            root_move.value = -Value::INFINITE;
        }
    }

    /// Whether the search of the current line excludes legal moves. Then its value is not the value of the position.
    pub fn is_restricted(&self) -> bool {
        self.pv_index > 0 || self.is_partial
    }

    /// Whether the current line searches this move: only moves of the best remaining rank.
    pub fn is_searched(&self, mv: Move) -> bool {
        let left = &self.moves[self.pv_index..];
        left.iter().any(|root_move| root_move.line[0] == mv && root_move.rank() == left[0].rank())
    }

    pub fn record(&mut self, mv: Move, value: Value, line: &Line) {
        if let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.line[0] == mv) {
            root_move.value = value;
            root_move.line.clone_from(line);
        }
    }

    /// The best move failed high with this value. It is played if the search stops before the exact value is known.
    pub fn set_best_bound(&mut self, bound: Value) {
        self.moves[self.pv_index].previous_value = bound;
    }

    pub fn add_nodes(&mut self, mv: Move, nodes: Nodes) {
        if let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.line[0] == mv) {
            root_move.nodes += nodes;
        }
    }

    /// Sorts the moves of the current line, the best first. The sort is stable.
    pub fn sort(&mut self) {
        self.moves[self.pv_index..]
            .sort_by_key(|root_move| Reverse((root_move.rank(), root_move.value, root_move.previous_value)));
    }
}
