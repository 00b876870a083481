//! The algorithm that all others are measured by: every move, every answer, to a fixed depth (§1.1.3), and the same on
//! the tree with extensions and quiescence (§1.2). The tests hold the search to it.

use chess::{Move, MoveList, Position};

use crate::depth::Depth;
use crate::ply::Ply;
use crate::search::{LastMove, captures, deserves_extension};
use crate::value::Value;

/// Minmax on one tree.
#[derive(Clone, Copy)]
pub struct Minmax {
    /// Whether forcing moves are searched more deeply.
    pub extensions: bool,
    /// Whether captures go on at the horizon.
    pub quiescence: bool,
    /// What a leaf is worth to the side to move.
    pub evaluation: fn(&Position) -> Value,
}

impl Minmax {
    /// The best moves to a depth, and their value.
    pub fn best(self, position: &Position, depth: i32) -> (Vec<Move>, Value) {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let depth = self.extended(Depth::new(depth), position, moves.len(), LastMove::default());
        let mut best = (Vec::new(), Value::mated_at(Ply::ROOT));
        for mv in moves {
            let last = LastMove::default().followed_by(position, mv);
            let value = -self.value(&position.play(mv), depth - 1, Ply::ROOT.next(), last);
            if value > best.1 {
                best = (vec![mv], value);
            } else if value == best.1 {
                best.0.push(mv);
            }
        }
        best
    }

    fn value(self, position: &Position, depth: Depth, ply: Ply, last: LastMove) -> Value {
        if depth.is_exhausted() {
            return self.value_at_horizon(position, ply);
        }
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let depth = self.extended(depth, position, moves.len(), last);
        let values = moves.iter().map(|&mv| {
            let last = last.followed_by(position, mv);
            -self.value(&position.play(mv), depth - 1, ply.next(), last)
        });
        values.max().unwrap_or_else(|| without_moves(position, ply))
    }

    fn extended(self, depth: Depth, position: &Position, moves: usize, last: LastMove) -> Depth {
        let is_deeper = self.extensions && deserves_extension(position, moves, last);
        depth + i32::from(is_deeper)
    }

    fn value_at_horizon(self, position: &Position, ply: Ply) -> Value {
        if !self.quiescence {
            return if position.has_legal_move() {
                (self.evaluation)(position)
            } else {
                without_moves(position, ply)
            };
        }
        let mut moves = MoveList::new();
        let mut best = Value::mated_at(ply);
        if position.is_check() {
            position.legal_moves(&mut moves);
        } else {
            best = (self.evaluation)(position);
            moves = captures(position);
        }
        for mv in moves {
            best = best.max(-self.value_at_horizon(&position.play(mv), ply.next()));
        }
        best
    }
}

/// Mate or stalemate.
fn without_moves(position: &Position, ply: Ply) -> Value {
    if position.is_check() { Value::mated_at(ply) } else { Value::DRAW }
}
