//! The openings that matches start from: books in EPD, PGN or Polyglot's format, compressed or not, checked as a whole
//! when they are loaded, and the order in which the pairs of games draw from them.
//!
//! [`RecordedGame`] reads whole games, for those who look for positions in them.
//!
//! Whatever is wrong with a book is said before the first game starts, with the file and the line or entry.

mod book;
mod book_error;
mod book_format;
mod compression;
mod opening;
mod opening_order;
mod pgn_openings;
mod pgn_token;
mod polyglot_book;
mod polyglot_entry;
mod polyglot_lines;
mod recorded_game;
mod seeded_draw;

pub use book::{Book, BookOptions, BookReport};
pub use book_error::{BookError, PgnProblem};
pub use book_format::BookFormat;
pub use opening::{Opening, OpeningError};
pub use opening_order::{OpeningOrder, OpeningSequence};
pub use polyglot_entry::PolyglotProblem;
pub use recorded_game::RecordedGame;
