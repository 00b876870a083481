//! A book in Polyglot's format, read by the referee and by Tarrasch.

use chess::Position;
use referee::openings::{Book, BookFormat, BookListing, BookOptions};
use tarrasch::OwnBook;

use super::scratch;

/// Openings that are taken can be played.
pub fn run(bytes: &[u8]) {
    for max_plies in [Some(4), Some(12)] {
        let options = BookOptions { max_plies, ..BookOptions::default() };
        let _ = BookListing::read("x.bin", bytes, BookFormat::Polyglot, &options);
        if let Ok(book) = Book::read("x.bin", bytes, BookFormat::Polyglot, &options) {
            for opening in book.openings() {
                assert!(opening.referee(book.variant()).is_ok());
            }
        }
    }
    let (_folder, file) = scratch::file("x.bin", bytes);
    if let Ok(book) = OwnBook::load(&file) {
        let mut position = Position::start();
        for chance in [0, 1, u64::MAX] {
            let Some(chosen) = book.choose(&position, chance) else { break };
            position = position.play(chosen);
        }
    }
}
