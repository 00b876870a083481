//! A file of PGN: as games, with and without the moves played, and as openings.

use std::ops::ControlFlow;

use referee::openings::{Book, BookFormat, BookListing, BookOptions, RecordedGame};
use referee::{PgnGames, Referee, Side, Variant};

use super::scratch;

/// The moves of every game that is read are legal, and a book that is taken can be played from.
pub fn run(bytes: &[u8]) {
    for game in PgnGames::new("x.pgn", bytes).with_endings().flatten() {
        let _ = (game.result(), game.player(Side::White), game.identity());
    }
    let (_folder, file) = scratch::file("x.pgn", bytes);
    let _ = RecordedGame::load_each(&file, |game| {
        let fen = game.start_fen.as_deref();
        let start = fen.map_or_else(
            || Referee::new(Variant::Standard),
            |fen| {
                Referee::from_fen(fen, Variant::Standard).unwrap_or_else(|_| Referee::new(Variant::Standard))
            },
        );
        assert_eq!(start.check_line(&game.moves), Ok(game.moves.len()));
        ControlFlow::Continue(())
    });
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
