//! The reasons that a book or a file of games cannot be read.

use std::io;

use thiserror::Error;

use crate::{EpdError, FenError, GameEnd, IllegalMove, Variant, san::SanError};

/// The bytes of an entry of a Polyglot book.
pub(crate) const ENTRY_BYTES: usize = 16;

/// The reason that a book cannot be used. Messages start with the file and, if there is one, the line.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages have the fields")]
pub enum BookError {
    /// The file cannot be read.
    #[error("{file}: {source}")]
    Io { file: String, source: io::Error },
    /// The extension is not that of a book.
    #[error(
        "{file}: expected a book that ends in .epd, .fen, .pgn or .bin, and perhaps .gz, .zst, .bz2, .tar or .zip"
    )]
    UnknownFormat { file: String },
    /// Text in UTF-16.
    #[error("{file}: expected UTF-8 text, found UTF-16; save it as UTF-8")]
    Utf16 { file: String },
    /// A Polyglot book for another variant than chess.
    #[error(
        "{file}: expected EPD or PGN, since the positions of Polyglot books are of chess, not of {variant}"
    )]
    PolyglotOfVariant { file: String, variant: Variant },
    /// A line is not EPD.
    #[error(transparent)]
    Epd(#[from] EpdFileError),
    /// A game is not PGN, or has an illegal move or position.
    #[error("{file}:{line}: game {game}: {problem}")]
    Pgn {
        file: String,
        /// The line of the error, counted from 1.
        line: usize,
        /// The number of the game, counted from 1.
        game: usize,
        problem: PgnProblem,
    },
    /// An entry of a Polyglot book is broken, or its move is illegal.
    #[error("{file}: entry {entry}: {problem}")]
    Polyglot {
        file: String,
        /// The number of the entry, counted from 1.
        entry: usize,
        problem: PolyglotProblem,
    },
    /// A position or move is illegal in the variant.
    #[error("{file}:{line}: {source}")]
    Illegal {
        file: String,
        /// The line of the opening, counted from 1.
        line: usize,
        source: OpeningError,
    },
    /// The moves in the operation `c0` of a line of EPD are illegal, or do not lead to its position.
    #[error("{file}:{line}: operation c0: {problem}")]
    Moves {
        file: String,
        /// The line, counted from 1.
        line: usize,
        problem: String,
    },
    /// The game is over after the opening.
    #[error("{file}:{line}: expected a position to play on from, but the game is over: {end}")]
    GameOver {
        file: String,
        /// The line of the opening, counted from 1.
        line: usize,
        end: GameEnd,
    },
    /// Nothing in the file can be read, or too little.
    #[error("{first}{}", if *others > 0 { format!(" ({others} more cannot be used)") } else { String::new() })]
    Nothing {
        /// The error in the first line or game, with file and line.
        first: String,
        others: usize,
    },
    /// A PGN file has no games.
    #[error("{file}: expected at least one game with moves or tags, found none")]
    NoGames { file: String },
    /// The book has no openings; a Polyglot book has none from the start position.
    #[error("{file}: expected at least one opening, found none")]
    Empty { file: String },
}

impl BookError {
    /// Whether the error concerns a single line or game, so that the others can be used.
    pub(super) const fn is_of_one(&self) -> bool {
        matches!(self, Self::Epd(_) | Self::Pgn { .. } | Self::Illegal { .. } | Self::GameOver { .. })
    }

    pub(super) const fn is_of_chess960(&self) -> bool {
        match self {
            Self::Illegal { source: OpeningError::Position(position), .. }
            | Self::Pgn { problem: PgnProblem::Position(position), .. } => position.is_legal_in_chess960(),
            _ => false,
        }
    }
}

/// The error in a game of a PGN book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnProblem {
    /// The text is not PGN.
    #[error("expected {0}")]
    Text(&'static str),
    /// A word among the moves may have been a move.
    #[error(
        "expected a move such as Nf3, exd5 or O-O, found {0:?}; correct it, or put it in braces if it is no move"
    )]
    Word(String),
    /// The variant is unknown, or was not asked for.
    #[error("expected a variant that this command reads, found {0:?}")]
    Variant(String),
    /// The `FEN` tag has no legal position.
    #[error("tag FEN: {0}")]
    Position(#[from] FenError),
    /// A move is not legal.
    #[error(transparent)]
    San(#[from] SanError),
}

/// A line that is not EPD.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}: {source}")]
pub struct EpdFileError {
    /// The name of the file.
    pub file: String,
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The column of the error, and what was expected there.
    pub source: EpdError,
}

/// The reason that an opening cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The start position is illegal.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A move is illegal.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// A move in algebraic notation cannot be read or is illegal.
    #[error(transparent)]
    San(#[from] SanError),
}

/// The error in an entry of a Polyglot book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PolyglotProblem {
    /// The file is cut off.
    #[error("expected {ENTRY_BYTES} bytes, found {0}")]
    Length(usize),
    /// The keys are not in ascending order.
    #[error("expected a key of at least that of the entry before, since entries are sorted by position")]
    Order,
    /// The move is illegal in its position.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}
