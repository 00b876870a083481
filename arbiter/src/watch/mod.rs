//! A run on show in the browser.
//!
//! What was played is read from the journal, which grows while the run goes on ([`JournalSource`]); what is being
//! played comes through the socket of the run (`control::watch`). An [`Exhibition`] holds both together, and
//! [`View`](view::View) is what a page is told of it. Nothing in the folder of the run is changed.

mod command;
mod exhibition;
mod game_replay;
mod journal_source;
mod routes;
mod show;
mod view;

pub use command::WatchArgs;
pub use exhibition::Exhibition;
pub use journal_source::JournalSource;
pub use routes::routes;
pub use show::Show;
