//! Perft: the number of sequences of legal moves of a given length, the usual test of a move generator.

use super::movegen::{Black, Every, MoveCount, Side, White};
use super::{Color, Move, MoveList, Position};

/// The number of sequences of `depth` legal moves from a position; 1 for depth 0.
///
/// The moves of the last ply are counted without being played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match position.side_to_move() {
        Color::White => count::<White>(position, depth),
        Color::Black => count::<Black>(position, depth),
    }
}

fn count<S: Side>(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => return 1,
        1 => {
            let mut count = MoveCount(0);
            position.generate::<S, Every>(&mut count);
            return u64::from(count.0);
        }
        _ => {}
    }
    let mut moves = MoveList::new();
    position.generate::<S, Every>(&mut moves);
    moves.iter().map(|&m| count::<S::Them>(&position.play(m), depth - 1)).sum()
}

/// Perft under each legal move: the number of sequences that start with it, computed lazily. Empty for depth 0.
pub fn divide(position: &Position, depth: u32) -> impl Iterator<Item = (Move, u64)> + '_ {
    let moves = if depth > 0 { position.move_list() } else { MoveList::new() };
    moves.into_iter().map(move |m| (m, perft(&position.play(m), depth - 1)))
}

/// The moves of the last ply by kind: the usual perft details.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerftCounts {
    /// All moves.
    pub nodes: u64,
    /// Captures, including en passant.
    pub captures: u64,
    /// Captures en passant.
    pub en_passant: u64,
    /// Castling moves.
    pub castles: u64,
    /// Promotions, counting each piece promoted to.
    pub promotions: u64,
    /// Moves that give check, including mates.
    pub checks: u64,
    /// Checks by a single piece that did not move. A castling rook counts as moved.
    pub discovered_checks: u64,
    /// Checks by two pieces at once.
    pub double_checks: u64,
    /// Moves that mate.
    pub mates: u64,
}

/// Perft with the moves of the last ply by kind. For depth 0 only the root is counted.
pub fn decomposition(position: &Position, depth: u32) -> PerftCounts {
    let mut counts = PerftCounts::default();
    if depth == 0 {
        counts.nodes = 1;
    } else {
        counts.add_below(position, depth);
    }
    counts
}

impl PerftCounts {
    fn add_below(&mut self, position: &Position, depth: u32) {
        for m in position.move_list() {
            if depth > 1 {
                self.add_below(&position.play(m), depth - 1);
            } else {
                self.add_move(position, m);
            }
        }
    }

    fn add_move(&mut self, position: &Position, m: Move) {
        self.nodes += 1;
        self.captures += u64::from(position.is_capture(m));
        self.en_passant += u64::from(m.is_en_passant());
        self.castles += u64::from(m.is_castling());
        self.promotions += u64::from(m.promotion().is_some());
        if position.gives_check(m) {
            let next = position.play(m);
            let by_mover = m.is_castling() || next.checkers().has(m.to());
            self.checks += 1;
            self.double_checks += u64::from(next.checkers().more_than_one());
            self.discovered_checks += u64::from(!by_mover && !next.checkers().more_than_one());
            self.mates += u64::from(!next.has_legal_move());
        }
    }
}
