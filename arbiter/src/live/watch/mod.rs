//! `arbiter watch`: shows a run in the browser.
//!
//! Finished games come from the journal, which grows while the run is running ([`JournalSource`]); games in progress come
//! through the run's socket (`control::watch`). A [`LiveRun`] combines both, a [`RunFollower`] keeps it up to date, and
//! [`RunView`](run_view::RunView) is the JSON for the page. Nothing in the run's folder is changed.

mod journal_source;
mod live_files;
mod live_run;
mod run_follower;
mod run_view;

pub use journal_source::JournalSource;
pub use live_files::LiveFilesArgs;
pub use live_run::LiveRun;
pub use run_follower::{RunFollower, WatchArgs, routes};
