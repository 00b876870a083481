//! Passed pawns that nothing stops from becoming queens (§3.2.2).
//!
//! Against king and pawns alone, a pawn with the enemy king outside its square, or with its own king guarding both it
//! and the square of its promotion, is as good as a queen already. The document does not say that the way has to be
//! free; here it has to be.

use chess::{Bitboard, Color, PieceKind, Position, Rank, Square, attacks};

use super::pawns::is_passed;
use super::{Tapered, worth};

/// What the promotion brings.
const PROMOTION: Tapered = Tapered::always(worth(PieceKind::Queen) - worth(PieceKind::Pawn));

/// What one side gets for a pawn that cannot be stopped; one is enough.
pub fn of(position: &Position, side: Color) -> Tapered {
    if has_pieces(position, !side) {
        return Tapered::ZERO;
    }
    let mut pawns = position.pieces(side, PieceKind::Pawn).into_iter();
    let is_there = pawns.any(|pawn| is_passed(position, side, pawn) && is_unstoppable(position, side, pawn));
    if is_there { PROMOTION } else { Tapered::ZERO }
}

/// Whether a side has more than king and pawns.
fn has_pieces(position: &Position, side: Color) -> bool {
    let weak = position.of_kind(PieceKind::Pawn) | position.of_kind(PieceKind::King);
    (position.colored(side) & !weak).any()
}

fn is_unstoppable(position: &Position, side: Color, pawn: Square) -> bool {
    let goal = Square::new(pawn.file(), Rank::Eighth.relative_to(side));
    let way = attacks::between(pawn, goal) | goal.bitboard();
    if (way & position.occupied()).any() {
        return false;
    }
    let guarded = attacks::king(position.king(side));
    let is_escorted = guarded.has(pawn) && guarded.has(goal);
    is_escorted || is_outside_square(position, side, pawn, goal)
}

/// Whether the enemy king comes too late: with the pawn to move it must be further from the goal than the pawn, with
/// the king to move by one step more. A pawn on its first square goes two steps at once.
fn is_outside_square(position: &Position, side: Color, pawn: Square, goal: Square) -> bool {
    let is_at_home = Bitboard::of_rank(Rank::Second.relative_to(side)).has(pawn);
    let pawn_steps = pawn.distance(goal) - u8::from(is_at_home);
    let king_steps = position.king(!side).distance(goal) - u8::from(position.side_to_move() != side);
    king_steps > pawn_steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn white(fen: &str) -> Tapered {
        of(&Position::from_fen(fen).unwrap(), Color::White)
    }

    #[test]
    fn a_king_outside_the_square_does_not_catch_the_pawn() {
        assert_eq!(white("8/8/8/P4k2/8/8/8/K7 w - - 0 1"), PROMOTION);
        assert_eq!(white("8/8/8/P4k2/8/8/8/K7 b - - 0 1"), PROMOTION);
        assert_eq!(white("8/8/8/P2k4/8/8/8/K7 w - - 0 1"), Tapered::ZERO);
    }

    #[test]
    fn a_king_to_move_gains_a_step_on_the_pawn() {
        assert_eq!(white("8/8/8/P3k3/8/8/8/K7 w - - 0 1"), PROMOTION);
        assert_eq!(white("8/8/8/P3k3/8/8/8/K7 b - - 0 1"), Tapered::ZERO);
    }

    #[test]
    fn a_king_that_guards_pawn_and_goal_brings_it_home() {
        assert_eq!(white("3k4/1K6/P7/8/8/8/8/8 b - - 0 1"), PROMOTION);
        assert_eq!(white("1k6/8/P1K5/8/8/8/8/8 b - - 0 1"), Tapered::ZERO);
    }

    #[test]
    fn a_piece_of_the_other_side_or_a_blocked_way_spoils_it() {
        assert_eq!(white("8/8/8/P5kn/8/8/8/K7 w - - 0 1"), Tapered::ZERO);
        assert_eq!(white("K7/8/8/P5k1/8/8/8/8 w - - 0 1"), Tapered::ZERO);
    }
}
