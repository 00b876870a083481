//! The report of `arbiter openings rate`.

use serde::{Deserialize, Serialize};

use super::book_rating::BookRating;

/// Books side by side. `schema` changes whenever a field changes its meaning or goes away; infinite numbers are `"inf"`
/// and `"-inf"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingReport {
    /// The version of this format.
    pub schema: u32,
    /// The books, or parts of them. The others are compared with the first.
    pub books: Vec<BookRating>,
    /// Games whose opening has no eval, or one outside of the ranges.
    pub without_range: u64,
}

impl RatingReport {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 1;

    /// Compares books with the first of them.
    pub fn new(books: Vec<BookRating>, without_range: u64) -> RatingReport {
        let first = books.first().cloned();
        let compare = |(place, book): (usize, BookRating)| match &first {
            Some(first) if place > 0 => book.compared_with(first),
            _ => book,
        };
        let books = books.into_iter().enumerate().map(compare).collect();
        RatingReport { schema: RatingReport::SCHEMA, books, without_range }
    }
}
