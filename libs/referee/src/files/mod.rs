//! Files of books and games: their formats and compressions, and what in them cannot be read, or was skipped or guessed.

mod book_error;
mod compression;
mod skipped;

pub(crate) use book_error::ENTRY_BYTES;
pub use book_error::{BookError, EpdFileError, OpeningError, PgnProblem, PolyglotProblem};
pub use compression::{BookFormat, read_unpacked};
pub(crate) use compression::{is_archive, open_unpacked, read_named};
pub use skipped::{Guesses, Skipped};
