//! The parts that all pages share: the frame with its styles, and the plots.
//!
//! Pages are written with the macros of maud, which escape every text that is not marked as HTML.

#[cfg(test)]
pub mod markup_check;
pub mod page;
pub mod plot;

pub use page::{Page, Section};

/// The styles of every page except those for charts and printing, for pages that are built elsewhere.
pub const PAGE_STYLES: [&str; 3] =
    [include_str!("page.css"), include_str!("tables.css"), include_str!("board.css")];

/// Scripts for creating elements and boards: `element`, `shape`, `Board`.
pub const BOARD_SCRIPTS: [&str; 2] = [include_str!("elements.js"), include_str!("board.js")];

/// The drawings of the pieces, to be embedded in a page: symbols `gv-pawn` to `gv-king`, 45 by 45 units.
pub const PIECE_DRAWINGS: &str = include_str!("pieces.svg");
