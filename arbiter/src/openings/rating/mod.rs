//! How sharply openings tell two engines apart, from the games of finished runs.

mod book_rating;
mod rating_text;
mod run_books;

pub use book_rating::{BookRating, BookTally};
pub use rating_text::document;
pub use run_books::{EvalBins, rate};
