//! What all pages are made of: the frame with its styles, and the plots.
//!
//! Pages are written with the macros of maud, which escape every text that is not marked as HTML.

#[cfg(test)]
pub mod markup_check;
pub mod page;
pub mod plot;

pub use page::{Page, Section};

/// The styles of every page but those of charts and paper, for pages that are made elsewhere.
pub const PAGE_STYLES: [&str; 3] =
    [include_str!("page.css"), include_str!("tables.css"), include_str!("board.css")];

/// What a script needs to make elements, and a board: `element`, `shape`, `Board`.
pub const BOARD_SCRIPTS: [&str; 2] = [include_str!("elements.js"), include_str!("board.js")];

/// The drawings of the pieces, to be put into a page as they are: symbols `gv-pawn` to `gv-king` of 45 by 45.
pub const PIECE_DRAWINGS: &str = include_str!("pieces.svg");
