//! The pawns in front of a king, and the pieces that come for it.

use super::activity::{Activity, king_zone};
use super::{Score, pawn_sets};
use crate::chess::{Bitboard, Color, PieceKind, Position, attacks};

/// Middlegame penalty for each of the three files by the distance of the own pawn from its original rank; the last is
/// for no pawn at all.
const SHIELD: [i32; 4] = [0, -6, -14, -24];
/// Middlegame penalty by the rank, as the defender counts, that an enemy pawn on one of the three files has reached.
const STORM: [i32; 8] = [0, 0, -16, -12, -4, 0, 0, 0];

/// The squares from which a check would be safe, by attacking piece.
const SAFE_CHECK: [(PieceKind, i32); 4] =
    [(PieceKind::Knight, 5), (PieceKind::Bishop, 3), (PieceKind::Rook, 5), (PieceKind::Queen, 6)];
/// Attacked squares next to the king that only the king itself defends.
const WEAK_SQUARE: i32 = 2;
/// Without a queen an attack is worth this part.
const QUEENLESS_DIVISOR: i32 = 3;
/// The penalty grows with the square of the danger, up to this.
const MAX_PENALTY: i32 = 550;

/// The shelter of our own king: near pawns are good, enemy pawns coming close are bad.
pub fn pawn_shield(position: &Position, us: Color) -> Score {
    let king = position.king(us);
    let around = king.bitboard() | pawn_sets::beside(king.bitboard());
    let ahead = around | pawn_sets::in_front(around, us);
    let ours = position.pieces(us, PieceKind::Pawn) & ahead;
    let theirs = position.pieces(!us, PieceKind::Pawn) & ahead;
    let mut penalty = 0;
    for file in around {
        let file = Bitboard::of_file(file.file());
        penalty += SHIELD[nearest_rank(ours & file, us).map_or(3, |rank| rank.saturating_sub(1).min(3))];
        penalty += nearest_rank(theirs & file, us).map_or(0, |rank| STORM[rank]);
    }
    Score::new(penalty, 0)
}

/// The rank, as `us` counts, of the square nearest to our side.
fn nearest_rank(set: Bitboard, us: Color) -> Option<usize> {
    let nearest = match us {
        Color::White => set.first(),
        Color::Black => set.last(),
    };
    nearest.map(|square| square.relative_to(us).rank().index())
}

/// What our attack on the enemy king is worth. A single attacker is no attack, unless it is the queen.
pub fn attack(position: &Position, us: Color, ours: &Activity, theirs: &Activity) -> Score {
    let has_queen = position.pieces(us, PieceKind::Queen).any();
    if ours.king_attackers < 2 && !(has_queen && ours.king_attackers == 1) {
        return Score::ZERO;
    }
    let mut danger = ours.king_attack + safe_checks(position, us, ours, theirs);
    let defended =
        theirs.by_kind[..PieceKind::King.index()].iter().fold(Bitboard::EMPTY, |all, &set| all | set);
    let weak = king_zone(position, !us) & ours.all & theirs.by(PieceKind::King) & !defended;
    danger += WEAK_SQUARE * weak.count() as i32;
    if !has_queen {
        danger /= QUEENLESS_DIVISOR;
    }
    let several = ours.king_attackers.min(4) as i32;
    let penalty = (danger * danger * several / 12).min(MAX_PENALTY);
    Score::new(penalty, danger)
}

/// The weight of the checks we could give without losing the piece.
fn safe_checks(position: &Position, us: Color, ours: &Activity, theirs: &Activity) -> i32 {
    let king = position.king(!us);
    let occupied = position.occupied();
    let safe = !position.colored(us) & !theirs.all;
    let gives = |kind| (attacks::of_kind(kind, king, occupied) & ours.by(kind) & safe).any();
    SAFE_CHECK.into_iter().filter(|&(kind, _)| gives(kind)).map(|(_, weight)| weight).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::eval::{Term, explain};

    #[test]
    fn a_king_behind_its_pawns_is_safer() {
        let shield = |fen: &str| pawn_shield(&Position::from_fen(fen).unwrap(), Color::White).mg();
        let intact = shield("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1");
        let pushed = shield("4k3/8/8/8/6P1/8/5P1P/6K1 w - - 0 1");
        let stormed = shield("4k3/8/8/8/8/6p1/5P1P/6K1 w - - 0 1");
        assert_eq!(intact, 0);
        assert!(stormed < pushed && pushed < intact);
    }

    #[test]
    fn an_attack_needs_more_than_one_piece() {
        let attack =
            |fen: &str| explain(&Position::from_fen(fen).unwrap()).score(Term::KingAttack, Color::White).mg();
        assert_eq!(attack("6k1/5ppp/8/6N1/8/8/8/6K1 w - - 0 1"), 0);
        assert!(attack("6k1/5ppp/8/6NQ/8/3B4/8/6K1 w - - 0 1") > 100);
    }
}
