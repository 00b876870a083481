use std::collections::BTreeMap;
use std::io;

use thiserror::Error;

use super::{OpeningError, PolyglotProblem};
use crate::{EpdFileError, FenError, GameEnd, Variant, fen, san::SanError};

/// Why a book cannot be used. Every message starts with the file and, where there is one, the line.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages have the fields")]
pub enum BookError {
    /// The file system refused.
    #[error("{file}: {source}")]
    Io { file: String, source: io::Error },
    /// The extension says nothing.
    #[error(
        "{file}: expected a book that ends in .epd, .fen, .pgn or .bin, and perhaps .gz, .zst, .bz2, .tar or .zip"
    )]
    UnknownFormat { file: String },
    /// Text in UTF-16.
    #[error("{file}: expected UTF-8 text, found UTF-16; save it as UTF-8")]
    Utf16 { file: String },
    /// A line is not EPD.
    #[error(transparent)]
    Epd(#[from] EpdFileError),
    /// A game is not PGN, or has an illegal move or position.
    #[error("{file}:{line}: game {game}: {problem}")]
    Pgn {
        file: String,
        /// The line of the fault, counted from 1.
        line: usize,
        /// The number of the game, counted from 1.
        game: usize,
        problem: PgnProblem,
    },
    /// An entry of a Polyglot book is broken, or its move illegal.
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
    /// The moves in `c0` of a line of EPD are not legal, or do not lead to its position.
    #[error("{file}:{line}: operation c0: {problem}")]
    Moves {
        file: String,
        /// The line, counted from 1.
        line: usize,
        problem: String,
    },
    /// Nothing is left to play.
    #[error("{file}:{line}: expected a position to play on from, but the game is over: {end}")]
    GameOver {
        file: String,
        /// The line of the opening, counted from 1.
        line: usize,
        end: GameEnd,
    },
    /// Nothing of the file can be read, or next to nothing.
    #[error("{first}{}", if *others > 0 { format!(" ({others} more cannot be used)") } else { String::new() })]
    Nothing {
        /// The problem of the first line or game, with file and line.
        first: String,
        others: usize,
    },
    /// A PGN file has no games.
    #[error("{file}: expected at least one game with moves or tags, found none")]
    NoGames { file: String },
    /// The book has no openings; in a Polyglot book, none from the start position.
    #[error("{file}: expected at least one opening, found none")]
    Empty { file: String },
}

impl BookError {
    /// Whether it is about one line or game, without which the others can be used.
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
    /// Their number.
    pub count: usize,
    /// The problems of the first of them, each with file and line.
    pub first: Vec<String>,
    /// The number of those that are only legal in Chess960.
    of_chess960: usize,
    /// How many of them are games of other variants, by the name of the variant.
    pub variants: BTreeMap<String, usize>,
    /// How many of them can be read, but the game is over there.
    pub ended: usize,
    /// What was guessed of the rest.
    pub guesses: Guesses,
}

/// What was read otherwise than the standard of its format has it, with evidence for the reading in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guesses {
    /// The words amid moves that are none. The numbers of the moves show that no move is lost with them.
    pub words: usize,
    /// The first of these, with its file and line.
    pub first_word: Option<String>,
    /// The games whose pieces have the letters of another language than English, by the language.
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

    /// Adds what is wrong with one of them.
    ///
    /// # Errors
    /// The fault, where it is that of the whole file.
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

    /// Adds one by what is wrong with it, file and line included.
    pub fn name(&mut self, fault: &impl ToString) {
        self.count += 1;
        if self.first.len() < Self::NAMED {
            self.first.push(fault.to_string());
        }
    }

    /// Adds a position that is used although no game reaches it, if it is one, by file, line and reason.
    pub fn name_unreachable(&mut self, file: &str, line: usize, fen: &str, variant: Variant) {
        if let Some(reason) = fen::unreachable(fen, variant) {
            self.name(&format!("{file}:{line}: {reason}"));
        }
    }

    /// Adds those of another file.
    pub fn append(&mut self, other: Skipped) {
        self.count += other.count;
        self.first.extend(other.first);
        self.first.truncate(Self::NAMED);
        for (name, count) in other.variants {
            *self.variants.entry(name).or_default() += count;
        }
    }

    /// What was skipped of a file of which so many could be read.
    ///
    /// # Errors
    /// None could, or the most are of Chess960, which was not asked for.
    pub fn beside(self, read: usize) -> Result<Skipped, BookError> {
        if self.count > 0 && (read == 0 || self.of_chess960 > read) {
            let first = self.first.into_iter().next().unwrap_or_default();
            return Err(BookError::Nothing { first, others: self.count - 1 });
        }
        Ok(self)
    }
}

/// The problem of a game of a PGN book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PgnProblem {
    /// The text is not PGN.
    #[error("expected {0}")]
    Text(&'static str),
    /// A word amid the moves may have been one.
    #[error(
        "expected a move such as Nf3, exd5 or O-O, found {0:?}; correct it, or put it in braces if it is no move"
    )]
    Word(String),
    /// The variant is none that is known.
    #[error("expected standard chess or Chess960, found the tag Variant {0:?}")]
    Variant(String),
    /// The tag `FEN` has no legal position.
    #[error("tag FEN: {0}")]
    Position(#[from] FenError),
    /// A move is not legal.
    #[error(transparent)]
    San(#[from] SanError),
}
