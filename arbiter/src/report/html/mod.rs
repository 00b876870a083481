//! The report as one HTML page, which needs nothing beside itself: no network, no other file.
//!
//! [`RunReport`] is the page about one run. Everything on it is made from the journal, so that it can be made for any
//! run folder at any time, for a run that is still going on, too. The `facts` are counted while the journal is read;
//! the `sections` turn them into HTML, the `plot`s are SVG, and the [`GameViewer`] shows any game on a board.
//! [`HistoryReport`] is the page about several runs. All text from engines and files passes through
//! [`Escaped`](escaped::Escaped).

mod escaped;
mod facts;
mod figure;
mod game_viewer;
mod history;
mod page;
mod plot;
mod rating;
mod rating_table;
mod run_report;
mod section;
mod sections;
mod small_board;
mod verdict;
#[cfg(test)]
mod well_formed;

/// The styles of every page but those of charts and paper, for pages that are made elsewhere.
pub const PAGE_STYLES: [&str; 2] = [include_str!("page.css"), include_str!("tables.css")];

/// The drawings of the pieces, to be put into a page as they are: symbols `gv-pawn` to `gv-king` of 45 by 45. Their
/// lines want the classes `gv-line`, `gv-stroke` and `gv-spot`.
pub const PIECE_DRAWINGS: &str = include_str!("game_viewer/pieces.svg");

pub use game_viewer::GameViewer;
pub use history::HistoryReport;
pub use run_report::RunReport;
