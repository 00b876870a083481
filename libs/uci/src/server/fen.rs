//! FEN, for engines with a board of their own. Everything is checked here except whether a king is attacked.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Color;

/// A square by its file and rank, displayed as `e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareName {
    /// 0 for the a-file to 7 for the h-file.
    pub file: u8,
    /// 0 for the first rank to 7 for the eighth.
    pub rank: u8,
}

impl SquareName {
    /// All squares, rank by rank from a1 to h8.
    pub fn all() -> impl Iterator<Item = SquareName> {
        (0..64).map(|index| SquareName { file: index % 8, rank: index / 8 })
    }

    /// The square that a text such as `e4` names.
    pub fn from_text(text: &str) -> Option<SquareName> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Some(SquareName { file: file - b'a', rank: rank - b'1' })
            }
            _ => None,
        }
    }
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file), self.rank + 1)
    }
}

/// A piece of the first field, and its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenPiece {
    /// One of `PNBRQK` for White or `pnbrqk` for Black.
    pub letter: char,
    /// The square of the piece.
    pub square: SquareName,
}

/// The fields of a FEN. The last two may be missing.
///
/// A FEN that has been read has one king per side, no pawn on the first or last rank, castling rights only for kings
/// and rooks on their home squares, and an en-passant square only behind a pawn that has just made a double step.
/// Whether the side not to move is in check is left to the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fen {
    /// The pieces; in a FEN that has been read, from a8 to h1.
    pub pieces: Vec<FenPiece>,
    /// The side to move.
    pub side: Color,
    /// Castling rights: White's, then Black's; for each, king side, then queen side.
    pub castling: [[bool; 2]; 2],
    /// The square that a pawn has just passed over.
    pub en_passant: Option<SquareName>,
    /// Plies since the last capture or pawn move.
    pub half_move_clock: Option<u32>,
    /// The number of the full move, from 1.
    pub move_number: Option<u32>,
}

/// A text that is not a FEN of a legal position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages have the fields")]
pub enum PositionError {
    /// The number of fields is wrong.
    #[error("a FEN has four to six fields, found {0}")]
    Fields(usize),
    /// A field that cannot be read.
    #[error("FEN field {field}: expected {expected}, found `{found}`")]
    Field { field: &'static str, expected: &'static str, found: String },
    /// The FEN can be read, but the position is illegal.
    #[error("the position is illegal: {0}")]
    Illegal(&'static str),
}

impl PositionError {
    fn field(field: &'static str, expected: &'static str, found: &str) -> PositionError {
        PositionError::Field { field, expected, found: found.to_owned() }
    }
}

impl Fen {
    /// The pieces of a board, given the letter on each square.
    pub fn pieces_of(letter_on: impl Fn(SquareName) -> Option<char>) -> Vec<FenPiece> {
        let piece = |square| letter_on(square).map(|letter| FenPiece { letter, square });
        SquareName::all().filter_map(piece).collect()
    }

    fn letter_on(&self, square: SquareName) -> Option<char> {
        self.pieces.iter().find(|piece| piece.square == square).map(|piece| piece.letter)
    }

    fn check_pieces(&self) -> Result<(), PositionError> {
        let kings = |king| self.pieces.iter().filter(|piece| piece.letter == king).count();
        if (kings('K'), kings('k')) != (1, 1) {
            return Err(PositionError::Illegal("each side has one king"));
        }
        let is_lost =
            |piece: &FenPiece| matches!(piece.letter, 'P' | 'p') && matches!(piece.square.rank, 0 | 7);
        if self.pieces.iter().any(is_lost) {
            return Err(PositionError::Illegal("a pawn stands on the first or the last rank"));
        }
        Ok(())
    }

    fn read_castling(&mut self, text: &str) -> Result<(), PositionError> {
        for letter in text.chars().filter(|_| text != "-") {
            let index = "KQkq".find(letter);
            let index =
                index.ok_or_else(|| PositionError::field("3 (castling)", "letters of KQkq, or `-`", text))?;
            let (side, wing) = (index / 2, index % 2);
            let (rank, [king, rook]) = [(0, ['K', 'R']), (7, ['k', 'r'])][side];
            let stands = |letter, file| self.letter_on(SquareName { file, rank }) == Some(letter);
            if !stands(king, 4) || !stands(rook, [7, 0][wing]) {
                return Err(PositionError::Illegal("the king or the rook is not where castling starts"));
            }
            self.castling[side][wing] = true;
        }
        Ok(())
    }

