//! A Polyglot book, which is a graph of positions, and the lines that a match draws from it.
//!
//! A line follows moves of the book from the start position to a maximum length or the end of the book. It never has
//! moves of weight 0, moves that repeat a position of the line, so that every line ends, or moves that end the game. Of
//! lines that lead to the same final position only the first is kept, so that no two games of a pairing need to start
//! from the same position.
//!
//! In random order each line is drawn move by move: moves are chosen in proportion to their weights, among those that
//! still lead to a line not drawn yet. In sequential order the move with the greatest weight comes first, and in a tie
//! the first in the file. Either way each line is drawn once, and at most [`MOST_DRAWS`] lines are drawn; a match that
//! needs more openings starts again with the first.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::opening_order::SeededDraw;
use super::{BookOptions, Opening, OpeningOrder};
use crate::files::{BookError, ENTRY_BYTES, PolyglotProblem};
use crate::{IllegalMove, Referee};

#[derive(Debug)]
pub(super) struct PolyglotBook {
    name: String,
    entries: Vec<PolyglotEntry>,
}

impl PolyglotBook {
    pub(super) fn read(name: &str, bytes: &[u8]) -> Result<Self, BookError> {
        // The book that comes with GNU Chess ends with a line feed.
        let surplus = usize::from(bytes.len() % ENTRY_BYTES == 1 && bytes.ends_with(b"\n"));
        let bytes = &bytes[..bytes.len() - surplus];
        let mut entries: Vec<PolyglotEntry> = Vec::with_capacity(bytes.len() / ENTRY_BYTES);
        for chunk in bytes.chunks(ENTRY_BYTES) {
            let fault =
                |problem| BookError::Polyglot { file: name.to_owned(), entry: entries.len() + 1, problem };
            let entry = PolyglotEntry::read(chunk).map_err(fault)?;
            if entries.last().is_some_and(|last| last.key > entry.key) {
                return Err(fault(PolyglotProblem::Order));
            }
            entries.push(entry);
        }
        Ok(Self { name: name.to_owned(), entries })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The entries of a position with a positive weight, each with its number in the file, counted from 1.
    pub(super) fn entries_of(&self, key: u64) -> impl Iterator<Item = (usize, PolyglotEntry)> {
        let first = self.entries.partition_point(|entry| entry.key < key);
        let of_position = self.entries[first..].iter().take_while(move |entry| entry.key == key);
        let numbered = of_position.enumerate().map(move |(place, entry)| (first + place + 1, *entry));
        numbered.filter(|(_, entry)| entry.weight > 0)
    }
}

/// A move that a Polyglot book has in some position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PolyglotEntry {
    pub(super) key: u64,
    pub(super) number: u16,
    /// The relative frequency of the move; moves of weight 0 are never played.
    pub(super) weight: u16,
}

/// A move that a Polyglot book has for this position, drawn at random by weight; `None` if it has none. Reads only the
/// needed parts of the file.
///
/// # Errors
/// If the file cannot be read.
pub fn book_move(book: &Path, referee: &Referee, draw: &mut SeededDraw) -> io::Result<Option<String>> {
    let mut file = File::open(book)?;
    let count = file.metadata()?.len() / ENTRY_BYTES as u64;
    let mut entry = |index: u64| -> io::Result<PolyglotEntry> {
        let mut bytes = [0; ENTRY_BYTES];
        file.seek(SeekFrom::Start(index * ENTRY_BYTES as u64))?;
        file.read_exact(&mut bytes)?;
        PolyglotEntry::read(&bytes).map_err(io::Error::other)
    };
    let key = referee.polyglot_key();
    let (mut first, mut end) = (0, count);
    while first < end {
        let middle = u64::midpoint(first, end);
        if entry(middle)?.key < key { first = middle + 1 } else { end = middle }
    }
    let mut choices = Vec::new();
    for index in first..count {
        let found = entry(index)?;
        if found.key != key {
            break;
        }
        choices.push(found);
    }
    let chosen = draw.weighted(choices.iter().map(|choice| choice.weight.into()));
    Ok(chosen.and_then(|index| referee.polyglot_move(choices[index].number).ok()))
}

impl PolyglotEntry {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, PolyglotProblem> {
        let entry: &[u8; ENTRY_BYTES] = bytes.try_into().map_err(|_| PolyglotProblem::Length(bytes.len()))?;
        // Eight bytes for the key, two for the move, two for the weight and four for learning, big-endian.
        let whole = u128::from_be_bytes(*entry);
        Ok(Self { key: (whole >> 64) as u64, number: (whole >> 48) as u16, weight: (whole >> 32) as u16 })
    }

    /// The bytes of the entry, with zeros for learning.
    pub(super) fn bytes(self) -> [u8; ENTRY_BYTES] {
        let whole =
            u128::from(self.key) << 64 | u128::from(self.number) << 48 | u128::from(self.weight) << 32;
        whole.to_be_bytes()
    }
}

/// The maximum number of lines drawn from a book, including lines that are left out. It keeps loading fast for a book of
/// any size, and is enough openings for a long match.
const MOST_DRAWS: usize = 20_000;

/// Separates these draws from those that shuffle other books.
const STREAM: u64 = u64::MAX;

