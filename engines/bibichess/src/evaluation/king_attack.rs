//! Attacks on the squares beside the enemy king (§3.2.2), which count only when several pieces take part.

use chess::{Color, PieceKind, Position, attacks};

use super::Tapered;

/// For each square that a piece attacks, once for each attacker beyond the first.
const WEIGHT: Tapered = Tapered::new(5, 1);
const ATTACKERS: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// What one side gets for attacking the king of the other. Nothing is given for defending.
pub fn of(position: &Position, side: Color) -> Tapered {
    let beside_king = attacks::king(position.king(!side));
    let occupied = position.occupied();
    let (mut attackers, mut squares) = (0, 0);
    for kind in ATTACKERS {
        for from in position.pieces(side, kind) {
            let attacked = (attacks::of_kind(kind, from, occupied) & beside_king).count() as i32;
            attackers += i32::from(attacked > 0);
            squares += attacked;
        }
    }
    WEIGHT * (squares * (attackers - 1).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_piece_is_no_attack() {
        let white = |fen| of(&Position::from_fen(fen).unwrap(), Color::White);
        assert_eq!(white("6k1/8/8/8/8/8/8/K5R1 b - - 0 1"), Tapered::ZERO);
        assert_eq!(white("7k/8/8/8/8/8/8/K5RR b - - 0 1"), WEIGHT * 3, "g7 and g8, and h7");
    }
}
