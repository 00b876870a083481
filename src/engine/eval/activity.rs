//! What the pieces of one side attack: found once, used by several terms.

use super::{Score, pawn_sets};
use crate::chess::{Bitboard, Color, PieceKind, Position, attacks};

/// The attacks of one side, and what is counted along the way.
#[derive(Clone, Debug)]
pub struct Activity {
    /// The squares attacked by at least one piece of each kind, by [`PieceKind::index`].
    pub by_kind: [Bitboard; 6],
    /// The squares attacked by anything.
    pub all: Bitboard,
    /// How freely knights, bishops, rooks and queens move.
    pub mobility: Score,
    /// How many pieces attack the enemy king's surroundings.
    pub king_attackers: u32,
    /// How hard they do so: a weight for each of them, and one more for each square.
    pub king_attack: i32,
}

/// The pieces whose mobility counts.
const MOBILE: [PieceKind; 4] = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
/// What each square beyond the usual number is worth, by [`PieceKind::index`].
const PER_SQUARE: [Score; 5] =
    [Score::ZERO, Score::new(4, 4), Score::new(4, 4), Score::new(2, 4), Score::new(1, 3)];
/// The usual number of squares.
const USUAL_SQUARES: [i32; 5] = [0, 4, 6, 7, 13];
/// How dangerous a piece near the enemy king is.
const KING_ATTACK: [i32; 5] = [0, 3, 3, 4, 6];

impl Activity {
    /// The activity of `us`.
    pub fn new(position: &Position, us: Color) -> Activity {
        let pawn_attacks = pawn_sets::attacks(position.pieces(us, PieceKind::Pawn), us);
        let enemy_pawn_attacks = pawn_sets::attacks(position.pieces(!us, PieceKind::Pawn), !us);
        let area = !position.colored(us) & !enemy_pawn_attacks;
        let zone = king_zone(position, !us);
        let mut activity = Activity {
            by_kind: [Bitboard::EMPTY; 6],
            all: Bitboard::EMPTY,
            mobility: Score::ZERO,
            king_attackers: 0,
            king_attack: 0,
        };
        activity.by_kind[PieceKind::Pawn.index()] = pawn_attacks;
        activity.by_kind[PieceKind::King.index()] = attacks::king(position.king(us));
        let occupied = position.occupied();
        for kind in MOBILE {
            for square in position.pieces(us, kind) {
                activity.add(kind, attacks::of_kind(kind, square, occupied), area, zone);
            }
        }
        activity.all = activity.by_kind.into_iter().fold(Bitboard::EMPTY, |all, set| all | set);
        activity
    }

    fn add(&mut self, kind: PieceKind, attacked: Bitboard, area: Bitboard, zone: Bitboard) {
        self.by_kind[kind.index()] |= attacked;
        let squares = (attacked & area).count() as i32;
        self.mobility += PER_SQUARE[kind.index()] * (squares - USUAL_SQUARES[kind.index()]);
        let near_king = attacked & zone;
        if near_king.any() {
            self.king_attackers += 1;
            self.king_attack += KING_ATTACK[kind.index()] + near_king.count() as i32;
        }
    }

    /// The squares attacked by pieces of this kind.
    pub fn by(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }
}

/// The squares around a king, and those one step further towards the enemy.
pub fn king_zone(position: &Position, color: Color) -> Bitboard {
    let king = position.king(color);
    let ring = attacks::king(king) | king.bitboard();
    ring | ring.forward(color)
}
