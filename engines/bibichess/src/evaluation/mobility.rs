//! Where the pieces can go (§3.2.2): squares that no enemy pawn attacks and no piece of one's own stands on.

use chess::{Bitboard, Color, PieceKind, Position, attacks};

use super::Tapered;

/// For each square more, and how many squares count as none.
const WEIGHTS: [(PieceKind, Tapered, i32); 4] = [
    (PieceKind::Knight, Tapered::new(4, 4), 4),
    (PieceKind::Bishop, Tapered::new(4, 4), 6),
    (PieceKind::Rook, Tapered::new(2, 4), 7),
    (PieceKind::Queen, Tapered::new(1, 2), 13),
];

/// What one side gets for the freedom of its pieces.
pub fn of(position: &Position, side: Color) -> Tapered {
    let free = !position.colored(side) & !pawn_attacks(position, !side);
    let occupied = position.occupied();
    let mut sum = Tapered::ZERO;
    for (kind, weight, usual) in WEIGHTS {
        for from in position.pieces(side, kind) {
            let squares = (attacks::of_kind(kind, from, occupied) & free).count() as i32;
            sum += weight * (squares - usual);
        }
    }
    sum
}

/// The squares that the pawns of one side attack.
fn pawn_attacks(position: &Position, side: Color) -> Bitboard {
    let ahead = position.pieces(side, PieceKind::Pawn).forward(side);
    ahead.east() | ahead.west()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_that_a_pawn_attacks_does_not_count() {
        let open = Position::from_fen("4k3/8/8/8/3N4/8/8/4K3 w - - 0 1").unwrap();
        let watched = Position::from_fen("4k3/3p4/8/8/3N4/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(of(&open, Color::White), Tapered::new(16, 16));
        assert_eq!(of(&watched, Color::White), Tapered::new(8, 8), "c6 and e6 are watched");
    }
}
