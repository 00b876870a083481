//! Builds compared by what they show and by how they play: `ci`, `bisect`, `history` and `ablate`.

pub mod ablate;
pub mod bisect;
pub mod ci;
pub mod history;
