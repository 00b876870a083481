//! How sharply openings tell two engines apart, from the games of finished runs.

mod book_rating;
mod book_tally;
mod eval_bins;
mod rating_report;
mod rating_text;
mod run_books;

pub use book_rating::BookRating;
pub use book_tally::BookTally;
pub use eval_bins::EvalBins;
pub use rating_report::RatingReport;
pub use rating_text::RatingText;
pub use run_books::rate;