    fn read_en_passant(&mut self, text: &str) -> Result<(), PositionError> {
        if text == "-" {
            return Ok(());
        }
        let square = SquareName::from_text(text);
        let expected = "a square such as e3, or `-`";
        let square = square.ok_or_else(|| PositionError::field("4 (en passant)", expected, text))?;
        let letter_on_rank = |rank| self.letter_on(SquareName { rank, ..square });
        let (passed, origin, target, pawn) = match self.side {
            Color::White => (5, 6, 4, 'p'),
            Color::Black => (2, 1, 3, 'P'),
        };
        let is_free = |rank| letter_on_rank(rank).is_none();
        if square.rank != passed
            || !is_free(passed)
            || !is_free(origin)
            || letter_on_rank(target) != Some(pawn)
        {
            return Err(PositionError::Illegal("no pawn has just passed the en passant square"));
        }
        self.en_passant = Some(square);
        Ok(())
    }
}

impl FromStr for Fen {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Fen, PositionError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let &[board, side, castling, en_passant, ref clocks @ ..] = fields.as_slice() else {
            return Err(PositionError::Fields(fields.len()));
        };
        if clocks.len() > 2 {
            return Err(PositionError::Fields(fields.len()));
        }
        let side = match side {
            "w" => Color::White,
            "b" => Color::Black,
            found => return Err(PositionError::field("2 (side to move)", "`w` or `b`", found)),
        };
        let clock = |index: usize, field| match clocks.get(index) {
            Some(text) => {
                text.parse().map(Some).map_err(|_| PositionError::field(field, "a whole number", text))
            }
            None => Ok(None),
        };
        let mut fen = Fen {
            pieces: read_board(board)?,
            side,
            castling: [[false; 2]; 2],
            en_passant: None,
            half_move_clock: clock(0, "5 (half-move clock)")?,
            move_number: clock(1, "6 (move number)")?,
        };
        fen.check_pieces()?;
        fen.read_castling(castling)?;
        fen.read_en_passant(en_passant)?;
        Ok(fen)
    }
}

fn read_board(board: &str) -> Result<Vec<FenPiece>, PositionError> {
    let refuse = || PositionError::field("1 (board)", "eight ranks of eight squares", board);
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != 8 {
        return Err(refuse());
    }
    let mut pieces = Vec::with_capacity(32);
    for (rank, letters) in (0..8).rev().zip(ranks) {
        let mut file = 0;
        for letter in letters.chars() {
            match letter {
                '1'..='8' => file += letter as u8 - b'0',
                _ if "PNBRQKpnbrqk".contains(letter) => {
                    pieces.push(FenPiece { letter, square: SquareName { file, rank } });
                    file += 1;
                }
                _ => return Err(refuse()),
            }
            if file > 8 {
                return Err(refuse());
            }
        }
        if file != 8 {
            return Err(refuse());
        }
    }
    Ok(pieces)
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter_on = |file, rank| self.letter_on(SquareName { file, rank }).unwrap_or('1');
        let rank = |rank| (0..8).map(|file| letter_on(file, rank)).collect::<String>();
        let mut board = (0..8).rev().map(rank).collect::<Vec<_>>().join("/");
        for empty in (2..=8).rev() {
            board = board.replace(&"1".repeat(empty), &empty.to_string());
        }
        let side = if self.side == Color::White { 'w' } else { 'b' };
        let rights = "KQkq".chars().zip(self.castling.as_flattened());
        let castling: String = rights.filter_map(|(letter, may)| may.then_some(letter)).collect();
        let castling = if castling.is_empty() { "-" } else { &castling };
        let en_passant = self.en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
        write!(f, "{board} {side} {castling} {en_passant}")?;
        [self.half_move_clock, self.move_number]
            .iter()
            .flatten()
            .try_for_each(|number| write!(f, " {number}"))
    }
}

