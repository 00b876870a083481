//! The report as one HTML page, which needs nothing beside itself: no network, no other file.
//!
//! [`RunReport`] is the page about one run. Everything on it is made from the journal, so that it can be made for any run
//! folder at any time, for a run that is still going on, too. The `facts` are counted while the journal is read; the
//! `sections` turn them into HTML, and the `plot`s are SVG. All text from engines and files passes through
//! [`Escaped`](escaped::Escaped).

mod escaped;
mod facts;
mod figure;
mod page;
mod plot;
mod rating;
mod run_report;
mod section;
mod sections;
mod verdict;

pub use run_report::RunReport;
