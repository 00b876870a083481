//! Reading and writing FEN, and its errors.
//!
//! Written FENs name the en-passant square only when a capture there is legal. Castling rights are written as X-FEN:
//! `KQkq`, and a file letter only for a rook that is not the outermost on its side. Shredder-FEN, with file letters
//! throughout, is read too.

use std::fmt::{self, Write};
use std::str::FromStr;

use super::setup::{CastlingClaim, ClaimedRook, IllegalPosition, Setup};
use super::{Bitboard, CastlingSide, Color, File, Piece, PieceKind, Position, Rank, Square};

/// A field of the text and the column it starts at.
#[derive(Clone, Copy)]
struct Field<'t> {
    name: FenField,
    column: usize,
    text: &'t str,
}

impl Field<'_> {
    fn error(self, index: usize, problem: FenSyntaxProblem) -> FenSyntaxError {
        FenSyntaxError { field: self.name, column: self.column + index, problem }
    }

    fn unexpected(self, index: usize, expected: &'static str) -> FenSyntaxError {
        let problem = match self.text.chars().nth(index) {
            Some(found) => FenSyntaxProblem::Unexpected { found, expected },
            None => FenSyntaxProblem::EndsEarly { expected },
        };
        self.error(index, problem)
    }
}

struct Fields<'t> {
    rest: &'t str,
    column: usize,
}

impl<'t> Fields<'t> {
    fn next(&mut self, name: FenField) -> Option<Field<'t>> {
        let trimmed = self.rest.trim_start();
        self.column += self.rest[..self.rest.len() - trimmed.len()].chars().count();
        let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        let field = Field { name, column: self.column, text: &trimmed[..end] };
        self.column += field.text.chars().count();
        self.rest = &trimmed[end..];
        (end > 0).then_some(field)
    }

    fn expect(&mut self, name: FenField) -> Result<Field<'t>, FenSyntaxError> {
        let missing = |column| FenSyntaxError { field: name, column, problem: FenSyntaxProblem::Missing };
        self.next(name).ok_or_else(|| missing(self.column))
    }
}

impl FromStr for Setup {
    type Err = FenSyntaxError;

    fn from_str(fen: &str) -> Result<Self, FenSyntaxError> {
        let mut fields = Fields { rest: fen, column: 1 };
        let setup = Self {
            board: read_pieces(fields.expect(FenField::Pieces)?)?,
            side_to_move: read_side(fields.expect(FenField::SideToMove)?)?,
            castling: read_castling(fields.expect(FenField::Castling)?)?,
            ep_square: read_ep_square(fields.expect(FenField::EnPassant)?)?,
            halfmove_clock: fields.next(FenField::HalfmoveClock).map_or(Ok(0), read_number)?,
            // Some programs count from 0; there is no move 0.
            fullmove_number: fields.next(FenField::FullmoveNumber).map_or(Ok(1), read_number)?.max(1),
        };
        match fields.next(FenField::FullmoveNumber) {
            Some(extra) => Err(extra.error(0, FenSyntaxProblem::ManyFields)),
            None => Ok(setup),
        }
    }
}

