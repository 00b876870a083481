//! What all texts are made of: numbers, tables, paragraphs and colours.

pub mod junit;
mod listed;
pub mod number_text;
mod paragraph;
mod table;
mod tone;
pub mod wrapped;

pub use listed::listed;
pub use paragraph::Paragraph;
pub use table::Table;
pub use tone::Tone;
