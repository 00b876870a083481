//! What was skipped or guessed while a file was read.

use std::collections::BTreeMap;

use super::{BookError, PgnProblem};
use crate::{Variant, fen};

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
