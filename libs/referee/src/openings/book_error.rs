use std::io;

use thiserror::Error;

use super::{OpeningError, PolyglotProblem};
use crate::{EpdFileError, FenError, GameEnd, IllegalMove, san::SanError};

/// Why a book cannot be used. Every message starts with the file and, where there is one, the line.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file system refused.
    #[error("{file}: {source}")]
    Io {
        /// The file.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// The extension says nothing.
    #[error("{file}: expected a book that ends in .epd, .fen, .pgn or .bin, and perhaps .gz or .zst")]
    UnknownFormat {
        /// The file.
        file: String,
    },
    /// Text in UTF-16.
    #[error("{file}: expected UTF-8 text, found UTF-16; save it as UTF-8")]
    Utf16 {
        /// The file.
        file: String,
    },
    /// A line is not EPD.
    #[error(transparent)]
    Epd(#[from] EpdFileError),
    /// A game is not PGN, or has an illegal move or position.
    #[error("{file}:{line}: game {game}: {problem}")]
    Pgn {
        /// The file.
        file: String,
        /// The line of the fault, counted from 1.
        line: usize,
        /// The number of the game, counted from 1.
        game: usize,
        /// What is wrong.
        problem: PgnProblem,
    },
    /// An entry of a Polyglot book is broken, or its move illegal.
    #[error("{file}: entry {entry}: {problem}")]
    Polyglot {
        /// The file.
        file: String,
        /// The number of the entry, counted from 1.
        entry: usize,
        /// What is wrong.
        problem: PolyglotProblem,
    },
    /// A position or move is illegal in the variant.
    #[error("{file}:{line}: {source}")]
    Illegal {
        /// The file.
        file: String,
        /// The line of the opening, counted from 1.
        line: usize,
        /// What is wrong.
        source: OpeningError,
    },
    /// The moves in `c0` of a line of EPD are not legal.
    #[error("{file}:{line}: operation c0: {source}")]
    Moves {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        source: SanError,
    },
    /// The moves in `c0` of a line of EPD do not lead to its position.
    #[error(
        "{file}:{line}: operation c0: expected moves that lead to the position of the line, but they lead to {reached}"
    )]
    LeadsElsewhere {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// The position at the end of the moves, as FEN.
        reached: String,
    },
    /// Nothing is left to play.
    #[error("{file}:{line}: expected a position to play on from, but the game is over: {end}")]
    GameOver {
        /// The file.
        file: String,
        /// The line of the opening, counted from 1.
        line: usize,
        /// How it ended.
        end: GameEnd,
    },
    /// The book has no openings; in a Polyglot book, none from the start position.
    #[error("{file}: expected at least one opening, found none")]
    Empty {
        /// The file.
        file: String,
    },
}

/// What is wrong with a game of a PGN book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnProblem {
    /// The text is not PGN.
    #[error("expected {0}")]
    Text(&'static str),
    /// The tag `FEN` has no legal position.
    #[error("tag FEN: {0}")]
    Position(#[from] FenError),
    /// A move is not legal.
    #[error(transparent)]
    San(#[from] SanError),
    /// A move was read but not accepted.
    #[error(transparent)]
    Move(#[from] IllegalMove),
}
