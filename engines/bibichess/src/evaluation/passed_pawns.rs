//! Passed pawns (§3.2.2), which are worth far more in the endgame.

use chess::{Color, PieceKind, Position};

use super::Tapered;
use super::pawns::is_passed;

/// A passed pawn, by its rank as its side counts.
const PASSED: [Tapered; 8] = [
    Tapered::ZERO,
    Tapered::new(4, 10),
    Tapered::new(6, 16),
    Tapered::new(12, 30),
    Tapered::new(24, 55),
    Tapered::new(45, 95),
    Tapered::new(75, 140),
    Tapered::ZERO,
];

/// What one side gets for its passed pawns.
pub fn of(position: &Position, side: Color) -> Tapered {
    let mut sum = Tapered::ZERO;
    for pawn in position.pieces(side, PieceKind::Pawn) {
        if is_passed(position, side, pawn) {
            sum += PASSED[pawn.rank().relative_to(side).index()];
        }
    }
    sum
}
