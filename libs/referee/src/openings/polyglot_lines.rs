//! The lines that a match draws from a Polyglot book, which is a graph of positions.
//!
//! A line goes from the start position along moves of the book until a bound in plies or the end of the book. Left
//! out are moves of weight 0, moves back to a position that the line has had already, so that every line ends, and
//! moves that end the game, so that there is one to play; and of lines that part and meet again at their ends, all but
//! the first, so that no two games of a pairing need start from the same position.
//!
//! In a random order each line is drawn move by move: the book's moves are chosen in proportion to their weights,
//! among those only that still lead to a line not drawn before. In sequential order the heaviest move comes first,
//! and of equal ones the first in the file. Either way each line is drawn once, and no more than [`MOST_DRAWS`] are;
//! a match that needs more openings begins again with the first.

use std::collections::HashSet;

use super::opening_order::SeededDraw;
use super::polyglot_book::PolyglotBook;
use super::{BookError, BookOptions, Opening, OpeningOrder};
use crate::{IllegalMove, Referee};

/// How many lines are drawn from a book that has more, those left out included. A book of any size is ready in a
/// moment, and a long match has openings enough.
const MOST_DRAWS: usize = 20_000;

/// Separates these draws from those that shuffle the lines of other books.
const STREAM: u64 = u64::MAX;

/// A position on the way of a line that has been drawn.
#[derive(Debug, Default)]
struct Junction {
    choices: Vec<Choice>,
}

#[derive(Debug)]
struct Choice {
    uci: String,
    /// The number of the entry in the file, counted from 1.
    entry: usize,
    weight: u64,
    /// Whether every line through here has been drawn.
    exhausted: bool,
    /// The junction behind it, once a line went there.
    next: Option<usize>,
}

/// The lines drawn so far, as a tree of junctions.
struct Lines<'a> {
    book: &'a PolyglotBook,
    options: &'a BookOptions,
    /// Decides between moves; without it the heaviest is taken.
    draw: Option<SeededDraw>,
    junctions: Vec<Junction>,
}

/// Draws the lines of a book in the order that the options ask for.
pub(super) fn draw(book: &PolyglotBook, options: &BookOptions) -> Result<Vec<Opening>, BookError> {
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
    /// The next line and the key of the position that it leads to; `None` when all have been drawn.
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

    /// The line along a path, which is used up now.
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
        let choices = self.junctions[at].choices.iter().enumerate().filter(|(_, choice)| !choice.exhausted);
        let Some(draw) = &mut self.draw else {
            let heaviest = choices.rev().max_by_key(|(_, choice)| choice.weight);
            return heaviest.map(|(place, _)| place);
        };
        let total: u64 = choices.clone().map(|(_, choice)| choice.weight).sum();
        // At the end of a line there is nothing to draw.
        let mut drawn = if total > 0 { draw.below(total) } else { 0 };
        for (place, choice) in choices {
            match drawn.checked_sub(choice.weight) {
                Some(rest) => drawn = rest,
                None => return Some(place),
            }
        }
        None
    }

    /// Makes a junction of the moves that may follow, and returns its index.
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
                        junction.choices.push(Choice { uci, entry, weight, exhausted: false, next: None });
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
