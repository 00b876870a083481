//! A file of EPD, as a suite and as a book.

use referee::openings::{Book, BookFormat, BookListing, BookOptions};
use referee::{Epd, EpdFile, Variant};

/// A line is written so that it reads as the same line; a book that is taken can be played from, and one whose every
/// entry is sound is taken.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for (_, epd) in EpdFile::read("x.epd", &text).flatten() {
        let written = epd.to_string();
        // The two clocks are also operations, which then may differ from the fields.
        if epd.operands("hmvc").is_none() && epd.operands("fmvn").is_none() && !written.contains("\"\"") {
            assert_eq!(Epd::parse(&written).as_ref(), Ok(&epd), "{written}");
        }
        for variant in [Variant::Standard, Variant::Chess960] {
            let _ = epd.best_moves(variant);
            let _ = epd.avoid_moves(variant);
        }
    }
    let options = BookOptions::default();
    let book = Book::read("x.epd", bytes, BookFormat::Epd, &options);
    let listing = BookListing::read("x.epd", bytes, BookFormat::Epd, &options);
    if let Ok(book) = &book {
        for opening in book.openings() {
            assert!(opening.referee(book.variant()).is_ok());
        }
    }
    if listing.is_ok_and(|listing| listing.faults.is_empty()) {
        assert!(book.is_ok(), "{:?}", book.err());
    }
}
