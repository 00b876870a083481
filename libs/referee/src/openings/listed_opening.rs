//! An opening with everything that a book says about it.

use super::mirrored::mirrored;
use crate::{EpdOperation, FenError, Referee, Side, Variant};

/// A line of a book: its moves, its last position and its eval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOpening {
    /// The position that its moves start from, as FEN; `None` is the usual start position.
    pub start_fen: Option<String>,
    /// The moves, in standard algebraic notation; none where the book has only the position.
    pub moves: Vec<String>,
    /// The position that a game starts from, as FEN.
    pub fen: String,
    /// What two equal positions share, as [`Referee::position_key`] has it.
    pub key: u64,
    /// The eval of an engine, in centipawns for White.
    pub eval: Option<i32>,
    /// What the book calls it.
    pub name: Option<String>,
    /// Whatever else a line of EPD says.
    pub operations: Vec<EpdOperation>,
    /// Its line in the book, counted from 1; 0 where it is in none yet.
    pub line: usize,
}

/// Reads an eval. The smallest number has no opposite for the other side, and counts as the next one.
pub(super) fn eval_of(text: &str) -> Option<i32> {
    text.parse().ok().map(|eval: i32| eval.max(-i32::MAX))
}

impl ListedOpening {
    /// The opening that a referee has followed by these moves from the usual start position, or from `start_fen`.
    pub fn reached(referee: &Referee, start_fen: Option<String>, moves: Vec<String>) -> ListedOpening {
        ListedOpening {
            start_fen,
            moves,
            fen: referee.fen(),
            key: referee.position_key(),
            eval: None,
            name: None,
            operations: Vec::new(),
            line: 0,
        }
    }

    /// Half-moves from the usual start position, by the moves or by the number of the move; `None` where the book has
    /// neither.
    pub fn plies(&self) -> Option<usize> {
        if self.start_fen.is_none() {
            return Some(self.moves.len());
        }
        let number: usize = self.fen.rsplit(' ').next()?.parse().ok()?;
        let plies = number.checked_sub(1)? * 2 + usize::from(self.side_to_move() == Side::Black);
        (number > 1).then_some(plies)
    }

    /// Pieces and pawns on the board.
    pub fn pieces(&self) -> usize {
        let board = self.fen.split(' ').next().unwrap_or_default();
        board.chars().filter(char::is_ascii_alphabetic).count()
    }

    /// Who begins the game.
    pub fn side_to_move(&self) -> Side {
        if self.fen.split(' ').nth(1) == Some("b") { Side::Black } else { Side::White }
    }

    /// What [`key`](Self::key) would be with the colours changed.
    ///
    /// # Errors
    /// The position is illegal in the variant, which cannot be where it is legal itself.
    pub fn mirrored_key(&self, variant: Variant) -> Result<u64, FenError> {
        Ok(Referee::from_fen(&mirrored(&self.fen), variant)?.position_key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(fen: &str) -> ListedOpening {
        let referee = Referee::from_fen(fen, Variant::Standard).unwrap();
        ListedOpening::reached(&referee, Some(fen.to_owned()), Vec::new())
    }

    #[test]
    fn plies_come_from_the_moves_or_from_the_number_of_the_move() {
        let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
        assert_eq!(at(&format!("{board} w KQkq - 0 2")).plies(), Some(2));
        assert_eq!(at(&format!("{board} b KQkq - 0 5")).plies(), Some(9));
        assert_eq!(at(&format!("{board} w KQkq - 0 1")).plies(), None);
        let mut with_moves = at(&format!("{board} w KQkq - 0 1"));
        with_moves.start_fen = None;
        with_moves.moves = vec!["e4".to_owned(), "e5".to_owned()];
        assert_eq!((with_moves.plies(), with_moves.pieces()), (Some(2), 32));
    }

    #[test]
    fn a_position_and_its_mirror_have_each_others_keys() {
        let white = at("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        let black = at("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
        assert_ne!(white.key, black.key);
        assert_eq!(white.mirrored_key(Variant::Standard).unwrap(), black.key);
    }
}
