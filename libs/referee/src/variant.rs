use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::CastlingMode;

/// The rules of castling, and the UCI notation of castling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Ordinary chess. Castling is written as the king's move, `e1g1`.
    #[default]
    Standard,
    /// Fischer random chess. Castling is written as the king taking its own rook, `e1h1`.
    Chess960,
}

impl Variant {
    /// The same distinction in shakmaty's terms.
    pub(super) const fn castling_mode(self) -> CastlingMode {
        match self {
            Self::Standard => CastlingMode::Standard,
            Self::Chess960 => CastlingMode::Chess960,
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Standard => "standard",
            Self::Chess960 => "chess960",
        })
    }
}
