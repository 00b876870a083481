use std::path::Path;

use serde::{Deserialize, Serialize};

use super::compression::plain_name;

/// The format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookFormat {
    /// One position per line, as EPD or FEN.
    Epd,
    /// Games, whose main lines are played.
    Pgn,
    /// A binary graph of positions and weighted moves.
    Polyglot,
}

impl BookFormat {
    /// The format by the extension of a file: `.epd` and `.fen`, `.pgn`, or `.bin`, each perhaps followed by extensions
    /// for its compression.
    pub fn of_path(path: &Path) -> Option<Self> {
        match plain_name(path).extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "epd" | "fen" => Some(Self::Epd),
            "pgn" => Some(Self::Pgn),
            "bin" => Some(Self::Polyglot),
            _ => None,
        }
    }
}