fn read_pieces(field: Field<'_>) -> Result<[Option<Piece>; 64], FenSyntaxError> {
    let mut board = [None; 64];
    let (mut rank, mut squares, mut after_count) = (0, 0, false);
    for (index, letter) in field.text.chars().enumerate() {
        if letter == '/' {
            if squares < 8 {
                return Err(field.error(index, FenSyntaxProblem::ShortRank { squares }));
            }
            (rank, squares, after_count) = (rank + 1, 0, false);
            if rank == 8 {
                return Err(field.error(index, FenSyntaxProblem::ManyRanks));
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
            return Err(field.error(index, FenSyntaxProblem::LongRank));
        }
        if piece.is_none() && after_count {
            return Err(field.error(index, FenSyntaxProblem::AdjacentCounts));
        }
        board[(7 - rank) * 8 + squares] = piece;
        (squares, after_count) = (squares + width, piece.is_none());
    }
    let end = field.text.chars().count();
    match (rank, squares) {
        (7, 8) => Ok(board),
        (_, 8) => Err(field.error(end, FenSyntaxProblem::FewRanks { ranks: rank + 1 })),
        _ => Err(field.error(end, FenSyntaxProblem::ShortRank { squares })),
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
    field.text.parse().map_err(|_| field.error(0, FenSyntaxProblem::TooLarge))
}

impl Position {
    /// The FEN, with castling rights as `KQkq`; a rook that is not the outermost on its side, as can happen in
    /// Chess960, is named by its file (X-FEN).
    pub fn fen(&self) -> String {
        let ep_square = self.ep_square().map_or_else(|| "-".to_owned(), |square| square.to_string());
        format!(
            "{} {} {} {ep_square} {} {}",
            self.fen_pieces(),
            self.side_to_move().letter(),
            self.fen_castling(),
            self.halfmove_clock(),
            self.fullmove_number()
        )
    }

    fn fen_pieces(&self) -> String {
        let mut text = String::with_capacity(72);
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            let end_gap = |text: &mut String, empty: &mut u8| {
                if *empty > 0 {
                    text.push(char::from(b'0' + std::mem::take(empty)));
                }
            };
            for file in File::ALL {
                match self.piece_on(Square::new(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        end_gap(&mut text, &mut empty);
                        text.push(piece.letter());
                    }
                }
            }
            end_gap(&mut text, &mut empty);
            if rank != Rank::First {
                text.push('/');
            }
        }
        text
    }

    fn fen_castling(&self) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(rook) = self.castling_rook(color, side) else { continue };
                let claimed = if self.is_outermost_rook(color, side, rook) {
                    ClaimedRook::Outermost(side)
                } else {
                    ClaimedRook::OnFile(rook.file())
                };
                let _ = write!(text, "{}", CastlingClaim { color, rook: claimed });
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
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

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

/// A FEN that gives no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error(transparent)]
    Syntax(#[from] FenSyntaxError),
    /// The text is a FEN, but of a position that cannot occur.
    #[error(transparent)]
    Illegal(#[from] IllegalPosition),
}

/// The fields of a FEN, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields' own names")]
pub enum FenField {
    Pieces,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pieces => "pieces",
            Self::SideToMove => "side to move",
            Self::Castling => "castling",
            Self::EnPassant => "en passant",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "fullmove number",
        })
    }
}

/// A text that is not a FEN, and where it goes wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("FEN field \"{field}\", column {column}: {problem}")]
pub struct FenSyntaxError {
    /// The field that goes wrong, or the last one where there are too many.
    pub field: FenField,
    /// The character of the whole text at which it goes wrong, counted from 1.
    pub column: usize,
    /// The problem there.
    pub problem: FenSyntaxProblem,
}

/// An error in the text of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages have the fields")]
pub enum FenSyntaxProblem {
    /// The text ends before this field.
    #[error("the field is missing")]
    Missing,
    /// A character that cannot stand there.
    #[error("expected {expected}, found '{found}'")]
    Unexpected { found: char, expected: &'static str },
    /// The field ends too early.
    #[error("expected {expected}, but the field ends")]
    EndsEarly { expected: &'static str },
    /// A rank that ends with too few squares.
    #[error("the rank ends after {squares} of 8 squares")]
    ShortRank { squares: usize },
    /// A rank with more than eight squares.
    #[error("the rank has more than 8 squares")]
    LongRank,
    /// Two digits in a row, which would have been one number.
    #[error("two counts of empty squares in a row")]
    AdjacentCounts,
    /// The pieces end before the eighth rank.
    #[error("{ranks} of 8 ranks")]
    FewRanks { ranks: usize },
    /// A ninth rank.
    #[error("more than 8 ranks")]
    ManyRanks,
    /// A number beyond 65535.
    #[error("the number is above 65535")]
    TooLarge,
    /// Text after the last field.
    #[error("more than 6 fields")]
    ManyFields,
}
