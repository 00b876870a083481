//! Positions as FEN, and moves in UCI notation. The article has only the start position; UCI can set up any.

use std::fmt;

use chess::{CastlingClaim, FenError, Setup};
use uci::{StartPosition, UciMove};

use super::board::{EMPTY, Mailbox, Square, from_letter, letter};
use super::position::{CastlingRights, Move, Position};

impl Position {
    pub fn start() -> Position {
        Position::from_fen(StartPosition::Startpos.fen()).expect("the first position is legal")
    }

    /// Parses a FEN. The two counters at its end are ignored and may be missing.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Ok(Position::of(&Setup::of_standard(fen)?))
    }

    pub fn of(setup: &Setup) -> Position {
        let mut board = Mailbox::empty();
        for (square, piece) in setup.pieces() {
            board[square.into()] = from_letter(piece.letter()).unwrap_or(EMPTY);
        }
        let side = setup.side_to_move;
        let mut passed = [None; 2];
        passed[(!side).index()] = setup.ep_square.map(Square::from);
        let castling = CastlingRights(setup.outer_castling());
        Position { board, castling, passed, side, balance: 0 }
    }
}

impl Position {
    /// The piece on a square, as FEN has it.
    pub fn on(&self, square: chess::Square) -> Option<chess::Piece> {
        letter(self.board[square.into()]).and_then(chess::Piece::from_letter)
    }
}

/// A FEN without the two counters.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = Setup {
            board: std::array::from_fn(|index| self.on(chess::Square::from_index(index))),
            side_to_move: self.side,
            castling: CastlingClaim::outer(self.castling.0),
            ep_square: self.passed[(!self.side).index()].map(Square::into),
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        f.write_str(setup.to_string().trim_end_matches(" 0 1"))
    }
}

/// A move of the engine in UCI notation; it always promotes to a queen.
pub fn write(position: &Position, mv: Move) -> UciMove {
    let piece = if position.is_promotion(mv) { "q" } else { "" };
    format!("{mv}{piece}").parse().expect("two squares are a move")
}

/// Plays a move in UCI notation, with any promotion. `None` if it is illegal.
pub fn play(position: &Position, text: UciMove) -> Option<Position> {
    let text = text.as_str();
    let square = |text: &str| text.parse::<chess::Square>().ok().map(Square::from);
    let mv = Move { from: square(&text[..2])?, to: square(&text[2..4])? };
    if !position.legal_moves().contains(&mv) {
        return None;
    }
    let mut next = *position;
    match (position.is_promotion(mv), &text[4..]) {
        (false, "") => next.play(mv),
        (true, letter @ ("q" | "r" | "b" | "n")) => {
            next.play_promotion(mv, from_letter(letter.chars().next()?)?.abs());
        }
        _ => return None,
    }
    Some(next)
}
