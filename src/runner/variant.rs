//! Which rules of castling a run follows.

use serde::{Deserialize, Serialize};

/// Ordinary chess or Fischer random chess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Ordinary chess.
    #[default]
    Standard,
    /// Fischer random chess; castling is written as the king taking its own rook.
    Chess960,
}
