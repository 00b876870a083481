use std::borrow::Cow;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::compression::Compression;
use super::polyglot_book::PolyglotBook;
use super::{BookError, Opening, OpeningOrder, Skipped, polyglot_book, recorded_game};
use crate::{Epd, EpdFile, Referee, Variant};

/// Checked openings: their positions and moves are legal, and the game is not over after them. What is not so is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    name: String,
    variant: Variant,
    openings: Vec<Opening>,
    is_drawn: bool,
    report: BookReport,
    skipped: Skipped,
}

/// Options for reading a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookOptions {
    /// The variant its positions have to be legal in.
    pub variant: Variant,
    /// After how many half-moves a line of PGN or Polyglot is cut; `None` takes it whole.
    pub max_plies: Option<usize>,
    /// The order that the lines of a Polyglot book are drawn in; other books keep the order of their file.
    pub order: OpeningOrder,
}

/// Counts of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookReport {
    /// The number of openings.
    pub openings: usize,
    /// The number of openings that lead to the same position as an earlier one. They stay in the book.
    pub duplicates: usize,
    /// The number of lines of an EPD file that end with zero bytes, as some programs write them. The bytes are ignored.
    pub lines_with_zeros: usize,
}

impl Book {
    /// Reads a file; without a format its extension decides. What ends in `.gz` or `.zst` is unpacked first.
    ///
    /// # Errors
    /// [`BookError`] when the file cannot be read, or nothing in it can be played.
    pub fn load(path: &Path, format: Option<BookFormat>, options: &BookOptions) -> Result<Self, BookError> {
        let (file, format, bytes) = unpack(path, format)?;
        Self::read(&file, &bytes, format, options)
    }

    /// Reads bytes that are already in memory; `name` is for messages.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn read(
        name: &str,
        bytes: &[u8],
        format: BookFormat,
        options: &BookOptions,
    ) -> Result<Self, BookError> {
        let text = if format == BookFormat::Epd { text_of(name, bytes)? } else { Cow::default() };
        let entries: Box<dyn Iterator<Item = Result<Opening, BookError>>> = match format {
            BookFormat::Epd => Box::new(read_epd(name, &text, options.variant)),
            BookFormat::Pgn => Box::new(recorded_game::read(name, bytes, options).map(|game| Ok(game?.0))),
            BookFormat::Polyglot => {
                Box::new(polyglot_book::draw(&PolyglotBook::read(name, bytes)?, options)?.into_iter().map(Ok))
            }
        };
        let mut openings = Vec::new();
        let mut skipped = Skipped::default();
        let mut reached = HashSet::new();
        let mut duplicates = 0;
        for entry in entries {
            let checked = entry.and_then(|opening| Ok((check(name, &opening, options.variant)?, opening)));
            match checked {
                Ok((referee, opening)) => {
                    duplicates += usize::from(!reached.insert(referee.position_key()));
                    openings.push(opening);
                }
                Err(fault) => skipped.add(fault)?,
            }
        }
        let skipped = skipped.beside(openings.len())?;
        if openings.is_empty() {
            return Err(BookError::Empty { file: name.to_owned() });
        }
        let lines_with_zeros = lines_with_zeros(format, bytes);
        let report = BookReport { openings: openings.len(), duplicates, lines_with_zeros };
        let is_drawn = format == BookFormat::Polyglot;
        Ok(Self { name: name.to_owned(), variant: options.variant, openings, is_drawn, report, skipped })
    }

    /// Reads a text that is already in memory, such as the book that ships; `name` is for messages.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn parse(
        name: &str,
        text: &str,
        format: BookFormat,
        options: &BookOptions,
    ) -> Result<Self, BookError> {
        Self::read(name, text.as_bytes(), format, options)
    }

    /// The name of the book in messages: the path, or the given name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The variant it was checked for.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Whether the openings are lines drawn from a graph, in the order of their draw.
    pub const fn is_drawn(&self) -> bool {
        self.is_drawn
    }

    /// The openings in the order of the file; there is at least one.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// Counts of what was read.
    pub const fn report(&self) -> BookReport {
        self.report
    }

    /// The lines or games that cannot be played, which were left out.
    pub const fn skipped(&self) -> &Skipped {
        &self.skipped
    }
}

pub(super) fn unpack(
    path: &Path,
    format: Option<BookFormat>,
) -> Result<(String, BookFormat, Vec<u8>), BookError> {
    let file = path.display().to_string();
    let Some(format) = format.or_else(|| BookFormat::of_path(path)) else {
        return Err(BookError::UnknownFormat { file });
    };
    let (compression, _) = Compression::of_path(path);
    match fs::read(path).and_then(|bytes| compression.unpack(bytes)) {
        Ok(bytes) => Ok((file, format, bytes)),
        Err(source) => Err(BookError::Io { file, source }),
    }
}

/// The text of a book. Old collections spell names in other encodings than UTF-8; chess is written in ASCII in all of
/// them but UTF-16, which is refused.
pub(super) fn text_of<'a>(name: &str, bytes: &'a [u8]) -> Result<Cow<'a, str>, BookError> {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(BookError::Utf16 { file: name.to_owned() }),
        _ => Ok(String::from_utf8_lossy(bytes)),
    }
}

pub(super) fn lines_with_zeros(format: BookFormat, bytes: &[u8]) -> usize {
    match format {
        BookFormat::Epd => bytes.split(|byte| *byte == b'\n').filter(|line| line.contains(&0)).count(),
        BookFormat::Pgn | BookFormat::Polyglot => 0,
    }
}

fn read_epd(name: &str, text: &str, variant: Variant) -> impl Iterator<Item = Result<Opening, BookError>> {
    let usual_start = Referee::new(variant).start_fen();
    EpdFile::read(name, text).map(move |entry| {
        let (line, epd): (usize, Epd) = entry?;
        let name = epd.id().map(str::to_owned);
        // A book may have a million of them.
        let start_fen = (epd.fen != usual_start).then(|| epd.fen.into_boxed_str().into_string());
        Ok(Opening { start_fen, moves: Vec::new(), line, name })
    })
}

pub(super) fn check(file: &str, opening: &Opening, variant: Variant) -> Result<Referee, BookError> {
    let (file, line) = (|| file.to_owned(), opening.line);
    let referee =
        opening.referee(variant).map_err(|source| BookError::Illegal { file: file(), line, source })?;
    match referee.outcome() {
        Some(end) => Err(BookError::GameOver { file: file(), line, end }),
        None => Ok(referee),
    }
}

/// The format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookFormat {
    /// One position a line, as EPD or as plain FEN.
    Epd,
    /// Games, of which the moves of the main line are played.
    Pgn,
    /// A graph of positions and weighted moves, in binary.
    Polyglot,
}

impl BookFormat {
    /// The format by the extension of a file: `.epd` and `.fen`, `.pgn`, or `.bin`; each may be followed by `.gz` or
    /// `.zst`.
    pub fn of_path(path: &Path) -> Option<Self> {
        let (_, path) = Compression::of_path(path);
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "epd" | "fen" => Some(Self::Epd),
            "pgn" => Some(Self::Pgn),
            "bin" => Some(Self::Polyglot),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
