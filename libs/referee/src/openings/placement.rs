//! The placement of the pieces, in a form that is quickly compared.

/// The squares of the board, and those of the pawns once more: a pawn that stands elsewhere makes more of a difference
/// than a piece, because it does not come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Placement([u8; 128]);

impl Placement {
    /// The pieces of a position as FEN.
    pub(super) fn of_fen(fen: &str) -> Placement {
        let mut squares = [0; 128];
        let board = fen.split(' ').next().unwrap_or_default();
        let mut at = 0;
        for letter in board.bytes() {
            match letter {
                b'/' => {}
                b'1'..=b'8' => at += usize::from(letter - b'0'),
                piece => {
                    if at < 64 {
                        squares[at] = piece;
                        squares[at + 64] = if matches!(piece, b'p' | b'P') { piece } else { 0 };
                    }
                    at += 1;
                }
            }
        }
        Placement(squares)
    }

    /// The number of squares on which two positions differ; squares that differ by a pawn count twice.
    pub(super) fn distance(&self, other: &Placement) -> u32 {
        self.0.iter().zip(&other.0).map(|(one, other)| u32::from(one != other)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_of_a_pawn_counts_twice_as_much_as_that_of_a_piece() {
        let start = Placement::of_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let pawn = Placement::of_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        let knight = Placement::of_fen("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
        assert_eq!((start.distance(&start), start.distance(&pawn), start.distance(&knight)), (0, 4, 2));
        assert_eq!(pawn.distance(&knight), 6);
    }
}
