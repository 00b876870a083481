//! What all texts are made of: numbers, tables, paragraphs and colours.

pub mod junit;
mod listed;
pub mod number_text;
mod paragraph;
mod printable;
mod table;
mod tone;
pub mod wrapped;

pub use listed::listed;
pub use paragraph::Paragraph;
pub use printable::{Printable, printable};
pub use table::Table;
pub use tone::Tone;
