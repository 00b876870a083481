//! Building blocks of all texts: documents, tables, paragraphs, numbers and colours.

pub mod document;
pub mod junit;
pub mod number_text;
mod printable;
mod table;
mod tally;
pub mod wrapped;

pub use document::{Document, Fact, Line};
pub use printable::{Printable, is_obeyed, markdown_escaped, printable};
pub use table::{CsvRows, Table, Tone, csv_cell, csv_text};
pub use tally::Tally;
pub(crate) use tally::labelled;
pub use wrapped::{listed, one_line, toml_text};
