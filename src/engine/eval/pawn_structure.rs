//! Pawns that are weak because of where the other pawns stand.

use super::{Score, pawn_sets};
use crate::chess::{Bitboard, Color, PieceKind, Position};

const DOUBLED: Score = Score::new(-8, -18);
const ISOLATED: Score = Score::new(-10, -14);
const BACKWARD: Score = Score::new(-8, -10);

/// Doubled, isolated and backward pawns of `us`.
pub fn score(position: &Position, us: Color) -> Score {
    let (ours, theirs) = (position.pieces(us, PieceKind::Pawn), position.pieces(!us, PieceKind::Pawn));
    DOUBLED * doubled(ours, us).count() as i32
        + ISOLATED * isolated(ours).count() as i32
        + BACKWARD * backward(ours, theirs, us).count() as i32
}

/// Pawns with a pawn of their own in front.
fn doubled(ours: Bitboard, us: Color) -> Bitboard {
    ours & pawn_sets::in_front(ours, !us)
}

/// Pawns without a pawn of their own on the neighbouring files.
fn isolated(ours: Bitboard) -> Bitboard {
    ours & !pawn_sets::beside(pawn_sets::files(ours))
}

/// Pawns, not isolated, that would step into the attack of an enemy pawn and that no pawn of their own can ever
/// support there.
fn backward(ours: Bitboard, theirs: Bitboard, us: Color) -> Bitboard {
    let held_up = pawn_sets::attacks(theirs, !us) & !pawn_sets::attack_span(ours, us);
    ours & held_up.forward(!us) & !isolated(ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weak(fen: &str) -> [u32; 3] {
        let position = Position::from_fen(fen).unwrap();
        let us = Color::White;
        let (ours, theirs) = (position.pieces(us, PieceKind::Pawn), position.pieces(!us, PieceKind::Pawn));
        [doubled(ours, us), isolated(ours), backward(ours, theirs, us)].map(Bitboard::count)
    }

    #[test]
    fn weak_pawns_are_told_apart() {
        assert_eq!(weak("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1"), [0, 0, 0]);
        assert_eq!(weak("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1"), [1, 2, 0]);
        assert_eq!(weak("4k3/8/8/8/8/8/P1P5/4K3 w - - 0 1"), [0, 2, 0]);
        // d3 cannot reach d4, which c5 attacks, with the help of the pawn on e4.
        assert_eq!(weak("4k3/8/8/2p5/4P3/3P4/8/4K3 w - - 0 1"), [0, 0, 1]);
    }
}
