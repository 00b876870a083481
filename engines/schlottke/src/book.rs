//! The unit `LIVRE` (section VII): openings as lines of coordinate moves, searched from the first line.

use std::fs;

use referee::{Referee, Variant};

/// The shipped book, built in so that it is found from any folder.
const SHIPPED: &str = include_str!("../book.txt");
const SHIPPED_NAME: &str = "schlottke.txt";

/// The characters of a move; openings have no promotions.
const MOVE_LENGTH: usize = 4;

/// Lines of moves from the start position, each written without blanks: `e2e4e7e5g1f3`.
#[derive(Debug, PartialEq, Eq)]
pub struct Book(Vec<String>);

impl Book {
    pub fn shipped() -> Book {
        Book::parse(SHIPPED_NAME, SHIPPED).expect("the book that ships is sound, as a test shows")
    }

    /// Reads a book from a file; an error names the problem and the line.
    pub fn load(file: &str) -> Result<Book, String> {
        let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        Book::parse(file, &text)
    }

    /// Reads the text of a book; the referee checks every line. Empty lines and lines with `#` are comments.
    pub fn parse(file: &str, text: &str) -> Result<Book, String> {
        let mut lines = Vec::new();
        for (index, line) in text.lines().map(str::trim).enumerate() {
            if !line.is_empty() && !line.starts_with('#') {
                check(line).map_err(|reason| format!("{file}:{}: {reason}", index + 1))?;
                lines.push(line.to_owned());
            }
        }
        if lines.is_empty() {
            return Err(format!("{file}: expected lines of moves, found none"));
        }
        Ok(Book(lines))
    }

    /// The reply to `game`, the moves so far without blanks: the next move of the first line that begins with them.
    pub fn reply(&self, game: &str) -> Option<&str> {
        self.0.iter().find_map(|line| line.strip_prefix(game)?.get(..MOVE_LENGTH))
    }
}

fn check(line: &str) -> Result<(), String> {
    if !line.is_ascii() || !line.len().is_multiple_of(MOVE_LENGTH) {
        let expected = "moves of four characters without blanks, such as e2e4e7e5";
        return Err(format!("expected {expected}, found `{line}`"));
    }
    let mut referee = Referee::new(Variant::Standard);
    for number in 1..=line.len() / MOVE_LENGTH {
        let mv = &line[(number - 1) * MOVE_LENGTH..number * MOVE_LENGTH];
        referee.play(mv).map_err(|error| format!("move {number} of the line: {error}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_book_that_ships_is_legal_and_not_hidden_by_an_earlier_one() {
        let Book(lines) = Book::parse(SHIPPED_NAME, SHIPPED).unwrap();
        assert!(lines.len() >= 50, "{}", lines.len());
        // The article's longest lines have 24 half-moves.
        assert!(lines.iter().all(|line| line.len() <= 24 * MOVE_LENGTH));
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
            let error = Book::parse("test", text).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(Book::load("/no/such/book").unwrap_err().starts_with("/no/such/book: "));
    }
}
