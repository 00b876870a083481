//! The text of a FEN, for engines with a board of their own. Legality is not checked.

use super::{Color, FenError};

/// The fields of a FEN. The last two may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenFields<'a> {
    /// The first field, unparsed; see [`FenFields::pieces`].
    pub board: &'a str,
    /// The side to move.
    pub side: Color,
    /// Letters of `KQkq`, or `-`; unparsed.
    pub castling: &'a str,
    /// A square, or `-`; unparsed.
    pub en_passant: &'a str,
    /// Plies since the last capture or pawn move; unparsed.
    pub half_move_clock: Option<&'a str>,
    /// The number of the full move, from 1; unparsed.
    pub move_number: Option<&'a str>,
}

/// A letter of the first field and its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenPiece {
    /// One of `PNBRQK` for White's and `pnbrqk` for Black's.
    pub letter: char,
    /// 0 for the a-file to 7.
    pub file: u8,
    /// 0 for the first rank to 7.
    pub rank: u8,
}

impl<'a> FenFields<'a> {
    /// Splits a FEN.
    ///
    /// # Errors
    /// [`FenError`] when there are too few fields or too many, or neither side is to move.
    pub fn split(fen: &'a str) -> Result<FenFields<'a>, FenError> {
        let fields: Vec<&str> = fen.split_whitespace().collect();
        let count = fields.len();
        let [board, side, castling, en_passant, ref clocks @ ..] = fields[..] else {
            return Err(FenError::Fields(count));
        };
        if clocks.len() > 2 {
            return Err(FenError::Fields(count));
        }
        let side = match side {
            "w" => Color::White,
            "b" => Color::Black,
            found => return Err(FenError::field("2 (side to move)", "`w` or `b`", found)),
        };
        let (half_move_clock, move_number) = (clocks.first().copied(), clocks.get(1).copied());
        Ok(FenFields { board, side, castling, en_passant, half_move_clock, move_number })
    }

    /// The pieces of the first field, from a8 to h1.
    ///
    /// # Errors
    /// [`FenError::Field`] unless the field describes eight ranks of eight squares.
    pub fn pieces(&self) -> Result<Vec<FenPiece>, FenError> {
        let refuse = || FenError::field("1 (board)", "eight ranks of eight squares", self.board);
        let ranks: Vec<&str> = self.board.split('/').collect();
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
                        pieces.push(FenPiece { letter, file, rank });
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clocks_may_be_missing() {
        let fields = FenFields::split("8/8/8/8/8/8/8/8 b KQ e3").unwrap();
        assert_eq!((fields.side, fields.castling, fields.en_passant), (Color::Black, "KQ", "e3"));
        assert_eq!((fields.half_move_clock, fields.move_number), (None, None));
        let fields = FenFields::split(" 8/8/8/8/8/8/8/8  w - - 7 31 ").unwrap();
        assert_eq!((fields.half_move_clock, fields.move_number), (Some("7"), Some("31")));
    }

    #[test]
    fn pieces_come_from_a8_to_h1() {
        let pieces = FenFields::split("r6k/8/8/8/8/8/8/1P6 w - -").unwrap().pieces().unwrap();
        let expected = [('r', 0, 7), ('k', 7, 7), ('P', 1, 0)];
        assert_eq!(pieces, expected.map(|(letter, file, rank)| FenPiece { letter, file, rank }));
    }

    #[test]
    fn what_is_no_fen_is_told_with_its_field() {
        for (fen, expected) in [
            ("8/8 w -", "a FEN has four to six fields, found 3"),
            ("8/8/8/8/8/8/8/8 w - - 0 1 2", "a FEN has four to six fields, found 7"),
            ("8/8/8/8/8/8/8/8 white - -", "FEN field 2 (side to move): expected `w` or `b`, found `white`"),
        ] {
            assert_eq!(FenFields::split(fen).unwrap_err().to_string(), expected);
        }
        for board in
            ["8/8", "8/8/8/8/8/8/8/9", "8/8/8/8/8/8/8/7", "8/8/8/8/8/8/8/x7", "8/8/8/8/8/8/8/44p", "44444"]
        {
            let fen = format!("{board} w - -");
            let error = FenFields::split(&fen).unwrap().pieces().unwrap_err();
            assert_eq!(error, FenError::field("1 (board)", "eight ranks of eight squares", board));
        }
    }
}
