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

pub use game_viewer::GameViewer;
pub use history::HistoryReport;
pub use run_report::RunReport;
