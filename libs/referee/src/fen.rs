//! Reading a FEN: first as text, field by field, then as a position that can be played, even if no game reaches it.

use shakmaty::{
    Color, EnPassantMode, Position, PositionError,
    fen::{Fen, ParseFenError},
    variant::VariantPosition,
};
use thiserror::Error;

use super::Variant;

/// The pieces of standard chess on their squares, as all variants have them that readers of PGN start without a tag `FEN`.
const USUAL_BOARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// The reason that a FEN cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages have the fields")]
pub enum FenError {
    /// The number of fields is wrong.
    #[error("FEN {fen:?}: expected 4 to 6 fields separated by spaces, found {found}")]
    FieldCount { fen: String, found: usize },
    /// One field cannot be read.
    #[error("FEN {fen:?}, {field}: expected {expected}")]
    Field {
        fen: String,
        /// The number and name of the field.
        field: &'static str,
        expected: &'static str,
    },
    /// The position cannot be played.
    #[error(
        "FEN {fen:?}: expected a legal position of {}, but {reason}{}", variant.in_words(),
        if *in_chess960 { "; it is a legal position of Chess960: use --variant chess960" } else { "" }
    )]
    IllegalPosition {
        fen: String,
        variant: Variant,
        reason: String,
        /// Whether standard chess was asked for, and the position is legal in Chess960.
        in_chess960: bool,
    },
}

/// Reads a FEN of any variant: with pockets and marks of promoted pieces, and with the checks that are left (`3+3`) or were
/// given (`+0+0`).
pub(super) fn parse_text(fen: &str) -> Result<Fen, FenError> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let checks = fields.iter().skip(4).any(|field| field.contains('+'));
    if !(4..=6).contains(&(fields.len() - usize::from(checks))) {
        return Err(FenError::FieldCount { fen: fen.to_owned(), found: fields.len() });
    }
    // Cutechess and xboard write empty pockets so.
    let text = fields.join(" ").replacen("[-]", "[]", 1);
    Fen::from_ascii(text.as_bytes()).map_err(|error| field_error(fen, &error))
}

fn field_error(fen: &str, error: &ParseFenError) -> FenError {
    let (field, expected) = expectation(error);
    FenError::Field { fen: fen.to_owned(), field, expected }
}

/// Whether a word is the field of checks that three-check adds to a FEN.
pub(super) fn is_checks(word: &str) -> bool {
    word.contains('+') && parse_text(&format!("8/8/8/8/8/8/8/8 w - - {word}")).is_ok()
}

impl Variant {
    /// The variant of a FEN: Chess960 if its castling rights name the files of rooks (`HAha`), or if they are `KQkq` with the
    /// king or rooks on other squares than in standard chess (X-FEN).
    pub fn of_fen(fen: &str) -> Variant {
        let rights = fen.split_ascii_whitespace().nth(2).unwrap_or("-");
        let names_files = !rights.chars().all(|c| matches!(c, 'K' | 'Q' | 'k' | 'q' | '-'));
        let is_elsewhere =
            || parse_position(fen, Variant::Standard).is_err_and(|error| error.is_legal_in_chess960());
        if names_files || is_elsewhere() { Variant::Chess960 } else { Variant::Standard }
    }

    /// The usual start position as FEN.
    pub fn start_fen(self) -> String {
        write(&self.start())
    }

    /// Whether a game of the variant that has no tag `FEN` starts from this position.
    pub fn starts_without_tag(self, fen: &str) -> bool {
        self != Variant::Chess960 && fen.starts_with(USUAL_BOARD) && fen == self.start_fen()
    }
}

impl FenError {
    /// Whether the position is legal in Chess960, which was not asked for.
    pub const fn is_legal_in_chess960(&self) -> bool {
        matches!(self, Self::IllegalPosition { in_chess960: true, .. })
    }
}

pub(super) fn parse_position(fen: &str, variant: Variant) -> Result<VariantPosition, FenError> {
    let parsed = parse_text(fen)?;
    let (setup, start) = (parsed.as_setup(), variant.start());
    if (setup.pockets.is_some() || setup.promoted.any()) && start.pockets().is_none() {
        return Err(field_error(fen, &ParseFenError::InvalidBoard));
    }
    if setup.remaining_checks.is_some() && start.remaining_checks().is_none() {
        return Err(field_error(fen, &ParseFenError::InvalidHalfmoveClock));
    }
    playable(&parsed, variant).map_err(|reason| FenError::IllegalPosition {
        fen: fen.to_owned(),
        variant,
        reason,
        in_chess960: variant == Variant::Standard && playable(&parsed, Variant::Chess960).is_ok(),
    })
}

