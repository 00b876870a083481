//! Reading and writing FEN, and its errors.
//!
//! Written FENs name the en-passant square only if a capture there is legal. Castling rights are written as X-FEN:
//! `KQkq`, or a file letter for a rook that is not the outermost on its side. Shredder-FEN, which has file letters
//! throughout, can be read too.

use std::fmt::{self, Write};
use std::str::FromStr;

use super::setup::{CastlingClaim, ClaimedRook, IllegalPosition, Setup, misplaced};
use super::{Bitboard, CastlingSide, Color, File, Piece, PieceKind, Position, Rank, Square};

/// A field of the text and its column, counted from 1.
#[derive(Clone, Copy)]
struct Field<'t> {
    name: &'static str,
    column: usize,
    text: &'t str,
}

impl Field<'_> {
    fn error(self, index: usize, problem: impl Into<String>) -> FenSyntaxError {
        FenSyntaxError { field: self.name, column: self.column + index, problem: problem.into() }
    }

    fn unexpected(self, index: usize, expected: &str) -> FenSyntaxError {
        let problem = match self.text.chars().nth(index) {
            Some(found) => format!("expected {expected}, found '{found}'"),
            None => format!("expected {expected}, but the field ends"),
        };
        self.error(index, problem)
    }
}

struct Fields<'t> {
    rest: &'t str,
    column: usize,
}

impl<'t> Fields<'t> {
    fn next(&mut self, name: &'static str) -> Option<Field<'t>> {
        let trimmed = self.rest.trim_start();
        self.column += self.rest[..self.rest.len() - trimmed.len()].chars().count();
        let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        let field = Field { name, column: self.column, text: &trimmed[..end] };
        self.column += field.text.chars().count();
        self.rest = &trimmed[end..];
        (end > 0).then_some(field)
    }

    fn expect(&mut self, name: &'static str) -> Result<Field<'t>, FenSyntaxError> {
        let field = self.next(name);
        field.ok_or_else(|| Field { name, column: self.column, text: "" }.error(0, "the field is missing"))
    }
}

impl FromStr for Setup {
    type Err = FenSyntaxError;

    fn from_str(fen: &str) -> Result<Self, FenSyntaxError> {
        let mut fields = Fields { rest: fen, column: 1 };
        let setup = Self {
            board: read_pieces(fields.expect("pieces")?)?,
            side_to_move: read_side(fields.expect("side to move")?)?,
            castling: read_castling(fields.expect("castling")?)?,
            ep_square: read_ep_square(fields.expect("en passant")?)?,
            halfmove_clock: fields.next("halfmove clock").map_or(Ok(0), read_number)?,
            // Some programs count from 0; there is no move 0.
            fullmove_number: fields.next("fullmove number").map_or(Ok(1), read_number)?.max(1),
        };
        match fields.next("fullmove number") {
            Some(extra) => Err(extra.error(0, "more than 6 fields")),
            None => Ok(setup),
        }
    }
}

fn read_pieces(field: Field<'_>) -> Result<[Option<Piece>; 64], FenSyntaxError> {
    let short_rank = |squares| format!("the rank ends after {squares} of 8 squares");
    let mut board = [None; 64];
    let (mut rank, mut squares, mut after_count) = (0, 0, false);
    for (index, letter) in field.text.chars().enumerate() {
        if letter == '/' {
            if squares < 8 {
                return Err(field.error(index, short_rank(squares)));
            }
            (rank, squares, after_count) = (rank + 1, 0, false);
            if rank == 8 {
                return Err(field.error(index, "more than 8 ranks"));
            }
            continue;
        }
        let piece = Piece::from_letter(letter);
        let width = match letter.to_digit(9) {
            Some(count) if count > 0 => count as usize,
            _ if piece.is_some() => 1,
            _ => return Err(field.unexpected(index, "a piece letter, a count from 1 to 8 or '/'")),
        };
        if squares + width > 8 {
            return Err(field.error(index, "the rank has more than 8 squares"));
        }
        if piece.is_none() && after_count {
            return Err(field.error(index, "two counts of empty squares in a row"));
        }
        board[(7 - rank) * 8 + squares] = piece;
        (squares, after_count) = (squares + width, piece.is_none());
    }
    let end = field.text.chars().count();
    match (rank, squares) {
        (7, 8) => Ok(board),
        (_, 8) => Err(field.error(end, format!("{} of 8 ranks", rank + 1))),
        _ => Err(field.error(end, short_rank(squares))),
    }
}

fn read_side(field: Field<'_>) -> Result<Color, FenSyntaxError> {
    match field.text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        text if text.starts_with(['w', 'b']) => Err(field.unexpected(1, "a space")),
        _ => Err(field.unexpected(0, "'w' or 'b'")),
    }
}

fn read_castling(field: Field<'_>) -> Result<Vec<CastlingClaim>, FenSyntaxError> {
    let mut claims = Vec::new();
    if field.text == "-" {
        return Ok(claims);
    }
    for (index, letter) in field.text.chars().enumerate() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = match letter.to_ascii_lowercase() {
            'k' => ClaimedRook::Outermost(CastlingSide::King),
            'q' => ClaimedRook::Outermost(CastlingSide::Queen),
            file => ClaimedRook::OnFile(
                File::from_letter(file)
                    .ok_or_else(|| field.unexpected(index, "'-' alone, or one of KQkq or a rook's file"))?,
            ),
        };
        let claim = CastlingClaim { color, rook };
        if claims.contains(&claim) {
            return Err(field.unexpected(index, "each castling right once"));
        }
        claims.push(claim);
    }
    Ok(claims)
}

