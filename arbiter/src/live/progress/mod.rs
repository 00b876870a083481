//! The display of a run while it is played.

pub mod progress_text;
mod terminal;

pub use progress_text::{ProgressText, TimeLeft};
pub use terminal::{Speaker, Terminal};
