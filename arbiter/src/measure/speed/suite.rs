//! The positions to search.

use std::path::PathBuf;

use anyhow::Result;
use thiserror::Error;

use crate::files::suite_files;
use referee::{EpdFile, EpdFileError, FenError, GameEnd, Referee, Variant};

/// Legal positions for measuring speed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeedSuite {
    /// The file, for messages.
    pub name: String,
    /// The positions, as FEN, in the order of the file.
    pub positions: Vec<String>,
}

/// Why a suite cannot be used.
#[derive(Debug, Error)]
pub enum SpeedSuiteError {
    /// A line is not EPD.
    #[error(transparent)]
    Epd(#[from] EpdFileError),
    /// A position is illegal.
    #[error("{file}:{line}: {source}")]
    Position {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        source: FenError,
    },
    /// The game is over in a position.
    #[error("{file}:{line}: expected a position with legal moves, but the game is over: {end}")]
    GameOver {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// How it ended.
        end: GameEnd,
    },
    /// The file has no positions.
    #[error("{0}: expected at least one position, found none")]
    Empty(String),
}

impl SpeedSuite {
    /// The positions of the named suites as FEN; those of all shipped suites if none is named.
    ///
    /// # Errors
    /// A suite cannot be read, or a line of it is wrong.
    pub fn read_positions(named: &[PathBuf]) -> Result<Vec<String>> {
        let suites = suite_files::parse("speed", named, SpeedSuite::parse)?;
        Ok(suites.into_iter().flat_map(|suite| suite.positions).collect())
    }

    /// Reads the text of an EPD file; `name` is for messages. Of the operations only the move counters matter.
    ///
    /// # Errors
    /// The first line that is wrong.
    pub fn parse(name: &str, text: &str) -> Result<SpeedSuite, SpeedSuiteError> {
        let mut positions = Vec::new();
        for (line, epd) in EpdFile::parse(name, text)?.entries {
            let illegal = |source| SpeedSuiteError::Position { file: name.to_owned(), line, source };
            let referee = Referee::from_fen(&epd.fen, Variant::Standard).map_err(illegal)?;
            if let Some(end) = referee.end_without_moves() {
                return Err(SpeedSuiteError::GameOver { file: name.to_owned(), line, end });
            }
            positions.push(epd.fen);
        }
        if positions.is_empty() {
            return Err(SpeedSuiteError::Empty(name.to_owned()));
        }
        Ok(SpeedSuite { name: name.to_owned(), positions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_its_line() {
        let message = |text| SpeedSuite::parse("x.epd", text).unwrap_err().to_string();
        assert_eq!(message("# nothing\n"), "x.epd: expected at least one position, found none");
        assert!(message("# one\n8/8/8/8/8/8/8/8 w - -\n").starts_with("x.epd:2: "));
        assert!(message("8/8/8/8 w\n").starts_with("x.epd:1: column "));
        let mated = message("# one\nR5k1/5ppp/8/8/8/8/8/4K3 b - -\n");
        assert!(mated.starts_with("x.epd:2: ") && mated.contains("the game is over: White mates"), "{mated}");
    }
}
