//! A position and what a move makes of it ("Générateur de course").
//!
//! There is no side to move: whoever moves plays up the board with capital letters, and after each move the board is
//! turned for the other side.

use super::board::Board;
use super::piece::Piece;
use super::square::{N, S, Square};

/// Two cells, and what a pawn becomes on the last rank. The document has the two cells alone and every pawn becomes a
/// queen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// What a pawn becomes.
    pub promotion: Option<Piece>,
}

/// A board as the side to move sees it, with what the board does not show.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The cells.
    pub board: Board,
    /// The sum of the piece-square values, ours less theirs, kept up to date move by move.
    pub score: i32,
    /// Whether our rook on the left and on the right of our side may castle.
    pub castling: [bool; 2],
    /// The same for the opponent, left and right as the opponent sees them.
    pub their_castling: [bool; 2],
    /// The square that a pawn of the opponent has just passed.
    pub en_passant: Option<Square>,
    /// The square that the opponent's king has just passed in castling; its rook stands there now. A move to that
    /// square or one beside it takes the king, which is how castling out of, through or into check loses.
    pub king_passant: Option<Square>,
}

impl Position {
    /// The position as the opponent sees it when we pass: nothing can be taken in passing any more.
    #[must_use]
    pub fn flip(&self) -> Position {
        Position {
            board: self.board.flip(),
            score: -self.score,
            castling: self.their_castling,
            their_castling: self.castling,
            en_passant: None,
            king_passant: None,
        }
    }

    /// The position after a move, as the opponent sees it.
    #[must_use]
    pub fn play(&self, mv: Move) -> Position {
        let Move { from, to, promotion } = mv;
        let piece = self.board.get(from);
        let mut after = Position { score: self.score + self.value(mv), ..self.clone() };
        let (mut en_passant, mut king_passant) = (None, None);
        after.board.put(to, promotion.unwrap_or(piece));
        after.board.put(from, Piece::EMPTY);
        after.lose_castling(from, to);
        if piece == Piece::KING {
            after.castling = [false; 2];
            if let Some((rook_from, rook_to)) = castling_rook(from, to) {
                after.board.put(rook_from, Piece::EMPTY);
                after.board.put(rook_to, Piece::ROOK);
                king_passant = Some(rook_to.flip());
            }
        }
        if piece == Piece::PAWN {
            if from.step(N + N) == to {
                en_passant = Some(from.step(N).flip());
            }
            if self.en_passant == Some(to) {
                after.board.put(to.step(S), Piece::EMPTY);
            }
        }
        Position { en_passant, king_passant, ..after.flip() }
    }

    /// A rook that leaves its corner or is taken there castles no more.
    fn lose_castling(&mut self, from: Square, to: Square) {
        self.castling[0] &= from != Square::A1;
        self.castling[1] &= from != Square::H1;
        // Our upper right is the opponent's lower left.
        self.their_castling[0] &= to != Square::H8;
        self.their_castling[1] &= to != Square::A8;
    }

    /// Whether a move to `square` takes the king, on its square or in passing.
    pub fn is_king_taken_on(&self, square: Square) -> bool {
        self.board.get(square) == Piece::KING.flip() || self.passes_king(square)
    }

    /// Whether the opponent's king has just been on `square`, passed it, or come to it by castling.
    pub fn passes_king(&self, square: Square) -> bool {
        self.king_passant.is_some_and(|passed| passed.distance(square) <= 1)
    }
}

/// Where the rook comes from and goes to when the king moves two cells.
pub fn castling_rook(from: Square, to: Square) -> Option<(Square, Square)> {
    let corner = if to < from { Square::A1 } else { Square::H1 };
    (from.distance(to) == 2).then(|| (corner, from.midpoint(to)))
}
