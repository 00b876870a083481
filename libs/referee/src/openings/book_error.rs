use std::collections::BTreeMap;
use std::io;

use thiserror::Error;

use super::{OpeningError, PolyglotProblem};
use crate::{EpdFileError, FenError, GameEnd, Variant, fen, san::SanError};

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
    const fn is_of_one(&self) -> bool {
        matches!(self, Self::Epd(_) | Self::Pgn { .. } | Self::Illegal { .. } | Self::GameOver { .. })
    }

    const fn is_of_chess960(&self) -> bool {
        match self {
            Self::Illegal { source: OpeningError::Position(position), .. }
            | Self::Pgn { problem: PgnProblem::Position(position), .. } => position.is_legal_in_chess960(),
            _ => false,
        }
    }
}

/// The lines or games of a file that were skipped because they cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// The number of skipped lines or games.
    pub count: usize,
    /// The errors in the first few of them, each with file and line.
    pub first: Vec<String>,
    /// The number of them that are legal only in Chess960.
    of_chess960: usize,
    /// The number of games of other variants, by the name of the variant.
    pub variants: BTreeMap<String, usize>,
    /// The number of them that can be read, but where the game is already over.
    pub ended: usize,
    /// What was guessed in the other lines or games.
    pub guesses: Guesses,
}

/// Deviations from a format's standard that were resolved by evidence in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guesses {
    /// The number of words in movetext that are not moves. The move numbers show that no move is lost.
    pub words: usize,
    /// The first of these words, with its file and line.
    pub first_word: Option<String>,
    /// The number of games with piece letters of a language other than English, by language.
    pub languages: BTreeMap<&'static str, usize>,
}

impl Guesses {
    pub(crate) fn add_words(&mut self, words: u32, first: impl FnOnce() -> String) {
        self.words += words as usize;
        self.first_word.get_or_insert_with(first);
    }

    pub(crate) fn add_language(&mut self, language: &'static str) {
        *self.languages.entry(language).or_default() += 1;
    }
}

impl Skipped {
    const NAMED: usize = 3;

    /// Adds the error in one line or game.
    ///
    /// # Errors
    /// The error itself, if it concerns the whole file.
    pub fn add(&mut self, fault: BookError) -> Result<(), BookError> {
        if !fault.is_of_one() {
            return Err(fault);
        }
        if let BookError::Pgn { problem: PgnProblem::Variant(name), .. } = &fault {
            *self.variants.entry(name.clone()).or_default() += 1;
        }
        self.ended += usize::from(matches!(fault, BookError::GameOver { .. }));
        self.of_chess960 += usize::from(fault.is_of_chess960());
        self.name(&fault);
        Ok(())
    }

    /// Adds one by its error, a text with file and line.
    pub fn name(&mut self, fault: &impl ToString) {
        self.count += 1;
        if self.first.len() < Self::NAMED {
            self.first.push(fault.to_string());
        }
    }

    /// If no game reaches the position, adds its file, line and reason.
    pub fn name_unreachable(&mut self, file: &str, line: usize, fen: &str, variant: Variant) {
        if let Some(reason) = fen::unreachable(fen, variant) {
            self.name(&format!("{file}:{line}: {reason}"));
        }
    }

    /// Adds the skipped lines or games of another file.
    pub fn append(&mut self, other: Skipped) {
        self.count += other.count;
        self.first.extend(other.first);
        self.first.truncate(Self::NAMED);
        for (name, count) in other.variants {
            *self.variants.entry(name).or_default() += count;
        }
    }

    /// Returns the skipped lines or games of a file of which `read` could be read.
    ///
    /// # Errors
    /// If none could be read, or if most are legal only in Chess960, which was not asked for.
    pub fn beside(self, read: usize) -> Result<Skipped, BookError> {
        if self.count > 0 && (read == 0 || self.of_chess960 > read) {
            let first = self.first.into_iter().next().unwrap_or_default();
            return Err(BookError::Nothing { first, others: self.count - 1 });
        }
        Ok(self)
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
