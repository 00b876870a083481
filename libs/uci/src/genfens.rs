//! The `genfens` command, with which OpenBench asks an engine for openings.

use std::fmt;

use super::ParseError;
use super::tokens::Tokens;

/// `genfens N seed S book None|FILE EXTRA`: print N openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genfens {
    /// The number of openings.
    pub count: u64,
    /// Decides which.
    pub seed: u64,
    /// A file of FEN or EPD lines to start from, its path without blanks; `None` for the start position.
    pub book: Option<String>,
    /// What else the engine is told; empty if nothing.
    pub extra: String,
}

impl Genfens {
    /// Reads what follows the word `genfens`.
    pub(super) fn read(tokens: &mut Tokens<'_>) -> Result<Genfens, ParseError> {
        let count = tokens.value("genfens", "a number of openings")?;
        keyword(tokens, "seed")?;
        let seed = tokens.value("seed", "a whole number")?;
        keyword(tokens, "book")?;
        let book: String = tokens.value("book", "None or a file")?;
        let book = Some(book).filter(|book| !book.eq_ignore_ascii_case("none"));
        Ok(Genfens { count, seed, book, extra: tokens.rest() })
    }
}

fn keyword(tokens: &mut Tokens<'_>, expected: &'static str) -> Result<(), ParseError> {
    match tokens.next() {
        Some(word) if word == expected => Ok(()),
        Some(word) => Err(ParseError::Invalid { field: "genfens", expected, found: word.to_owned() }),
        None => Err(ParseError::Missing(expected)),
    }
}

impl fmt::Display for Genfens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Genfens { count, seed, book, extra } = self;
        write!(f, "genfens {count} seed {seed} book {}", book.as_deref().unwrap_or("None"))?;
        if extra.is_empty() { Ok(()) } else { write!(f, " {extra}") }
    }
}
