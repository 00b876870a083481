//! The trace: what the terms of the evaluation count features into.

use super::Score;
use super::feature::{Feature, MATERIAL, PLACEMENT};
use chess::{Color, PieceKind, Square};

/// Receives every feature of a position: [`Sum`](super::sum::Sum), [`Explanation`](super::Explanation) and the counts of
/// [`Coefficients`](super::Coefficients).
pub trait Trace {
    /// Adds `count` times this feature for `color`.
    fn add(&mut self, color: Color, feature: Feature, count: i32);

    /// Adds a piece of `color`: its material and its entry of the piece-square tables.
    fn add_piece(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.add(color, MATERIAL.at(kind.index()), 1);
        self.add(color, PLACEMENT.at(placement(color, kind, square)), 1);
    }

    /// Adds `count` times this feature to the danger of the king that `color` attacks: see [`king_danger_score`].
    fn add_danger(&mut self, color: Color, feature: Feature, count: i32);
}

/// The index into the piece-square tables. The files a to d and h to e share entries.
pub const fn placement(color: Color, kind: PieceKind, square: Square) -> usize {
    let square = square.relative_to(color);
    let (rank, file) = (square.index() / 8, square.index() % 8);
    let from_edge = if file < 4 { file } else { 7 - file };
    kind.index() * 32 + rank * 4 + from_edge
}

/// The middlegame danger is at most this.
pub const DANGER_MG_LIMIT: i32 = 1500;
/// The middlegame danger is squared and divided by this.
pub const DANGER_MG_DIVISOR: i32 = 720;
/// The endgame danger is divided by this.
pub const DANGER_EG_DIVISOR: i32 = 20;

/// The score for king danger: quadratic in the middlegame, linear in the endgame, zero for negative danger, as in
/// Ethereal (Andrew Grant, 2018).
#[inline]
pub fn king_danger_score(danger: Score) -> Score {
    let (mg, eg) = (danger.mg().clamp(0, DANGER_MG_LIMIT), danger.eg().max(0));
    Score::new(mg * mg / DANGER_MG_DIVISOR, eg / DANGER_EG_DIVISOR)
}
