//! Commands that compare builds, by measurements or by games: `ci`, `bisect`, `history` and `ablate`.

pub mod ablate;
pub mod bisect;
pub mod ci;
pub mod history;