/// A position on the way of a line that has been drawn.
#[derive(Debug, Default)]
struct Junction {
    choices: Vec<PolyglotChoice>,
}

#[derive(Debug)]
struct PolyglotChoice {
    uci: String,
    /// The number of the entry in the file, counted from 1.
    entry: usize,
    weight: u64,
    /// Whether every line through this move has been drawn.
    exhausted: bool,
    /// The junction after this move, once a line has been there.
    next: Option<usize>,
}

/// The lines drawn so far, as a tree of junctions.
struct Lines<'a> {
    book: &'a PolyglotBook,
    options: &'a BookOptions,
    /// Chooses between moves; if `None`, the greatest weight is taken.
    draw: Option<SeededDraw>,
    junctions: Vec<Junction>,
}

pub(super) fn draw(book: &PolyglotBook, options: &BookOptions) -> Result<Vec<Opening>, BookError> {
    if !options.variant.is_chess() {
        return Err(BookError::PolyglotOfVariant { file: book.name().to_owned(), variant: options.variant });
    }
    let draw = match options.order {
        OpeningOrder::Random { seed } | OpeningOrder::Fastchess { seed } => {
            Some(SeededDraw::new(seed, STREAM))
        }
        OpeningOrder::Sequential { .. } => None,
    };
    let mut lines = Lines { book, options, draw, junctions: Vec::new() };
    let mut openings = Vec::new();
    let mut reached = HashSet::new();
    for _ in 0..MOST_DRAWS {
        let Some((opening, key)) = lines.next()? else { break };
        if reached.insert(key) {
            openings.push(opening);
        }
    }
    Ok(openings)
}

impl Lines<'_> {
    /// The next line and the key of its final position; `None` when all lines have been drawn.
    fn next(&mut self) -> Result<Option<(Opening, u64)>, BookError> {
        let mut referee = Referee::new(self.options.variant);
        let mut seen = vec![referee.polyglot_key()];
        let mut path = Vec::new();
        let mut at = 0;
        if self.junctions.is_empty() {
            self.add_junction(&referee, &seen)?;
        }
        while let Some(place) = self.choose(at) {
            let choice = &self.junctions[at].choices[place];
            let (entry, next) = (choice.entry, choice.next);
            referee.play(&choice.uci).map_err(|source| self.fault(entry, source))?;
            seen.push(referee.polyglot_key());
            path.push((at, place));
            let next = match next {
                Some(next) => next,
                None => self.add_junction(&referee, &seen)?,
            };
            self.junctions[at].choices[place].next = Some(next);
            at = next;
        }
        Ok(self.finish(&path).map(|opening| (opening, referee.position_key())))
    }

    /// The line along a path, which is marked as drawn.
    fn finish(&mut self, path: &[(usize, usize)]) -> Option<Opening> {
        let choice = |&(at, place): &(usize, usize)| &self.junctions[at].choices[place];
        let line = choice(path.last()?).entry;
        let moves = path.iter().map(|step| choice(step).uci.clone()).collect();
        for &(at, place) in path.iter().rev() {
            self.junctions[at].choices[place].exhausted = true;
            if self.junctions[at].choices.iter().any(|choice| !choice.exhausted) {
                break;
            }
        }
        Some(Opening { start_fen: None, moves, line, name: None })
    }

    /// Chooses among the moves that still lead to a line not drawn.
    fn choose(&mut self, at: usize) -> Option<usize> {
        let choices = &self.junctions[at].choices;
        let weights = choices.iter().map(|choice| if choice.exhausted { 0 } else { choice.weight });
        // There is nothing to draw at the end of a line.
        if weights.clone().all(|weight| weight == 0) {
            return None;
        }
        match &mut self.draw {
            Some(draw) => draw.weighted(weights),
            None => weights.enumerate().rev().max_by_key(|(_, weight)| *weight).map(|(place, _)| place),
        }
    }

    /// Makes a junction of the moves that are possible here, and returns its index.
    fn add_junction(&mut self, referee: &Referee, seen: &[u64]) -> Result<usize, BookError> {
        let mut junction = Junction::default();
        if self.options.max_plies.is_none_or(|most| referee.ply() < most) {
            for (entry, found) in self.book.entries_of(referee.polyglot_key()) {
                let uci = referee.polyglot_move(found.number).map_err(|source| self.fault(entry, source))?;
                let weight = u64::from(found.weight);
                let mut ahead = referee.clone();
                ahead.play(&uci).map_err(|source| self.fault(entry, source))?;
                if ahead.outcome().is_some() || seen.contains(&ahead.polyglot_key()) {
                    continue;
                }
                match junction.choices.iter_mut().find(|choice| choice.uci == uci) {
                    Some(known) => known.weight += weight,
                    None => {
                        junction.choices.push(PolyglotChoice {
                            uci,
                            entry,
                            weight,
                            exhausted: false,
                            next: None,
                        });
                    }
                }
            }
        }
        self.junctions.push(junction);
        Ok(self.junctions.len() - 1)
    }

    fn fault(&self, entry: usize, source: IllegalMove) -> BookError {
        BookError::Polyglot { file: self.book.name().to_owned(), entry, problem: source.into() }
    }
}

#[cfg(test)]
mod tests;
