//! Where the terms of the evaluation count what they see.

use super::Score;
use super::feature::{Feature, MATERIAL, PLACEMENT};
use chess::{Color, PieceKind, Square};

/// Is told every feature of a position. One [`Sum`](super::sum::Sum) makes the evaluation of it; other listeners
/// explain it or tune it.
pub trait Trace {
    /// `color` has this feature `count` times more.
    fn add(&mut self, color: Color, feature: Feature, count: i32);

    /// `color` has a piece, which counts by itself and for its square.
    fn add_piece(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.add(color, MATERIAL.at(kind.index()), 1);
        self.add(color, PLACEMENT.at(placement(color, kind, square)), 1);
    }

    /// The attack of `color` on the enemy king has this feature `count` times more. What an attack is worth grows
    /// faster than its features do: [`worth_of_attack`].
    fn add_danger(&mut self, color: Color, feature: Feature, count: i32);
}

/// The place of a piece on a square in its group, as its owner sees the board: a square and its mirror image are one.
pub const fn placement(color: Color, kind: PieceKind, square: Square) -> usize {
    let square = square.relative_to(color);
    let (rank, file) = (square.index() / 8, square.index() % 8);
    let from_edge = if file < 4 { file } else { 7 - file };
    kind.index() * 32 + rank * 4 + from_edge
}

/// More middlegame danger than this counts as this.
pub const DANGER_MG_LIMIT: i32 = 1500;
/// The middlegame danger is squared and divided by this.
pub const DANGER_MG_DIVISOR: i32 = 720;
/// The endgame danger is divided by this.
pub const DANGER_EG_DIVISOR: i32 = 20;

/// What an attack is worth: nothing while its danger is negative; then it grows with the square of the middlegame
/// danger and in proportion to the endgame danger, as in Ethereal (Andrew Grant, 2018).
#[inline]
pub fn worth_of_attack(danger: Score) -> Score {
    let (mg, eg) = (danger.mg().clamp(0, DANGER_MG_LIMIT), danger.eg().max(0));
    Score::new(mg * mg / DANGER_MG_DIVISOR, eg / DANGER_EG_DIVISOR)
}
