//! The results of runs as text, Markdown, JSON, CSV, JUnit, and as an HTML page.

pub mod adjudication_text;
pub mod bracket_text;
pub mod exports;
pub mod junit;
pub mod markdown;
pub mod page;
pub mod summary_text;
pub mod tests_text;
pub mod verdict;

pub use summary_text::SummaryText;
