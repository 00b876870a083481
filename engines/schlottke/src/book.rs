//! The unit `LIVRE` (section VII): openings as lines of coordinate moves, looked up from the first line down.

use std::{fs, io};

use thiserror::Error;

use referee::{IllegalMove, Referee, Variant};

/// The book that ships, built in so that the engine finds it from anywhere.
const SHIPPED: &str = include_str!("../book.txt");
const SHIPPED_NAME: &str = "schlottke.txt";

/// The characters of a move: there are no promotions in an opening.
const MOVE_LENGTH: usize = 4;

/// Lines of moves from the first position on, each written without blanks: `e2e4e7e5g1f3`.
#[derive(Debug, PartialEq, Eq)]
pub struct Book(Vec<String>);

impl Book {
    /// The book that ships.
    ///
    /// # Panics
    /// Never: a test reads it.
    pub fn shipped() -> Book {
        Book::parse(SHIPPED_NAME, SHIPPED).expect("the book that ships is sound")
    }

    /// Reads a book from a file.
    ///
    /// # Errors
    /// When the file cannot be read, or a line is malformed or illegal.
    pub fn load(file: &str) -> Result<Book, BookError> {
        let text = fs::read_to_string(file);
        let text = text.map_err(|cause| BookError::Unreadable { file: file.to_owned(), cause })?;
        Book::parse(file, &text)
    }

    /// Reads the text of a book; the referee checks every line. Empty lines and lines with `#` are comments.
    ///
    /// # Errors
    /// The first line that is malformed or illegal.
    pub fn parse(file: &str, text: &str) -> Result<Book, BookError> {
        let mut lines = Vec::new();
        for (index, line) in text.lines().map(str::trim).enumerate() {
            if !line.is_empty() && !line.starts_with('#') {
                check(file, index + 1, line)?;
                lines.push(line.to_owned());
            }
        }
        if lines.is_empty() {
            return Err(BookError::Empty { file: file.to_owned() });
        }
        Ok(Book(lines))
    }

    /// The move after `game`, the moves so far without blanks: the next of the first line that begins with them.
    pub fn reply(&self, game: &str) -> Option<&str> {
        self.0.iter().find_map(|line| line.strip_prefix(game)?.get(..MOVE_LENGTH))
    }
}

fn check(file: &str, line: usize, text: &str) -> Result<(), BookError> {
    let file = || file.to_owned();
    if !text.is_ascii() || !text.len().is_multiple_of(MOVE_LENGTH) {
        return Err(BookError::Malformed { file: file(), line, found: text.to_owned() });
    }
    let mut referee = Referee::new(Variant::Standard);
    for number in 1..=text.len() / MOVE_LENGTH {
        let mv = &text[(number - 1) * MOVE_LENGTH..number * MOVE_LENGTH];
        referee.play(mv).map_err(|cause| BookError::Illegal { file: file(), line, number, cause })?;
    }
    Ok(())
}

/// What is wrong with a book, and where.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("{file}: {cause}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        cause: io::Error,
    },
    /// A line is not made of moves of four characters.
    #[error(
        "{file}:{line}: expected moves of four characters without blanks, such as e2e4e7e5, found `{found}`"
    )]
    Malformed {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What it says.
        found: String,
    },
    /// The rules do not allow a move.
    #[error("{file}:{line}: move {number} of the line: {cause}")]
    Illegal {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// Which move of the line, from 1.
        number: usize,
        /// What the referee says.
        cause: IllegalMove,
    },
    /// No line has a move.
    #[error("{file}: expected lines of moves, found none")]
    Empty {
        /// The file.
        file: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_book_that_ships_is_legal_to_its_end() {
        let Book(lines) = Book::parse(SHIPPED_NAME, SHIPPED).unwrap();
        assert!(lines.len() >= 50, "{}", lines.len());
        // The article's longest lines have 24 half-moves.
        assert!(lines.iter().all(|line| line.len() <= 24 * MOVE_LENGTH));
    }

    #[test]
    fn no_line_of_the_book_that_ships_is_hidden_by_an_earlier_one() {
        let Book(lines) = Book::parse(SHIPPED_NAME, SHIPPED).unwrap();
        for (index, line) in lines.iter().enumerate() {
            assert!(!lines[..index].iter().any(|earlier| earlier.starts_with(line.as_str())), "{line}");
        }
    }

    #[test]
    fn the_first_line_that_starts_with_the_game_gives_the_reply() {
        let book = Book::parse("test", "e2e4e7e5g1f3\ne2e4e7e5f1c4b8c6\ne2e4c7c5\n").unwrap();
        assert_eq!(book.reply(""), Some("e2e4"));
        assert_eq!(book.reply("e2e4e7e5"), Some("g1f3"));
        assert_eq!(book.reply("e2e4e7e5f1c4"), Some("b8c6"));
        assert_eq!(book.reply("e2e4c7c5"), None);
        assert_eq!(book.reply("d2d4"), None);
    }

    #[test]
    fn a_mistake_is_told_with_its_file_and_line() {
        let cases = [
            ("e2e4\ne2e5\n", "test:2: move 1"),
            ("# a comment\ne2e4e7e5 g1f3\n", "test:2: expected moves"),
            ("e2e4e7\n", "test:1: expected moves"),
            ("e2e4éé\n", "test:1: expected moves"),
            ("# only a comment\n", "test: expected lines"),
        ];
        for (text, expected) in cases {
            let error = Book::parse("test", text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(Book::load("/no/such/book").unwrap_err().to_string().starts_with("/no/such/book: "));
    }
}
