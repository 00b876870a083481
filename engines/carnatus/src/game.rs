//! A game: a position with the colour of the side to move, which [`Position`] does not know.

use std::fmt;

use chess::{Color, FenError, Setup};
use uci::StartPosition;

use super::board::{Board, Piece, Square};
use super::piece_square::full_sum;
use super::position::{Move, Position};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// As the side to move sees it.
    pub position: Position,
    pub side: Color,
}

impl Game {
    pub fn find(&self, text: &str) -> Option<Move> {
        self.position.legal_moves().into_iter().find(|&mv| mv.to_uci(self.side).as_str() == text)
    }

    pub fn play(&self, mv: Move) -> Game {
        Game { position: self.position.play(mv), side: !self.side }
    }

    pub fn perft(position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => position.legal_moves().len() as u64,
            _ => position.legal_moves().iter().map(|&mv| Game::perft(&position.play(mv), depth - 1)).sum(),
        }
    }

    pub fn start() -> Game {
        Game::from_fen(StartPosition::Startpos.fen()).expect("the initial position is legal")
    }

    /// Any legal position. The game has no clocks.
    pub fn from_fen(text: &str) -> Result<Game, FenError> {
        let setup = Setup::of_standard(text)?;
        let mut board = Board::empty();
        for (square, piece) in setup.pieces() {
            board.put(square.into(), Piece(piece.letter() as u8));
        }
        // Black sees the king's side on the left.
        let [[white_right, white_left], black] = setup.outer_castling();
        let white_view = Position {
            score: full_sum(&board),
            board,
            castling: [white_left, white_right],
            their_castling: black,
            en_passant: None,
            king_passant: None,
        };
        let side = setup.side_to_move;
        let mut position = if side == Color::White { white_view } else { white_view.flip() };
        position.en_passant = setup.ep_square.map(|square| Square::from(square).seen_by(side));
        Ok(Game { position, side })
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Color::White => write!(f, "{}\n\nWhite to move", self.position.board),
            Color::Black => write!(f, "{}\n\nBlack to move", self.position.board.flip()),
        }
    }
}
