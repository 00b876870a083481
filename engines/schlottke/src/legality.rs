//! The functions `Echec` and `Valide` (section V): check is being about to lose the king to an ordinary move.

use super::moves::{Move, MoveList};
use super::pieces::KING;
use super::position::Position;

impl Position {
    /// Whether the king of the side to move is attacked.
    pub fn is_check(&self) -> bool {
        self.with_other_side().can_take_king()
    }

    /// Whether the side to move reaches the other king. No move that allows this is legal.
    pub fn can_take_king(&self) -> bool {
        self.ordinary_moves().iter().any(|mv| -self.own(mv.to) == KING)
    }

    /// Whether a move of [`Position::all_moves`] leaves no king behind.
    pub fn is_legal(&self, mv: Move) -> bool {
        !self.after(mv).can_take_king()
    }

    /// The legal moves. A pawn that arrives is one move here, and becomes a queen.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = self.all_moves();
        moves.retain(|mv| self.is_legal(*mv));
        moves
    }

    /// The leaves of the tree of legal moves, `depth` plies deep.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_moves().len() as u64,
            _ => self.legal_moves().iter().map(|mv| self.after(*mv).perft(depth - 1)).sum(),
        }
    }
}
