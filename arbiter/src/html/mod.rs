//! What all pages are made of: the frame with its styles, and the plots.
//!
//! Pages are written with the macros of maud, which escape every text that is not marked as HTML.

#[cfg(test)]
pub mod markup_check;
pub mod page;
pub mod plot;

pub use page::{Page, Section};

/// The styles of every page but those of charts and paper, for pages that are made elsewhere.
pub const PAGE_STYLES: [&str; 2] = [include_str!("page.css"), include_str!("tables.css")];

/// The drawings of the pieces, to be put into a page as they are: symbols `gv-pawn` to `gv-king` of 45 by 45. Their
/// lines need the classes `gv-line`, `gv-stroke` and `gv-spot`.
pub const PIECE_DRAWINGS: &str = include_str!("pieces.svg");
