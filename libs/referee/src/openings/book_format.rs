use std::path::Path;

use serde::{Deserialize, Serialize};

use super::compression::Compression;

/// How a book is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BookFormat {
    /// One position a line, as EPD or as plain FEN.
    Epd,
    /// Games, of which the moves of the main line are played.
    Pgn,
    /// A graph of positions and weighted moves, in binary.
    Polyglot,
}

impl BookFormat {
    /// The format that the extension of a file tells: `.epd` and `.fen`, `.pgn`, or `.bin`; each may be followed by
    /// `.gz` or `.zst`.
    pub fn of_path(path: &Path) -> Option<Self> {
        let (_, path) = Compression::of_path(path);
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "epd" | "fen" => Some(Self::Epd),
            "pgn" => Some(Self::Pgn),
            "bin" => Some(Self::Polyglot),
            _ => None,
        }
    }
}