fn read_ep_square(field: Field<'_>) -> Result<Option<Square>, FenSyntaxError> {
    if field.text == "-" {
        return Ok(None);
    }
    let good = |index: usize, letter: char| match index {
        0 => File::from_letter(letter).is_some(),
        1 => Rank::from_digit(letter).is_some(),
        _ => false,
    };
    let wrong = field.text.chars().enumerate().position(|(index, letter)| !good(index, letter));
    let expected = "'-' or a square from a1 to h8";
    field.text.parse().map(Some).map_err(|_| field.unexpected(wrong.unwrap_or(1), expected))
}

fn read_number(field: Field<'_>) -> Result<u16, FenSyntaxError> {
    if let Some(index) = field.text.chars().position(|letter| !letter.is_ascii_digit()) {
        return Err(field.unexpected(index, "a digit"));
    }
    field.text.parse().map_err(|_| field.error(0, "the number is above 65535"))
}

/// The FEN, with all six fields.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                let piece = self.board[Square::new(file, rank).index()];
                if empty > 0 && piece.is_some() {
                    write!(f, "{}", std::mem::take(&mut empty))?;
                }
                match piece {
                    None => empty += 1,
                    Some(piece) => f.write_char(piece.letter())?,
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_char(if rank == Rank::First { ' ' } else { '/' })?;
        }
        write!(f, "{} ", self.side_to_move.letter())?;
        self.castling.iter().try_for_each(|claim| write!(f, "{claim}"))?;
        f.write_str(if self.castling.is_empty() { "- " } else { " " })?;
        match self.ep_square {
            Some(square) => write!(f, "{square}")?,
            None => f.write_char('-')?,
        }
        write!(f, " {} {}", self.halfmove_clock, self.fullmove_number)
    }
}

impl Setup {
    /// A legal position of standard chess, for engines with a board of their own. Castling rights are all by the
    /// outermost rook.
    ///
    /// # Errors
    /// As [`Position::from_fen`]. A castling right is illegal unless king and rook are on their squares of standard
    /// chess.
    pub fn of_standard(fen: &str) -> Result<Self, FenError> {
        let mut setup: Self = fen.parse()?;
        let position = Position::try_from(&setup)?;
        for claim in &mut setup.castling {
            let king = position.king(claim.color);
            let rook = position.claimed_rook(*claim).filter(|rook| matches!(rook.file(), File::A | File::H));
            match rook {
                Some(rook) if king.file() == File::E => {
                    claim.rook = ClaimedRook::Outermost(CastlingSide::of(king, rook));
                }
                _ => return Err(IllegalPosition { problems: vec![misplaced(*claim)] }.into()),
            }
        }
        Ok(setup)
    }
}

impl Position {
    /// Reads a FEN. The castling field may be standard, X-FEN or Shredder-FEN; the two clocks may be missing.
    ///
    /// # Errors
    /// [`FenError::Syntax`] if the text is not a FEN, with the field and column; [`FenError::Illegal`] if the position
    /// is illegal, with every problem.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let setup: Setup = fen.parse()?;
        Ok(Self::try_from(&setup)?)
    }

    /// The FEN. Castling rights are `KQkq`; a rook that is not the outermost on its side, which happens in Chess960, is
    /// named by its file (X-FEN).
    pub fn fen(&self) -> String {
        let setup = Setup {
            board: std::array::from_fn(|index| self.piece_on(Square::from_index(index))),
            side_to_move: self.side_to_move(),
            castling: self.castling_claims(),
            ep_square: self.ep_square(),
            halfmove_clock: self.halfmove_clock(),
            fullmove_number: self.fullmove_number(),
        };
        setup.to_string()
    }

    fn castling_claims(&self) -> Vec<CastlingClaim> {
        let mut claims = Vec::new();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(rook) = self.castling_rook(color, side) else { continue };
                let rook = if self.is_outermost_rook(color, side, rook) {
                    ClaimedRook::Outermost(side)
                } else {
                    ClaimedRook::OnFile(rook.file())
                };
                claims.push(CastlingClaim { color, rook });
            }
        }
        claims
    }

    fn is_outermost_rook(&self, color: Color, side: CastlingSide, rook: Square) -> bool {
        let rooks = self.pieces(color, PieceKind::Rook) & Bitboard::back_rank(color);
        Some(rook)
            == match side {
                CastlingSide::King => rooks.last(),
                CastlingSide::Queen => rooks.first(),
            }
    }
}

/// A FEN that cannot be read as a legal position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error(transparent)]
    Syntax(#[from] FenSyntaxError),
    /// The text is a FEN, but its position is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
}

/// A text that is not a FEN, and the place of the error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("FEN field \"{field}\", column {column}: {problem}")]
pub struct FenSyntaxError {
    /// The field with the error, or the last field if there are too many.
    pub field: &'static str,
    /// The column of the error in the whole text, in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: String,
}
