//! A file of PGN: as games, as headers, as openings.

use std::fmt::Write as _;

use referee::openings::{Book, BookFormat, BookListing, BookOptions, RecordedGame};
use referee::{PgnHeaders, Referee, Variant};

use super::scratch;

/// The moves of every game that is read are legal, and a book that is taken can be played from.
pub fn run(bytes: &[u8]) {
    let mut told = String::new();
    for headers in PgnHeaders::new(bytes) {
        let _ = write!(told, "{headers:?}");
    }
    let (_folder, file) = scratch::file("x.pgn", bytes);
    if let Ok(games) = RecordedGame::load_all(&file) {
        for game in games {
            let fen = game.start_fen.as_deref();
            let start = fen.map_or_else(
                || Referee::new(Variant::Standard),
                |fen| {
                    Referee::from_fen(fen, Variant::Standard)
                        .unwrap_or_else(|_| Referee::new(Variant::Standard))
                },
            );
            assert_eq!(start.check_line(&game.moves), Ok(game.moves.len()));
        }
    }
    for max_plies in [None, Some(0), Some(3)] {
        let options = BookOptions { max_plies, ..BookOptions::default() };
        let _ = BookListing::read("x.pgn", bytes, BookFormat::Pgn, &options);
        if let Ok(book) = Book::read("x.pgn", bytes, BookFormat::Pgn, &options) {
            for opening in book.openings() {
                assert!(opening.referee(book.variant()).is_ok());
            }
        }
    }
}
