//! Openings: where a game starts, what a book says about it, the range of wanted evals, and the position with colours
//! reversed.

use std::fmt;

use crate::files::OpeningError;
use crate::{EpdOperation, FenError, Referee, Side, Variant};

/// The start of a game: a position, and the moves that are played from there before the engines think.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// The start position as FEN; `None` for the standard one.
    pub start_fen: Option<String>,
    /// The moves of the opening in UCI notation.
    pub moves: Vec<String>,
    /// The line of the book, counted from 1. For PGN it is the first line of the game, for Polyglot the entry of the
    /// last move.
    pub line: usize,
    /// The name of the opening in the book.
    pub name: Option<String>,
}

impl Opening {
    /// A referee after the last move of the opening.
    ///
    /// # Errors
    /// [`OpeningError`] if the position or a move is illegal in the variant, which is impossible for an opening from a
    /// [`Book`](super::Book) of that variant.
    pub fn referee(&self, variant: Variant) -> Result<Referee, OpeningError> {
        let mut referee = Referee::from_start(self.start_fen.as_deref(), variant)?;
        for text in &self.moves {
            referee.play(text)?;
        }
        Ok(referee)
    }
}

/// A line of a book: its moves, its last position and its eval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedOpening {
    /// The variant that the line was read in.
    pub variant: Variant,
    /// The position before the moves, as FEN; `None` for the standard start position.
    pub start_fen: Option<String>,
    /// The moves, in standard algebraic notation; empty if the book has only the position.
    pub moves: Vec<String>,
    /// The position after the moves, from which games start, as FEN.
    pub fen: String,
    /// The key of the position after the moves ([`Referee::position_key`]).
    pub key: u64,
    /// The eval of an engine, in centipawns for White.
    pub eval: Option<i32>,
    /// The name of the opening in the book.
    pub name: Option<String>,
    /// The other operations of a line of EPD.
    pub operations: Vec<EpdOperation>,
    /// The line of the book, counted from 1; 0 if the opening is in no book yet.
    pub line: usize,
}

/// Reads an eval. The smallest `i32` has no negative, so it counts as the next one.
pub(super) fn eval_of(text: &str) -> Option<i32> {
    text.parse().ok().map(|eval: i32| eval.max(-i32::MAX))
}

impl ListedOpening {
    /// The opening that the referee reached by these moves from `start_fen`, or from the standard start position.
    pub fn reached(referee: &Referee, start_fen: Option<String>, moves: Vec<String>) -> ListedOpening {
        ListedOpening {
            variant: referee.variant(),
            start_fen,
            moves,
            fen: referee.fen(),
            key: referee.position_key(),
            ..ListedOpening::default()
        }
    }

    /// The plies from the standard start position, by the moves or by the move number; `None` if the book has neither.
    pub fn plies(&self) -> Option<usize> {
        if self.start_fen.is_none() {
            return Some(self.moves.len());
        }
        let number: usize = self.fen.rsplit(' ').next()?.parse().ok()?;
        let plies = number.checked_sub(1)? * 2 + usize::from(self.side_to_move() == Side::Black);
        (number > 1).then_some(plies)
    }

