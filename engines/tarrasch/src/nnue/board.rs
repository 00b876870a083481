//! The board of an accumulator: the pieces of a position, and nothing else.

use super::bucket::bucket;
use chess::{Bitboard, Color, Piece, PieceKind, Position, Square};

/// The pieces and their squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Board {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
}

impl Board {
    /// The pieces of a position.
    #[inline]
    pub fn of(position: &Position) -> Board {
        Board {
            kinds: PieceKind::ALL.map(|kind| position.of_kind(kind)),
            colors: Color::ALL.map(|color| position.colored(color)),
        }
    }

    /// The same board with a piece added on an empty square.
    #[must_use]
    pub fn with(mut self, piece: Piece, square: Square) -> Board {
        self.kinds[piece.kind.index()] |= square.bitboard();
        self.colors[piece.color.index()] |= square.bitboard();
        self
    }

    /// The same board with a square emptied.
    #[must_use]
    pub fn without(mut self, square: Square) -> Board {
        self.kinds.iter_mut().chain(&mut self.colors).for_each(|set| *set &= !square.bitboard());
        self
    }

    /// The occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The output bucket of the board.
    #[inline]
    pub fn bucket(&self) -> usize {
        bucket(self.occupied().count() as usize)
    }

    /// The square of a side's king; a1 without a king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        let king = self.kinds[PieceKind::King.index()] & self.colors[color.index()];
        king.first().unwrap_or(Square::from_index(0))
    }

    /// The squares on which the two boards differ.
    #[inline]
    pub fn difference(&self, other: &Board) -> Bitboard {
        let kinds = self.kinds.iter().zip(&other.kinds);
        let colors = self.colors.iter().zip(&other.colors);
        kinds.chain(colors).fold(Bitboard::EMPTY, |squares, (&ours, &theirs)| squares | ours ^ theirs)
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let bit = |set: Bitboard| (set.bits() >> square.index() & 1) as usize;
        // Indices into the two lists, computed without branches.
        let color = Color::ALL[bit(self.colors[1])];
        let [_, knights, bishops, rooks, queens, kings] = self.kinds;
        let digits = [knights | rooks | kings, bishops | rooks, queens | kings];
        let kind = PieceKind::ALL[bit(digits[0]) + 2 * bit(digits[1]) + 4 * bit(digits[2])];
        self.occupied().has(square).then_some(Piece { color, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_changes_two_squares() {
        let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
        let (before, e4, d5) = (Board::of(&position), "e4".parse().unwrap(), "d5".parse().unwrap());
        let after = Board::of(&position.play(position.parse_uci("e4d5").unwrap()));
        assert_eq!(before.difference(&after), Square::bitboard(e4) | Square::bitboard(d5));
        assert_eq!(before.piece_on(d5), Some(Piece { color: Color::Black, kind: PieceKind::Pawn }));
        let pawn = before.piece_on(e4).unwrap();
        assert_eq!(before.without(e4).without(d5).with(pawn, d5), after);
    }
}
