//! The robust sieve (§3.1.4): every pseudo-legal move is played, both kings are looked at, and it is undone.

use chess::Move;

use super::board::{Board, Upkeep};
use super::{LegalMove, pseudo_legal};

/// The legal moves of a position.
pub fn legal_moves<U: Upkeep>(board: &mut Board<U>) -> Vec<LegalMove> {
    pseudo_legal::moves(board).into_iter().filter_map(|mv| tried(board, mv)).collect()
}

/// The move, if it is legal.
pub fn tried<U: Upkeep>(board: &mut Board<U>, mv: Move) -> Option<LegalMove> {
    let us = board.side();
    let undo = board.play(mv);
    let is_legal = !board.in_check(us);
    let gives_check = board.in_check(!us);
    board.undo(mv, undo);
    is_legal.then_some(LegalMove { mv, gives_check })
}