/// The position, even if no game can reach it, or the reason that it cannot be played. A side may have at most 16 pieces,
/// because shakmaty's move lists have a limit: 16 queens have up to 251 moves, 18 have 257.
fn playable(parsed: &Fen, variant: Variant) -> Result<VariantPosition, String> {
    let is_army = |color| parsed.as_setup().board.by_color(color).count() <= 16;
    let position =
        variant.position(parsed.as_setup().clone()).or_else(PositionError::ignore_impossible_check);
    let position = match position {
        Err(error) if Color::ALL.into_iter().all(is_army) => error.ignore_too_much_material(),
        position => position,
    };
    position.map_err(|error| reason(&error))
}

fn reason(error: &PositionError<VariantPosition>) -> String {
    error.to_string().trim_start_matches("illegal position: ").to_owned()
}

/// The reason that no game reaches a playable position, such as `impossible check`; `None` if one may, or if the position
/// cannot be played.
pub fn unreachable(fen: &str, variant: Variant) -> Option<String> {
    let parsed = parse_text(fen).ok()?;
    let error = variant.position(parsed.as_setup().clone()).err()?;
    playable(&parsed, variant).is_ok().then(|| reason(&error))
}

/// The pieces of a FEN: the square, counted from a8 to h1, the letter, and whether it is marked as promoted. Shows as much as
/// can be read of an invalid FEN.
pub fn pieces(fen: &str) -> Vec<(usize, char, bool)> {
    let mut pieces: Vec<(usize, char, bool)> = Vec::new();
    let board = fen.split([' ', '[']).next().unwrap_or_default();
    for (rank, text) in board.split('/').take(8).enumerate() {
        let mut file = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(9) {
                file += empty as usize;
            } else if letter == '~'
                && let Some((_, _, is_promoted)) = pieces.last_mut()
            {
                *is_promoted = true;
            } else if file < 8 && "kqrbnp".contains(letter.to_ascii_lowercase()) {
                pieces.push((8 * rank + file, letter, false));
                file += 1;
            } else {
                break;
            }
        }
    }
    pieces
}

/// The position of a line that is just a six-field FEN; `None` for any other line or an illegal position.
pub(super) fn plain(line: &str, variant: Variant) -> Option<VariantPosition> {
    let (mut blanks, mut slashes) = (0, 0);
    for byte in line.bytes() {
        match byte {
            b' ' => blanks += 1,
            b'/' => slashes += 1,
            b'~' | b'+' | b'[' | b'\0' | b'\t' => return None,
            _ => {}
        }
    }
    if (blanks, slashes) != (5, 7) {
        return None;
    }
    variant.position(Fen::from_ascii(line.as_bytes()).ok()?.into_setup()).ok()
}

/// Writes a position as X-FEN, with an en-passant square only if a capture there is legal.
pub(super) fn write(position: &VariantPosition) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The field that a parse error is in, and what was expected there.
const fn expectation(error: &ParseFenError) -> (&'static str, &'static str) {
    match error {
        ParseFenError::InvalidFen => ("the whole", "six fields"),
        ParseFenError::InvalidBoard | ParseFenError::InvalidPocket => (
            "field 1 (board)",
            "eight ranks separated by '/', each with pieces and digits that add up to 8 files",
        ),
        ParseFenError::InvalidTurn => ("field 2 (side to move)", "'w' or 'b'"),
        ParseFenError::InvalidCastling => {
            ("field 3 (castling rights)", "letters of KQkq or of rook files, two a side at most, or '-'")
        }
        ParseFenError::InvalidEpSquare => ("field 4 (en passant)", "a square such as e3, or '-'"),
        ParseFenError::InvalidHalfmoveClock | ParseFenError::InvalidRemainingChecks => {
            ("field 5 (half-move clock)", "a whole number")
        }
        ParseFenError::InvalidFullmoves => ("field 6 (move number)", "a whole number"),
    }
}
