use std::{collections::HashSet, fs, path::Path};

use super::{BookError, BookFormat, Opening, pgn_openings};
use crate::referee::{EpdFile, Referee, Variant};

/// Openings that have all been checked: their positions and moves are legal, and the game goes on after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    name: String,
    variant: Variant,
    openings: Vec<Opening>,
    report: BookReport,
}

/// What a book is read for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookOptions {
    /// The variant its positions have to be legal in.
    pub variant: Variant,
    /// After how many half-moves a PGN line is cut; `None` takes it whole.
    pub max_plies: Option<usize>,
}

/// What was found in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookReport {
    /// How many openings it has.
    pub openings: usize,
    /// How many of them lead to a position that an earlier one leads to. They stay in the book.
    pub duplicates: usize,
}

impl Book {
    /// Reads a file; without a format its extension decides.
    ///
    /// # Errors
    /// [`BookError`] at the first thing that is wrong, with file and line.
    pub fn load(path: &Path, format: Option<BookFormat>, options: &BookOptions) -> Result<Self, BookError> {
        let file = path.display().to_string();
        let Some(format) = format.or_else(|| BookFormat::of_path(path)) else {
            return Err(BookError::UnknownFormat { file });
        };
        match fs::read(path) {
            // Old collections spell names in other encodings than UTF-8; chess is written in ASCII in all of them.
            Ok(bytes) => Self::parse(&file, &String::from_utf8_lossy(&bytes), format, options),
            Err(source) => Err(BookError::Io { file, source }),
        }
    }

    /// Reads a text that is already in memory, such as the book that ships; `name` is for messages.
    ///
    /// # Errors
    /// [`BookError`] at the first thing that is wrong, with the name and the line.
    pub fn parse(
        name: &str,
        text: &str,
        format: BookFormat,
        options: &BookOptions,
    ) -> Result<Self, BookError> {
        let openings = match format {
            BookFormat::Epd => read_epd(name, text, options.variant)?,
            BookFormat::Pgn => pgn_openings::read(name, text, options)?,
        };
        if openings.is_empty() {
            return Err(BookError::Empty { file: name.to_owned() });
        }
        let mut reached = HashSet::with_capacity(openings.len());
        let mut duplicates = 0;
        for opening in &openings {
            let referee = check(name, opening, options.variant)?;
            duplicates += usize::from(!reached.insert(position_without_clocks(&referee)));
        }
        let report = BookReport { openings: openings.len(), duplicates };
        Ok(Self { name: name.to_owned(), variant: options.variant, openings, report })
    }

    /// What the book is called in messages: the path, or the name it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The variant it was checked for.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The openings in the order of the file; there is at least one.
    pub fn openings(&self) -> &[Opening] {
        &self.openings
    }

    /// What was found while it was read.
    pub const fn report(&self) -> BookReport {
        self.report
    }
}

fn read_epd(name: &str, text: &str, variant: Variant) -> Result<Vec<Opening>, BookError> {
    let usual_start = Referee::new(variant).start_fen();
    let file = EpdFile::parse(name, text)?;
    let opening = |(line, epd): (usize, crate::referee::Epd)| {
        let name = epd.id().map(str::to_owned);
        let start_fen = (epd.fen != usual_start).then_some(epd.fen);
        Opening { start_fen, moves: Vec::new(), line, name }
    };
    Ok(file.entries.into_iter().map(opening).collect())
}

/// Plays the opening to its end and makes sure that there is a game to play from there.
fn check(file: &str, opening: &Opening, variant: Variant) -> Result<Referee, BookError> {
    let (file, line) = (|| file.to_owned(), opening.line);
    let referee =
        opening.referee(variant).map_err(|source| BookError::Illegal { file: file(), line, source })?;
    match referee.outcome() {
        Some(end) => Err(BookError::GameOver { file: file(), line, end }),
        None => Ok(referee),
    }
}

/// The first four fields of the FEN, which make two positions the same.
fn position_without_clocks(referee: &Referee) -> String {
    let mut fen = referee.fen();
    for _ in 0..2 {
        fen.truncate(fen.rfind(' ').unwrap_or(fen.len()));
    }
    fen
}

#[cfg(test)]
mod tests;
