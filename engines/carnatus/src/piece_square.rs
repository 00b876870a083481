//! The value of a piece on its square ("Évaluation du conseil").
//!
//! The values of the pieces are the document's. It takes the tables from Thomas Ahle's Sunfish (2014 to 2020), where they
//! were tuned. They are drawn from the side to move's view, with its own side below. Both sides read them by rotating the
//! board, so what is left for White is right for Black.

use super::board::{Board, Piece, S, Square};
use super::position::{Move, Position, castling_rook};

const PAWN: i32 = 100;
const KNIGHT: i32 = 280;
const BISHOP: i32 = 320;
const ROOK: i32 = 479;
/// The value of the queen, the unit of the mate bounds of the search.
pub const QUEEN: i32 = 929;
/// The value of the king: whoever has lost it has lost, even with all pawns promoted and all pieces on the board.
pub const KING: i32 = 60_000;

type Table = [i32; 120];

const PAWN_TABLE: Table = padded(
    PAWN,
    [
        [0, 0, 0, 0, 0, 0, 0, 0],
        [78, 83, 86, 73, 102, 82, 85, 90],
        [7, 29, 21, 44, 40, 31, 44, 7],
        [-17, 16, -2, 15, 14, 0, 15, -13],
        [-26, 3, 10, 9, 6, 1, 0, -23],
        [-22, 9, 5, -11, -10, -2, 3, -19],
        [-31, 8, -7, -37, -36, -14, 3, -31],
        [0, 0, 0, 0, 0, 0, 0, 0],
    ],
);

const KNIGHT_TABLE: Table = padded(
    KNIGHT,
    [
        [-66, -53, -75, -75, -10, -55, -58, -70],
        [-3, -6, 100, -36, 4, 62, -4, -14],
        [10, 67, 1, 74, 73, 27, 62, -2],
        [24, 24, 45, 37, 33, 41, 25, 17],
        [-1, 5, 31, 21, 22, 35, 2, 0],
        [-18, 10, 13, 22, 18, 15, 11, -14],
        [-23, -15, 2, 0, 2, 0, -23, -20],
        [-74, -23, -26, -24, -19, -35, -22, -69],
    ],
);

const BISHOP_TABLE: Table = padded(
    BISHOP,
    [
        [-59, -78, -82, -76, -23, -107, -37, -50],
        [-11, 20, 35, -42, -39, 31, 2, -22],
        [-9, 39, -32, 41, 52, -10, 28, -14],
        [25, 17, 20, 34, 26, 25, 15, 10],
        [13, 10, 17, 23, 17, 16, 0, 7],
        [14, 25, 24, 15, 8, 25, 20, 15],
        [19, 20, 11, 6, 7, 6, 20, 16],
        [-7, 2, -15, -12, -14, -15, -10, -10],
    ],
);

const ROOK_TABLE: Table = padded(
    ROOK,
    [
        [35, 29, 33, 4, 37, 33, 56, 50],
        [55, 29, 56, 67, 55, 62, 34, 60],
        [19, 35, 28, 33, 45, 27, 25, 15],
        [0, 5, 16, 13, 18, -4, -9, -6],
        [-28, -35, -16, -21, -13, -29, -46, -30],
        [-42, -28, -42, -25, -25, -35, -26, -46],
        [-53, -38, -31, -26, -29, -43, -44, -53],
        [-30, -24, -18, 5, -2, -18, -31, -32],
    ],
);

const QUEEN_TABLE: Table = padded(
    QUEEN,
    [
        [6, 1, -8, -104, 69, 24, 88, 26],
        [14, 32, 60, -10, 20, 76, 57, 24],
        [-2, 43, 32, 60, 72, 63, 43, 2],
        [1, -16, 22, 17, 25, 20, -13, -6],
        [-14, -15, -2, -5, -1, -10, -20, -22],
        [-30, -6, -13, -11, -16, -11, -16, -27],
        [-36, -18, 0, -19, -15, -15, -21, -38],
        [-39, -30, -31, -13, -31, -36, -34, -42],
    ],
);

const KING_TABLE: Table = padded(
    KING,
    [
        [4, 54, 47, -99, -99, 60, 83, -62],
        [-32, 10, 55, 56, 56, 55, 10, 3],
        [-62, 12, -57, 44, -67, 28, 37, -31],
        [-55, 50, 11, -4, -19, 13, 0, -49],
        [-55, -43, -52, -28, -51, -47, -8, -50],
        [-47, -42, -43, -79, -64, -32, -29, -32],
        [-4, 3, -14, -50, -57, -18, 13, 4],
        [17, 30, -3, -14, 6, -1, 40, 18],
    ],
);

/// A table of the 120 cells that includes the value of the piece; the padding is worth 0.
const fn padded(value: i32, ranks: [[i32; 8]; 8]) -> Table {
    let mut table = [0; 120];
    let mut cell = 0;
    while cell < 64 {
        let (row, column) = (cell / 8, cell % 8);
        table[10 * (row + 2) + column + 1] = value + ranks[row][column];
        cell += 1;
    }
    table
}

/// The value of one of our pieces on a square; 0 for other contents.
pub fn worth(piece: Piece, square: Square) -> i32 {
    let table = match piece {
        Piece::PAWN => &PAWN_TABLE,
        Piece::KNIGHT => &KNIGHT_TABLE,
        Piece::BISHOP => &BISHOP_TABLE,
        Piece::ROOK => &ROOK_TABLE,
        Piece::QUEEN => &QUEEN_TABLE,
        Piece::KING => &KING_TABLE,
        _ => return 0,
    };
    table[square.index()]
}

/// The score of a board, computed from scratch: our pieces minus theirs.
pub fn full_sum(board: &Board) -> i32 {
    let signed = |(square, piece): (Square, Piece)| worth(piece, square) - worth(piece.flip(), square.flip());
    board.pieces().map(signed).sum()
}

impl Position {
    pub fn value(&self, mv: Move) -> i32 {
        let Move { from, to, promotion } = mv;
        let piece = self.board.get(from);
        let mut value = worth(promotion.unwrap_or(piece), to) - worth(piece, from);
        value += worth(self.board.get(to).flip(), to.flip());
        if self.passes_king(to) {
            value += worth(Piece::KING, to.flip());
        }
        if piece == Piece::KING
            && let Some((rook_from, rook_to)) = castling_rook(from, to)
        {
            value += worth(Piece::ROOK, rook_to) - worth(Piece::ROOK, rook_from);
        }
        if piece == Piece::PAWN && self.en_passant == Some(to) {
            value += worth(Piece::PAWN, to.step(S).flip());
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_king_outweighs_eight_queens_and_all_pieces() {
        let best = |piece| Square::all().map(|square| worth(piece, square)).max().unwrap();
        let army = 9 * best(Piece::QUEEN)
            + 2 * [Piece::ROOK, Piece::BISHOP, Piece::KNIGHT].map(best).iter().sum::<i32>();
        assert!(
            Square::all()
                .map(|square| worth(Piece::KING, square))
                .filter(|&king| king > 0)
                .all(|king| king > army)
        );
    }
}
