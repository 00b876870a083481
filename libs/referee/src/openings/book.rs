use std::borrow::Cow;
use std::path::Path;

use super::polyglot_book::PolyglotBook;
use super::{Opening, OpeningOrder, polyglot_book, recorded_game};
use crate::files::{BookError, BookFormat, EpdFileError, Guesses, Skipped, is_archive, read_named};
use crate::{Referee, Variant, epd_file, fen};

/// Checked openings: their positions and moves are legal, and the game is not over after them. Others are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    name: String,
    variant: Variant,
    openings: Packed,
    /// Whether the openings are lines drawn from a graph, in the order in which they were drawn.
    pub is_drawn: bool,
    report: BookReport,
    /// The lines or games that were left out because they cannot be played.
    pub skipped: Skipped,
    /// The openings that start from positions that no game reaches. They are played.
    pub unreachable: Skipped,
}

/// Options for reading a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookOptions {
    /// The variant that the positions must be legal in.
    pub variant: Variant,
    /// In standard chess, whether Chess960 games of a PGN book are read too, each by its own rules.
    pub any_variant: bool,
    /// The maximum length of a line from PGN or Polyglot, in plies; `None` for whole lines.
    pub max_plies: Option<usize>,
    /// The order in which lines are drawn from a Polyglot book; other books keep the order of the file.
    pub order: OpeningOrder,
}

/// Counts of the contents of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookReport {
    /// The number of openings.
    pub openings: usize,
    /// The number of openings that lead to the same position as an earlier one. They are kept.
    pub duplicates: usize,
    /// The number of lines of an EPD file with zero bytes, which some programs write. The bytes are ignored.
    pub lines_with_zeros: usize,
}

impl Book {
    /// Reads a file, in the format of its extension if none is given. Unpacks [compressed files](super::read_unpacked).
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read or has no opening that can be played.
    pub fn load(path: &Path, format: Option<BookFormat>, options: &BookOptions) -> Result<Self, BookError> {
        let (file, format, bytes) = unpack(path, format)?;
        if format == BookFormat::Epd {
            return Self::of_lines(&file, text_of(&file, bytes.into())?.into_owned(), options.variant);
        }
        Self::read(&file, &bytes, format, options)
    }

    /// Reads bytes that are already in memory; `name` is for messages.
    ///
    /// # Errors
    /// As for [`Self::load`].
    pub fn read(
        name: &str,
        bytes: &[u8],
        format: BookFormat,
        options: &BookOptions,
    ) -> Result<Self, BookError> {
        let mut guesses = Guesses::default();
        let entries: Box<dyn Iterator<Item = Result<Opening, BookError>>> = match format {
            BookFormat::Epd => {
                return Self::of_lines(name, text_of(name, bytes.into())?.into_owned(), options.variant);
            }
            BookFormat::Pgn => {
                Box::new(recorded_game::read(name, bytes, options, &mut guesses).map(|game| Ok(game?.0)))
            }
            BookFormat::Polyglot => {
                Box::new(polyglot_book::draw(&PolyglotBook::read(name, bytes)?, options)?.into_iter().map(Ok))
            }
        };
        let mut openings = Packed::default();
        let mut tally = Tally::default();
        for entry in entries {
            let added = entry.and_then(|opening| {
                tally.add(name, &opening, options.variant)?;
                openings.push(&opening);
                Ok(())
            });
            if let Err(fault) = added {
                tally.skipped.add(fault)?;
            }
        }
        tally.skipped.guesses = guesses;
        tally.book(name, options.variant, openings, format)
    }

    /// Makes a book from lines of EPD, whose text it keeps.
    fn of_lines(name: &str, text: String, variant: Variant) -> Result<Self, BookError> {
        let most = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
        let mut places = Vec::with_capacity(most);
        let mut tally = Tally { keys: Vec::with_capacity(most), ..Tally::default() };
        for (number, line) in epd_file::lines(&text) {
            match tally.add_line(name, number, line, variant) {
                Ok(()) => {
                    let start = line.as_ptr().addr() - text.as_ptr().addr();
                    places.push(Place { start: start as u64, line: number as u32 });
                }
                Err(fault) => tally.skipped.add(fault)?,
            }
        }
        tally.book(name, variant, Packed { text, places, is_epd: true }, BookFormat::Epd)
    }

    /// The name of the book in messages: the path, or the given name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The variant that the book was checked for.
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// The openings in the order of the file; at least one.
    pub fn openings(&self) -> impl Iterator<Item = Opening> {
        (0..self.report.openings).map(|index| self.opening(index))
    }

    /// The opening with an index below the report's number of openings; the standard start position for other indices.
    pub fn opening(&self, index: usize) -> Opening {
        self.openings.get(index, self.variant)
    }

    /// The counts of what was read.
    pub const fn report(&self) -> BookReport {
        self.report
    }
}

pub(super) fn unpack(
    path: &Path,
    format: Option<BookFormat>,
) -> Result<(String, BookFormat, Vec<u8>), BookError> {
    let file = path.display().to_string();
    let named = format.or_else(|| BookFormat::of_path(path));
    if named.is_none() && !is_archive(path) {
        return Err(BookError::UnknownFormat { file });
    }
    let (inside, bytes) = match read_named(path) {
        Ok(found) => found,
        Err(source) => return Err(BookError::Io { file, source }),
    };
    match named.or_else(|| BookFormat::of_path(&inside)) {
        Some(format) => Ok((file, format, bytes)),
        None => Err(BookError::UnknownFormat { file }),
    }
}

