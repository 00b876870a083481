//! What all pages are made of: the styles, the plots, and text that is safe in HTML.

mod escaped;
pub mod page;
pub mod plot;
mod small_board;
#[cfg(test)]
pub mod well_formed;

pub use escaped::Escaped;
pub use page::Page;
pub use small_board::SmallBoard;

/// The styles of every page but those of charts and paper, for pages that are made elsewhere.
pub const PAGE_STYLES: [&str; 2] = [include_str!("page.css"), include_str!("tables.css")];
