//! What the pieces of one side attack: found once, used by several terms.

use chess::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// The attacks of one side, filled piece by piece.
#[derive(Clone, Copy, Debug)]
pub struct AttackMap {
    /// The squares attacked by at least one piece of each kind, by [`PieceKind::index`].
    by_kind: [Bitboard; 6],
    /// The squares attacked by anything.
    pub all: Bitboard,
    /// The squares attacked at least twice.
    pub twice: Bitboard,
    /// The square of the enemy king and those around it; on the edge also the next row towards the middle. Not those
    /// that two enemy pawns defend.
    pub ring: Bitboard,
    /// How many pieces of each kind attack the ring, knight to queen.
    pub attackers: [u8; 4],
    /// How many attacks on squares of the ring there are.
    pub ring_attacks: u8,
}

impl AttackMap {
    /// The attacks of the king and the pawns, which attack the squares `by_pawns`.
    pub fn new(position: &Position, us: Color, by_pawns: Bitboard) -> AttackMap {
        let by_king = attacks::king(position.king(us));
        let mut by_kind = [Bitboard::EMPTY; 6];
        by_kind[PieceKind::Pawn.index()] = by_pawns;
        by_kind[PieceKind::King.index()] = by_king;
        let enemy_pawns = position.pieces(!us, PieceKind::Pawn).forward(!us);
        AttackMap {
            by_kind,
            all: by_pawns | by_king,
            twice: by_pawns & by_king,
            ring: ring(position.king(!us)) & !(enemy_pawns.east() & enemy_pawns.west()),
            attackers: [0; 4],
            ring_attacks: 0,
        }
    }

    /// A knight, bishop, rook or queen attacks these squares.
    #[inline]
    pub fn add(&mut self, kind: PieceKind, attacked: Bitboard) {
        self.twice |= self.all & attacked;
        self.all |= attacked;
        self.by_kind[kind.index()] |= attacked;
        let near_king = attacked & self.ring;
        if near_king.any() {
            self.attackers[kind.index() - PieceKind::Knight.index()] += 1;
            self.ring_attacks += near_king.count() as u8;
        }
    }

    /// The squares attacked by pieces of this kind.
    #[inline]
    pub fn by(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }
}

/// The king's square and those around it, taken as if it stood one step further from the edge.
fn ring(king: Square) -> Bitboard {
    let inward = |index: usize| index.clamp(1, 6);
    let centre = Square::from_index(inward(king.rank().index()) * 8 + inward(king.file().index()));
    attacks::king(centre) | centre.bitboard()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_of_a_king_in_the_corner_has_nine_squares_too() {
        for square in Square::all() {
            assert_eq!(ring(square).count(), 9, "{square}");
            assert!(ring(square).has(square));
        }
    }
}
