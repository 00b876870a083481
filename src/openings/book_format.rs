use std::path::Path;

/// How the text of a book is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BookFormat {
    /// One position a line, as EPD or as plain FEN.
    Epd,
    /// Games, of which the moves of the main line are played.
    Pgn,
}

impl BookFormat {
    /// The format that the extension of a file tells: `.epd` and `.fen`, or `.pgn`.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "epd" | "fen" => Some(Self::Epd),
            "pgn" => Some(Self::Pgn),
            _ => None,
        }
    }
}