/// A board in text, seen from White's side with file and rank names, given the letter on each square.
pub fn board_text(letter_on: impl Fn(SquareName) -> Option<char>) -> String {
    let cell = |rank, file| format!(" {}", letter_on(SquareName { file, rank }).unwrap_or('.'));
    let rank = |rank| format!("{}{}\n", rank + 1, (0..8).map(|file| cell(rank, file)).collect::<String>());
    (0..8).rev().map(rank).collect::<String>() + "  a b c d e f g h"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fen_prints_as_it_was_read() {
        for text in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq -",
            "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 7",
        ] {
            assert_eq!(text.parse::<Fen>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn the_fields_are_read() {
        let fen: Fen = " 4k2r/8/8/8/3Pp3/8/8/4K3  b k d3 7 31 ".parse().unwrap();
        let pieces = ["ke8", "rh8", "Pd4", "pe4", "Ke1"];
        let found = fen.pieces.iter().map(|FenPiece { letter, square }| format!("{letter}{square}"));
        assert_eq!(found.collect::<Vec<_>>(), pieces);
        assert_eq!((fen.side, fen.castling), (Color::Black, [[false, false], [true, false]]));
        assert_eq!((fen.half_move_clock, fen.move_number), (Some(7), Some(31)));
        assert_eq!(fen.en_passant.map(|square| square.to_string()).as_deref(), Some("d3"));
    }

    #[test]
    fn what_is_no_position_is_told_with_its_field() {
        for (fen, part) in [
            ("", "a FEN has four to six fields, found 0"),
            ("8/8 w -", "a FEN has four to six fields, found 3"),
            ("8/8/8/8/8/8/8/8 w - - 0 1 2", "a FEN has four to six fields, found 7"),
            ("4k3/8/8/8/8/8/8/4K3 white - -", "field 2 (side to move): expected `w` or `b`, found `white`"),
            ("4k3/8/8/8/8/8/8/4K3 w X -", "field 3 (castling): expected letters of KQkq, or `-`, found `X`"),
            ("4k3/8/8/8/8/8/8/4K3 w K -", "where castling starts"),
            ("r3k2r/8/8/8/8/8/8/R3K1R1 b K -", "where castling starts"),
            ("4k3/8/8/8/8/8/8/4K3 w - e9", "field 4 (en passant): expected a square such as e3, or `-`"),
            ("4k3/8/8/8/8/8/8/4K3 w - e6", "no pawn has just passed"),
            ("4k3/8/8/8/4P3/8/8/4K3 w - e3", "no pawn has just passed"),
            ("4k3/8/8/8/4P3/8/4P3/4K3 b - e3", "no pawn has just passed"),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - x 1",
                "field 5 (half-move clock): expected a whole number, found `x`",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "field 6 (move number): expected a whole number, found `-1`"),
            ("4k3/8/8/8/8/8/8/8 w - -", "each side has one king"),
            ("P3k3/8/8/8/8/8/8/4K3 w - -", "a pawn stands on the first or the last rank"),
        ] {
            let message = fen.parse::<Fen>().unwrap_err().to_string();
            assert!(message.contains(part), "{fen}: {message}");
        }
        for board in [
            "8/8",
            "8/8/8/8/8/8/8/9",
            "8/8/8/8/8/8/8/7",
            "8/8/8/8/8/8/8/x7",
            "8/8/8/8/8/8/8/44p",
            "44444444444444444444444444444444444/8/8/8/8/8/8/8",
        ] {
            let error = format!("{board} w - -").parse::<Fen>().unwrap_err();
            assert_eq!(error, PositionError::field("1 (board)", "eight ranks of eight squares", board));
        }
    }

    #[test]
    fn a_square_is_its_text() {
        for square in SquareName::all() {
            assert_eq!(SquareName::from_text(&square.to_string()), Some(square));
        }
        for text in ["", "e", "e9", "i1", "e22", "E2", "é"] {
            assert_eq!(SquareName::from_text(text), None, "{text}");
        }
    }
}
