//! Positions from FEN, for both colours; the program of the document forgets who is to move.

use uci::server::{Color, FenError, FenFields};

use super::board::Board;
use super::game::Game;
use super::piece::Piece;
use super::piece_square::full_sum;
use super::position::Position;
use super::side::Side;
use super::square::{N, Square};

impl Game {
    /// The initial position.
    ///
    /// # Panics
    /// Never: its FEN is legal.
    pub fn start() -> Game {
        Game::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").expect("a legal position")
    }

    /// Any legal position. The game has no clocks, so that the last two fields are not looked at.
    ///
    /// # Errors
    /// [`FenError`] when a field cannot be read or the position cannot arise in a game.
    pub fn from_fen(text: &str) -> Result<Game, FenError> {
        let fields = FenFields::split(text)?;
        let mut board = Board::empty();
        for piece in fields.pieces()? {
            board.put(Square::new(piece.file, piece.rank), Piece(piece.letter as u8));
        }
        check_board(&board)?;
        let [white, black] = read_castling(fields.castling, &board)?;
        let white_view = Position {
            score: full_sum(&board),
            board,
            castling: white,
            their_castling: black,
            en_passant: None,
            king_passant: None,
        };
        let (side, mut position) = match fields.side {
            Color::White => (Side::White, white_view),
            Color::Black => (Side::Black, white_view.flip()),
        };
        if position.can_take_king() {
            return Err(FenError::Illegal("the side that is not to move is in check"));
        }
        position.en_passant = read_en_passant(fields.en_passant, side, &position.board)?;
        Ok(Game { position, side })
    }
}

fn check_board(board: &Board) -> Result<(), FenError> {
    for king in [Piece::KING, Piece::KING.flip()] {
        if board.pieces().filter(|(_, piece)| *piece == king).count() != 1 {
            return Err(FenError::Illegal("each side has one king"));
        }
    }
    let is_pawn = |piece| piece == Piece::PAWN || piece == Piece::PAWN.flip();
    let stands_wrong =
        |(square, piece): (Square, Piece)| is_pawn(piece) && (square <= Square::H8 || square >= Square::A1);
    if board.pieces().any(stands_wrong) {
        return Err(FenError::Illegal("a pawn stands on the first or the last rank"));
    }
    Ok(())
}

/// The rights of both sides, left and right as each sees them.
fn read_castling(text: &str, board: &Board) -> Result<[[bool; 2]; 2], FenError> {
    let mut rights = [[false; 2]; 2];
    for letter in text.chars().filter(|_| text != "-") {
        let (side, index, corner, view) = match letter {
            'Q' => (0, 0, Square::A1, *board),
            'K' => (0, 1, Square::H1, *board),
            'k' => (1, 0, Square::A1, board.flip()),
            'q' => (1, 1, Square::H1, board.flip()),
            _ => return Err(FenError::field("3 (castling)", "letters of KQkq, or `-`", text)),
        };
        let king = Square::new(4 - side as u8, 0);
        if view.get(king) != Piece::KING || view.get(corner) != Piece::ROOK {
            return Err(FenError::Illegal("the king or the rook is not where castling starts"));
        }
        rights[side][index] = true;
    }
    Ok(rights)
}

/// The square that a pawn has passed, as the side to move sees it.
fn read_en_passant(text: &str, side: Side, board: &Board) -> Result<Option<Square>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    let square = Square::from_text(text).map(|square| side.sees(square));
    let expected = "a square such as e3, or `-`";
    let square = square.ok_or_else(|| FenError::field("4 (en passant)", expected, text))?;
    let was_passed = board.get(square) == Piece::EMPTY
        && board.get(square.step(N)) == Piece::EMPTY
        && board.get(square.step(-N)) == Piece::PAWN.flip();
    let is_on_sixth_rank = square.step(N).step(N).is_on_last_rank();
    if was_passed && is_on_sixth_rank {
        Ok(Some(square))
    } else {
        Err(FenError::Illegal("no pawn has just passed the en passant square"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_position_is_told_with_its_field() {
        for (fen, part) in [
            ("8/8 w -", "four to six fields, found 3"),
            ("8/8 w - -", "field 1 (board)"),
            ("rnbqkbnr/pppppppp/8/8/8/9/PPPPPPPP/RNBQKBNR w KQkq -", "field 1 (board)"),
            ("4k3/8/8/8/8/8/8/4K3 white - -", "field 2 (side to move)"),
            ("4k3/8/8/8/8/8/8/4K3 w X -", "field 3 (castling)"),
            ("4k3/8/8/8/8/8/8/4K3 w K -", "where castling starts"),
            ("4k3/8/8/8/8/8/8/4K3 w - e9", "field 4 (en passant)"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6", "no pawn has just passed"),
            ("4k3/8/8/8/8/8/8/8 w - -", "one king"),
            ("P3k3/8/8/8/8/8/8/4K3 w - -", "first or the last rank"),
            ("4k3/4R3/8/8/8/8/8/4K3 w - -", "not to move is in check"),
        ] {
            let message = Game::from_fen(fen).unwrap_err().to_string();
            assert!(message.contains(part), "{fen}: {message}");
        }
    }

    #[test]
    fn the_score_is_that_of_the_side_to_move() {
        let score =
            |side| Game::from_fen(&format!("4k3/8/8/8/8/8/8/Q3K3 {side} - -")).unwrap().position.score;
        assert!(score('w') > 800);
        assert_eq!(score('w'), -score('b'));
    }
}
