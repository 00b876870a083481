//! What a build shows when it is asked: the nodes of its bench, its counts of moves, the tactics it solves, its speed,
//! and its games against another build. Each question is a file. It is put in the same way whoever asks: `arbiter ci`
//! holds the answer against a baseline, and `arbiter bisect` against a good build.

pub mod bench;
pub mod games;
mod number_pattern;
pub mod perft;
pub mod speed;
pub mod tactics;
mod unanswered;

pub use number_pattern::NumberPattern;
pub use unanswered::{Unanswered, start};
