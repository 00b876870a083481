//! The function `Max` (section VI-A), the first stage: what each move wins or loses in material.
//!
//! The search goes as deep as its minimum with every move, and on to its maximum only along captures. There is no
//! evaluation but the balance, no rule for mate (it shows as the loss of the king) and none for stalemate, which the
//! search cannot tell from mate. A node hands its best value down to the next one alone, as in the article, so that
//! only the bound of the parent cuts.

use uci::server::SearchBudget;

use super::moves::Move;
use super::pieces::EMPTY;
use super::position::Position;
use super::side::Side;

/// How far to look, in half-moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// Every move is followed to here.
    pub minimum: u32,
    /// Captures are followed to here.
    pub maximum: u32,
}

/// Beyond every balance: what a side without any move gets.
const BEYOND: i32 = 32_000;

/// A move with its mark of the first stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkedMove {
    /// The move.
    pub mv: Move,
    /// The balance that it leads to, positive for who plays it; less than the best only says that it is less.
    pub mark: i32,
}

/// The search was cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent;

/// One search, with what it has cost.
#[derive(Debug)]
pub struct MaterialSearch<'a> {
    budget: &'a SearchBudget<'a>,
    horizon: Horizon,
    /// The side for which it searches (`aTr` in the article).
    us: Side,
    nodes: u64,
}

impl<'a> MaterialSearch<'a> {
    /// A search for `us`.
    pub fn new(us: Side, horizon: Horizon, budget: &'a SearchBudget<'a>) -> MaterialSearch<'a> {
        MaterialSearch { budget, horizon, us, nodes: 0 }
    }

    /// The same search with another horizon; it goes on counting.
    pub fn look_to(&mut self, horizon: Horizon) {
        self.horizon = horizon;
    }

    /// The moves played so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Marks each of `moves`, which are the legal ones: unlike the article, whose search takes an illegal move that
    /// checks for an exchange of kings.
    ///
    /// # Errors
    /// [`Spent`] when the budget ran out; there are no marks then.
    pub fn mark(&mut self, position: &Position, moves: &[Move]) -> Result<Vec<MarkedMove>, Spent> {
        let mut best = -BEYOND;
        let mut marked = Vec::with_capacity(moves.len());
        for &mv in moves {
            let mark = self.value(position, mv, 1, best)?;
            best = best.max(mark);
            marked.push(MarkedMove { mv, mark });
        }
        Ok(marked)
    }

    /// What a move at `ply` leads to. `bound` is the best that the side to move has here already.
    fn value(&mut self, position: &Position, mv: Move, ply: u32, bound: i32) -> Result<i32, Spent> {
        if self.budget.is_spent(self.nodes) {
            return Err(Spent);
        }
        self.nodes += 1;
        let next = position.after(mv);
        let is_quiet = position.board[mv.to] == EMPTY;
        if ply >= self.horizon.maximum || (ply >= self.horizon.minimum && is_quiet) {
            return Ok(next.balance * i32::from(self.us.sign()));
        }
        self.best(&next, ply + 1, bound)
    }

    /// The best that the side to move gets. It stops looking once the opponent, who has `bound` already, would not let
    /// it come here; equal is not enough, so that moves of equal worth keep their true marks.
    fn best(&mut self, position: &Position, ply: u32, bound: i32) -> Result<i32, Spent> {
        let is_ours = position.side == self.us;
        let mut best = if is_ours { -BEYOND } else { BEYOND };
        for mv in position.ordinary_moves() {
            let value = self.value(position, mv, ply, best)?;
            best = if is_ours { best.max(value) } else { best.min(value) };
            let is_refuted = if is_ours { best > bound } else { best < bound };
            if is_refuted {
                break;
            }
        }
        Ok(best)
    }
}