    /// The number of pieces and pawns on the board.
    pub fn pieces(&self) -> usize {
        let board = self.fen.split([' ', '[']).next().unwrap_or_default();
        board.chars().filter(char::is_ascii_alphabetic).count()
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Side {
        if self.fen.split(' ').nth(1) == Some("b") { Side::Black } else { Side::White }
    }

    /// The [`key`](Self::key) of the position with colours reversed.
    ///
    /// # Errors
    /// If the mirrored position is illegal in the variant, which is impossible if the position is legal.
    pub fn mirrored_key(&self, variant: Variant) -> Result<u64, FenError> {
        Ok(Referee::from_fen(&mirrored(&self.fen), variant)?.position_key())
    }
}

/// The FEN of a position with colours reversed: the board upside down and the other side to move. A text that is no FEN
/// of at least four fields is returned unchanged.
pub(super) fn mirrored(fen: &str) -> String {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let [board, side, castling, en_passant, clocks @ ..] = fields.as_slice() else { return fen.to_owned() };
    let board: Vec<String> = board.rsplit('/').map(swapped).collect();
    let side = if *side == "w" { "b" } else { "w" };
    let castling = swapped(castling);
    // White's rights come first.
    let (white, black): (String, String) = castling.chars().partition(char::is_ascii_uppercase);
    let en_passant = en_passant.replace(['3', '6'], if en_passant.ends_with('3') { "6" } else { "3" });
    let fields =
        [&[board.join("/"), side.to_owned(), white + &black, en_passant], &owned(clocks)[..]].concat();
    fields.join(" ")
}

fn owned(fields: &[&str]) -> Vec<String> {
    fields.iter().map(|field| (*field).to_owned()).collect()
}

/// Swaps upper and lower case.
fn swapped(text: &str) -> String {
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    text.chars().map(swap).collect()
}

/// The range of a wanted advantage, in centipawns, and the side that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalRange {
    /// The smallest advantage.
    pub least: u32,
    /// The largest advantage, at least the smallest.
    pub most: u32,
    /// The side with the advantage; `None` for either side.
    pub favours: Option<Side>,
}

impl EvalRange {
    /// Whether an eval for White is in range.
    pub fn contains(&self, eval: i32) -> bool {
        self.distance(eval) == 0
    }

    /// The distance of an eval for White from the range, in centipawns; 0 within the range.
    pub fn distance(&self, eval: i32) -> u32 {
        let advantage = match self.favours {
            None => i64::from(eval).abs(),
            Some(Side::White) => i64::from(eval),
            Some(Side::Black) => -i64::from(eval),
        };
        let outside = (i64::from(self.least) - advantage).max(advantage - i64::from(self.most)).max(0);
        outside.try_into().unwrap_or(u32::MAX)
    }
}

impl fmt::Display for EvalRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {} centipawns for ", self.least, self.most)?;
        match self.favours {
            Some(side) => side.fmt(f),
            None => f.write_str("either side"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::random_game;
    use crate::{Referee, Variant};

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
    fn a_mirror_has_the_other_key_castling_rights_and_en_passant_square() {
        let white = at("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        let black = at("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
        assert_ne!(white.key, black.key);
        assert_eq!(white.mirrored_key(Variant::Standard).unwrap(), black.key);
        let fen = "r3k2r/8/8/8/3pP3/8/8/4K2R b Kkq e3 0 7";
        assert_eq!(mirrored(fen), "4k2r/8/8/3Pp3/8/8/8/R3K2R w KQk e6 0 7");
        assert_eq!(mirrored("8/8/8/8/8/8/8/8 w - -"), "8/8/8/8/8/8/8/8 b - -");
    }

    proptest! {
        #[test]
        fn a_mirror_of_a_mirror_is_the_position_and_has_as_many_moves(choices in prop::collection::vec(0_usize..1000, 0..40)) {
            let (_, referee) = random_game(Variant::Standard, &choices);
            let fen = referee.fen();
            prop_assert_eq!(mirrored(&mirrored(&fen)), fen.clone());
            let other = Referee::from_fen(&mirrored(&fen), Variant::Standard).unwrap();
            prop_assert_eq!(other.legal_moves().len(), referee.legal_moves().len());
        }
    }

    #[test]
    fn an_advantage_counts_for_the_favoured_side() {
        let range = |favours| EvalRange { least: 80, most: 120, favours };
        let distances = |range: EvalRange| [-130, -80, 0, 79, 100, 125].map(|eval| range.distance(eval));
        assert_eq!(distances(range(None)), [10, 0, 80, 1, 0, 5]);
        assert!(range(None).contains(-80) && !range(None).contains(-10_000));
        assert_eq!(distances(range(Some(Side::White))), [210, 160, 80, 1, 0, 5]);
        assert_eq!(distances(range(Some(Side::Black))), [10, 0, 80, 159, 180, 205]);
    }
}
