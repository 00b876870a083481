//! What is shown of a run while it is played.

pub mod progress_text;
mod speaker;
mod terminal;
mod time_left;

pub use progress_text::ProgressText;
pub use speaker::Speaker;
pub use terminal::Terminal;
pub use time_left::TimeLeft;
