//! A position with the colour of the side to move.
//!
//! [`Position`] knows no colours; a game says whose they are.

use std::fmt;

use super::position::{Move, Position};
use super::side::Side;

/// A position and whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The position as the side to move sees it.
    pub position: Position,
    /// The side to move.
    pub side: Side,
}

impl Game {
    /// The legal move that the protocol's text names.
    pub fn find(&self, text: &str) -> Option<Move> {
        self.position.legal_moves().into_iter().find(|&mv| self.side.uci(mv).as_str() == text)
    }

    /// The game after a legal move.
    #[must_use]
    pub fn play(&self, mv: Move) -> Game {
        Game { position: self.position.play(mv), side: self.side.other() }
    }

    /// The leaves of the tree of legal moves, `depth` plies deep.
    pub fn perft(position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => position.legal_moves().len() as u64,
            _ => position.legal_moves().iter().map(|&mv| Game::perft(&position.play(mv), depth - 1)).sum(),
        }
    }
}

/// The board as White sees it, with the side to move.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Side::White => write!(f, "{}\n\nWhite to move", self.position.board),
            Side::Black => write!(f, "{}\n\nBlack to move", self.position.board.flip()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::Square;

    #[test]
    fn black_castles_on_the_turned_board() {
        let game = Game::from_fen("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1").unwrap();
        for (castling, rook) in [("e8g8", "f8"), ("e8c8", "d8")] {
            let after = game.play(game.find(castling).unwrap());
            let rook = Square::from_text(rook).unwrap();
            assert_eq!(char::from(after.position.board.get(rook).0), 'r', "{castling}");
        }
    }

    #[test]
    fn an_underpromotion_is_found_by_its_text() {
        let game = Game::from_fen("8/8/8/8/8/2k5/p7/2K5 b - - 0 1").unwrap();
        let knight = game.find("a2a1n").unwrap();
        assert!(game.play(knight).to_string().contains("1 n . K"), "{}", game.play(knight));
        assert_eq!(game.find("a2a1"), None);
    }
}
