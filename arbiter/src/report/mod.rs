//! Reports on runs as text, Markdown, JSON, CSV, JUnit and HTML.

pub mod adjudication_text;
pub mod exports;
pub mod junit;
pub mod markdown;
pub mod page;
pub mod pgn_text;
mod quote;
pub mod result;
mod standings;
pub mod verdict;
