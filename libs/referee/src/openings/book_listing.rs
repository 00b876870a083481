//! A listing of all lines of a book, valid or not.
//!
//! A [`Book`](super::Book) is for playing. A listing is for repairing a book: it has all valid lines, and the errors in the
//! others.

use std::path::Path;

use super::book::{check, lines_with_zeros, text_of, unpack};
use super::opening::eval_of;
use super::polyglot_book::PolyglotBook;
use super::{
    BookError, BookFormat, BookOptions, Guesses, ListedOpening, Opening, Skipped, polyglot_book,
    recorded_game,
};
use crate::san::{SanErrorReason, line_to_san, san_to_uci};
use crate::{Epd, EpdFile, Referee, Side, Variant};

/// The lines of a book.
#[derive(Debug)]
pub struct BookListing {
    /// The name of the book in messages.
    pub name: String,
    /// The format of the book.
    pub format: BookFormat,
    /// The lines that can be played, in the order of the file.
    pub openings: Vec<ListedOpening>,
    /// The errors in the other lines, in the order of the file.
    pub faults: Vec<BookError>,
    /// The number of lines of an EPD file with zero bytes; those at the ends of lines are dropped.
    pub lines_with_zeros: usize,
    /// What was guessed in games of PGN.
    pub guesses: Guesses,
}

impl BookListing {
    /// Reads a file in the format of its extension. [Compressed files](super::read_unpacked) are unpacked.
    ///
    /// # Errors
    /// [`BookError`] if the whole file cannot be read: it does not exist, has an unknown extension or no contents, or is a
    /// broken Polyglot book.
    pub fn load(path: &Path, options: &BookOptions) -> Result<Self, BookError> {
        let (name, format, bytes) = unpack(path, None)?;
        Self::read(&name, &bytes, format, options)
    }

    /// Reads bytes that are already in memory; `name` is for messages.
    ///
    /// # Errors
    /// As for [`load`](Self::load).
    pub fn read(
        name: &str,
        bytes: &[u8],
        format: BookFormat,
        options: &BookOptions,
    ) -> Result<Self, BookError> {
        let variant = options.variant;
        let mut guesses = Guesses::default();
        let entries: Vec<Result<ListedOpening, BookError>> = match format {
            BookFormat::Epd => EpdFile::read(name, &text_of(name, bytes.into())?)
                .map(|entry| {
                    let (line, epd) = entry?;
                    from_epd(name, line, epd, variant)
                })
                .collect(),
            BookFormat::Pgn => recorded_game::read(name, bytes, options, &mut guesses)
                .map(|game| {
                    let (opening, eval, variant) = game?;
                    Ok(ListedOpening { eval, ..from_moves(name, opening, variant)? })
                })
                .collect(),
            BookFormat::Polyglot => polyglot_book::draw(&PolyglotBook::read(name, bytes)?, options)?
                .into_iter()
                .map(|opening| from_moves(name, opening, variant))
                .collect(),
        };
        if entries.is_empty() {
            return Err(BookError::Empty { file: name.to_owned() });
        }
        let (openings, faults) = (Vec::new(), Vec::new());
        let lines_with_zeros = lines_with_zeros(format, bytes);
        let mut listing = Self { name: name.to_owned(), format, openings, faults, lines_with_zeros, guesses };
        for entry in entries {
            match entry {
                Ok(opening) => listing.openings.push(opening),
                Err(fault @ (BookError::Io { .. } | BookError::Utf16 { .. })) => return Err(fault),
                Err(fault) => listing.faults.push(fault),
            }
        }
        Ok(listing)
    }

    /// Removes the faults, so that only lines that can be played are left.
    ///
    /// # Errors
    /// If no line can be played, or a fault concerns all lines.
    pub fn skip_faults(&mut self) -> Result<Skipped, BookError> {
        let mut skipped = Skipped::default();
        skipped.guesses = std::mem::take(&mut self.guesses);
        for fault in self.faults.drain(..) {
            skipped.add(fault)?;
        }
        skipped.beside(self.openings.len())
    }
}

fn from_moves(file: &str, opening: Opening, variant: Variant) -> Result<ListedOpening, BookError> {
    let referee = check(file, &opening, variant)?;
    let start = Opening { moves: Vec::new(), ..opening.clone() }.referee(variant);
    // The moves were just played, so they are legal.
    let moves = start.ok().and_then(|start| line_to_san(&start, &opening.moves).ok()).unwrap_or_default();
    let Opening { start_fen, line, name, .. } = opening;
    Ok(ListedOpening { name, line, ..ListedOpening::reached(&referee, start_fen, moves) })
}

fn from_epd(file: &str, line: usize, epd: Epd, variant: Variant) -> Result<ListedOpening, BookError> {
    let name = epd.id().map(str::to_owned);
    let opening = Opening { start_fen: Some(epd.fen.clone()), moves: Vec::new(), line, name };
    let referee = check(file, &opening, variant)?;
    let moves = moves_to(file, line, &epd, &referee)?;
    let eval = epd.operands("ce").and_then(|operands| eval_of(operands.first()?));
    let eval = eval.map(|eval| if referee.turn() == Side::White { eval } else { -eval });
    let is_usual_start = referee.fen() == Referee::new(variant).fen();
    let start_fen = (moves.is_none() && !is_usual_start).then_some(epd.fen);
    let is_other = |opcode: &str| match opcode {
        "id" | "hmvc" | "fmvn" => false,
        "ce" => eval.is_none(),
        "c0" => moves.is_none(),
        _ => true,
    };
    let operations = epd.operations.into_iter().filter(|operation| is_other(&operation.opcode)).collect();
    let reached = ListedOpening::reached(&referee, start_fen, moves.unwrap_or_default());
    Ok(ListedOpening { eval, name: opening.name, operations, line, ..reached })
}

fn moves_to(file: &str, line: usize, epd: &Epd, reached: &Referee) -> Result<Option<Vec<String>>, BookError> {
    let text = epd.operands("c0").and_then(|operands| operands.first()).map_or("", String::as_str);
    let mut referee = Referee::new(reached.variant());
    let is_move = |word: &str| {
        san_to_uci(&Referee::new(reached.variant()), word)
            .map_or_else(|error| error.reason != SanErrorReason::Unparsable, |_| true)
    };
    if text.is_empty() || !text.split_whitespace().all(is_move) {
        return Ok(None);
    }
    let wrong = |problem: String| BookError::Moves { file: file.to_owned(), line, problem };
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let uci = san_to_uci(&referee, word).map_err(|error| wrong(error.to_string()))?;
        let played = referee.play(&uci).map_err(|error| wrong(error.to_string()))?;
        moves.push(played.san().to_owned());
    }
    if referee.position_key() != reached.position_key() {
        let expected = "expected moves that lead to the position of the line";
        return Err(wrong(format!("{expected}, but they lead to {}", referee.fen())));
    }
    Ok(Some(moves))
}

#[cfg(test)]
mod tests;
