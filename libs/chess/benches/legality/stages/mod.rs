//! The three stages of the document's generator of legal moves (Braesch and Burgot, "`BibiChess`", 2006, §3.1.4).
//!
//! They share the board (`board`), its rotated bitboards (`lines`, `occupancy`) and the pseudo-legal moves
//! (`pseudo_legal`), and differ in two things: whether playing a move computes the key and the occupancies anew or
//! carries them on ([`Upkeep`]), and how illegal moves are sieved out (`trial`, `pin_filter`).

pub mod board;
mod lines;
mod occupancy;
mod pin_filter;
mod pseudo_legal;
mod random_keys;
mod trial;

use chess::Move;

pub use self::board::{Board, FromScratch, Incremental, Upkeep};

/// A legal move, and whether it gives check: the document's search asks about both.
#[derive(Clone, Copy, Debug)]
pub struct LegalMove {
    /// The move.
    pub mv: Move,
    /// Whether it attacks the enemy king.
    pub gives_check: bool,
}

/// The leaves of a tree of legal moves, and how many of the last moves give check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaves {
    /// All of them.
    pub nodes: u64,
    /// Those that give check.
    pub checks: u64,
}

/// How illegal moves are sieved out.
#[derive(Clone, Copy, Debug)]
pub enum Sieve {
    /// Every move is played, both kings are looked at, and it is undone.
    Trial,
    /// Pins say it without playing, except in check, en passant and castling.
    PinFilter,
}

impl Sieve {
    /// The legal moves of a position.
    fn legal_moves<U: Upkeep>(self, board: &mut Board<U>) -> Vec<LegalMove> {
        match self {
            Sieve::Trial => trial::legal_moves(board),
            Sieve::PinFilter => pin_filter::legal_moves(board),
        }
    }
}

/// Counts the sequences of `depth` legal moves, at least 1.
pub fn count<U: Upkeep>(board: &mut Board<U>, sieve: Sieve, depth: u32) -> Leaves {
    let moves = sieve.legal_moves(board);
    if depth <= 1 {
        let checks = moves.iter().filter(|legal| legal.gives_check).count() as u64;
        return Leaves { nodes: moves.len() as u64, checks };
    }
    let mut leaves = Leaves::default();
    for LegalMove { mv, .. } in moves {
        let undo = board.play(mv);
        let below = count(board, sieve, depth - 1);
        board.undo(mv, undo);
        leaves.nodes += below.nodes;
        leaves.checks += below.checks;
    }
    leaves
}
