//! The terms of the evaluation, one file per idea. They count features; the weights are in `weights.rs`.

pub mod endgame;
pub mod king;
pub mod material;
pub mod pawns;
pub mod pieces;
pub mod threats;

use chess::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// The attacks of one side, filled piece by piece.
#[derive(Clone, Copy, Debug)]
pub struct AttackMap {
    /// The squares attacked by each kind of piece, by [`PieceKind::index`].
    by_kind: [Bitboard; 6],
    /// The squares attacked by any piece.
    pub all: Bitboard,
    /// The squares attacked at least twice.
    pub twice: Bitboard,
    /// The king ring of the enemy: see [`ring`], without the squares that two enemy pawns defend.
    pub ring: Bitboard,
    /// The number of pieces of each kind, knight to queen, that attack the ring.
    pub attackers: [u8; 4],
    pub ring_attacks: u8,
}

impl AttackMap {
    /// The attacks of king and pawns. The pawns attack `by_pawns`.
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

    /// Adds the attacks of a knight, bishop, rook or queen.
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

    #[inline]
    pub fn by(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }
}

/// The 3 × 3 squares around the king; around its neighbour if the king is on the edge.
fn ring(king: Square) -> Bitboard {
    let inward = |index: usize| index.clamp(1, 6);
    let centre = Square::from_index(inward(king.rank().index()) * 8 + inward(king.file().index()));
    attacks::king(centre) | centre.bitboard()
}
