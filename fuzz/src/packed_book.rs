//! A compressed book: the first byte says whether with gzip or Zstandard.

use referee::openings::{Book, BookListing, BookOptions};

use super::scratch;

/// It is a book or an error.
pub fn run(bytes: &[u8]) {
    let Some((kind, packed)) = bytes.split_first() else { return };
    let name = ["x.epd.gz", "x.epd.zst", "x.pgn.gz", "x.pgn.zst"][usize::from(kind % 4)];
    let (_folder, file) = scratch::file(name, packed);
    let options = BookOptions::default();
    let _ = BookListing::load(&file, &options);
    if let Ok(book) = Book::load(&file, None, &options) {
        for opening in book.openings() {
            assert!(opening.referee(book.variant()).is_ok());
        }
    }
}
