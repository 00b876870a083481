//! The openings that matches start from: books in EPD, PGN or Polyglot format, possibly compressed, which are checked as
//! a whole when they are loaded, and the order in which pairs of games use them.
//!
//! [`RecordedGame`] reads whole games, for callers that look for positions in them.
//!
//! Openings that cannot be played are left out of a book, counted, and named by file and line or entry before the first
//! game.
//!
//! To make books: [`BookListing`] reads all lines of a book, valid or not; [`repeats()`] finds positions that are reached
//! twice; [`diverse`] selects few lines of many; [`book_as_epd`], [`book_as_pgn`] and [`book_as_polyglot`] write books.

mod book;
mod book_listing;
mod book_writing;
mod diversity;
mod opening;
mod opening_name;
mod opening_order;
mod polyglot_book;
mod recorded_game;
mod repeats;

pub use crate::files::{
    BookError, BookFormat, Guesses, OpeningError, PgnProblem, PolyglotProblem, Skipped, read_unpacked,
};
pub use book::{Book, BookOptions, BookReport};
pub use book_listing::BookListing;
pub use book_writing::{book_as_epd, book_as_pgn, book_as_polyglot};
pub use diversity::{diverse, mean_nearest_distance};
pub use opening::{EvalRange, ListedOpening, Opening};
pub use opening_name::OpeningName;
pub use opening_order::{OpeningOrder, OpeningSequence, SeededDraw, shuffled};
pub use polyglot_book::book_move;
pub use recorded_game::RecordedGame;
pub use repeats::{KnownPositions, Repeat, RepeatKind, repeats};
