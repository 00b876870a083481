//! The openings that matches start from: books in EPD or PGN, checked as a whole when they are loaded, and the order
//! in which the pairs of games draw from them.
//!
//! Whatever is wrong with a book is said before the first game starts, with the file and the line.

mod book;
mod book_error;
mod book_format;
mod opening;
mod opening_order;
mod pgn_openings;
mod pgn_token;

pub use book::{Book, BookOptions, BookReport};
pub use book_error::{BookError, PgnProblem};
pub use book_format::BookFormat;
pub use opening::{Opening, OpeningError};
pub use opening_order::{OpeningOrder, OpeningSequence};
