//! What all texts are made of: numbers, tables, paragraphs and colours.

pub mod junit;
pub mod number_text;
mod printable;
mod table;
pub mod wrapped;

pub use printable::{Printable, printable};
pub use table::{Table, Tone};
pub use wrapped::{Paragraph, listed};
