//! How far the game has gone from the opening to the endgame (§3.2.3).

use chess::{PieceKind, Position};

/// The pieces other than pawns that are left, weighted. The document takes the principle from Fruit, and so are the
/// weights here those of Fruit 2.1: minor piece 1, rook 2, queen 4.
#[derive(Clone, Copy, Debug)]
pub struct Phase(i32);

impl Phase {
    /// The weight of all the pieces of the initial position.
    pub const ALL_PIECES: i32 = 24;

    /// The phase of a position; more pieces than the initial ones count as all of them.
    pub fn of(position: &Position) -> Phase {
        let count = |kind| position.of_kind(kind).count() as i32;
        let minors = count(PieceKind::Knight) + count(PieceKind::Bishop);
        let weight = minors + 2 * count(PieceKind::Rook) + 4 * count(PieceKind::Queen);
        Phase(weight.min(Phase::ALL_PIECES))
    }

    /// The weight of the pieces left, up to [`Phase::ALL_PIECES`].
    pub const fn pieces_left(self) -> i32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Tapered;

    #[test]
    fn the_score_slides_from_the_opening_to_the_endgame_as_pieces_go() {
        let blended = |fen| Tapered::new(240, 0).blended(Phase::of(&Position::from_fen(fen).unwrap()));
        assert_eq!(blended(Position::START_FEN), 240);
        assert_eq!(blended("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"), 160);
        assert_eq!(blended("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"), 0);
    }
}