/// Decodes the text of a book. Old collections have names in other encodings than UTF-8; the chess is ASCII in all of them
/// except UTF-16, which is refused.
pub(super) fn text_of<'a>(name: &str, bytes: Cow<'a, [u8]>) -> Result<Cow<'a, str>, BookError> {
    if matches!(&*bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        return Err(BookError::Utf16 { file: name.to_owned() });
    }
    match bytes {
        Cow::Borrowed(bytes) => Ok(String::from_utf8_lossy(bytes)),
        Cow::Owned(bytes) => Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
            .into()),
    }
}

pub(super) fn lines_with_zeros(format: BookFormat, bytes: &[u8]) -> usize {
    match format {
        BookFormat::Epd if memchr::memchr(0, bytes).is_none() => 0,
        BookFormat::Epd => bytes.split(|byte| *byte == b'\n').filter(|line| line.contains(&0)).count(),
        BookFormat::Pgn | BookFormat::Polyglot => 0,
    }
}

/// The openings of a book in compact form: a text, and where each opening begins in it. A book may have ten million.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Packed {
    text: String,
    places: Vec<Place>,
    /// Whether the text is the file's own, in lines of EPD. Otherwise each opening is a line of start position, moves and
    /// name, separated by tabs.
    is_epd: bool,
}

/// The place of an opening in the text and its line in the file, packed into 12 bytes instead of 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, packed(4))]
struct Place {
    start: u64,
    line: u32,
}

impl Packed {
    fn push(&mut self, opening: &Opening) {
        self.places.push(Place { start: self.text.len() as u64, line: opening.line as u32 });
        let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        self.text += &plain(opening.start_fen.as_deref().unwrap_or_default());
        self.text.push('\t');
        self.text += &opening.moves.join(" ");
        if let Some(name) = &opening.name {
            self.text.push('\t');
            self.text += &plain(name);
        }
        self.text.push('\n');
    }

    fn get(&self, index: usize, variant: Variant) -> Opening {
        let Some(&Place { start, line }) = self.places.get(index) else { return Opening::default() };
        let text = self.text[start as usize..].lines().next().unwrap_or_default();
        let line = line as usize;
        if self.is_epd {
            // The line was read before, so this cannot fail.
            let Ok((epd, _)) = epd_file::mend(epd_file::trimmed(text)) else { return Opening::default() };
            let name = epd.id().map(str::to_owned);
            let start_fen = (epd.fen != Referee::new(variant).start_fen()).then_some(epd.fen);
            return Opening { start_fen, moves: Vec::new(), line, name };
        }
        let mut fields = text.splitn(3, '\t');
        let start_fen = fields.next().filter(|fen| !fen.is_empty()).map(str::to_owned);
        let moves = fields.next().unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        Opening { start_fen, moves, line, name: fields.next().map(str::to_owned) }
    }
}

/// What is collected while entries are read.
#[derive(Debug, Default)]
struct Tally {
    /// The key of the position that each opening leads to.
    keys: Vec<u64>,
    skipped: Skipped,
    unreachable: Skipped,
}

impl Tally {
    /// Adds an opening if it can be played.
    fn add(&mut self, file: &str, opening: &Opening, variant: Variant) -> Result<(), BookError> {
        self.keys.push(check(file, opening, variant)?.position_key());
        if let Some(fen) = &opening.start_fen {
            self.unreachable.name_unreachable(file, opening.line, fen, variant);
        }
        Ok(())
    }

    /// Adds a line of EPD if its position can be played.
    fn add_line(&mut self, file: &str, line: usize, text: &str, variant: Variant) -> Result<(), BookError> {
        // A plain FEN of a position that a game can reach needs no EPD and no referee.
        if let Some(key) = fen::plain(text, variant).and_then(|position| Referee::key_of_start(&position)) {
            self.keys.push(key);
            return Ok(());
        }
        let (epd, _) =
            epd_file::mend(text).map_err(|source| EpdFileError { file: file.to_owned(), line, source })?;
        let opening = Opening { start_fen: Some(epd.fen), line, ..Opening::default() };
        self.add(file, &opening, variant)
    }

    fn book(
        mut self,
        name: &str,
        variant: Variant,
        openings: Packed,
        format: BookFormat,
    ) -> Result<Book, BookError> {
        let count = self.keys.len();
        let skipped = self.skipped.beside(count)?;
        if count == 0 {
            return Err(BookError::Empty { file: name.to_owned() });
        }
        self.keys.sort_unstable();
        self.keys.dedup();
        let lines_with_zeros = lines_with_zeros(format, openings.text.as_bytes());
        let report = BookReport { openings: count, duplicates: count - self.keys.len(), lines_with_zeros };
        let is_drawn = format == BookFormat::Polyglot;
        let (name, unreachable) = (name.to_owned(), self.unreachable);
        Ok(Book { name, variant, openings, is_drawn, report, skipped, unreachable })
    }
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

#[cfg(test)]
mod tests;
