//! The positions to search.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::cli::console;
use crate::files::suite_files;
use referee::{EpdFile, Referee, Variant};

/// Legal positions for measuring speed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeedSuite {
    /// The file, for messages.
    pub name: String,
    /// The positions, as FEN, in the order of the file.
    pub positions: Vec<String>,
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
    /// No line can be used: what is wrong with the first.
    pub fn parse(name: &str, text: &str) -> Result<SpeedSuite> {
        let EpdFile { entries, mut skipped, .. } = EpdFile::parse(name, text);
        let mut positions = Vec::new();
        for (line, epd) in entries {
            let end =
                Referee::from_fen(&epd.fen, Variant::Standard).map(|referee| referee.end_without_moves());
            match end {
                Ok(None) => positions.push(epd.fen),
                Ok(Some(end)) => skipped.name(&format!(
                    "{name}:{line}: expected a position with legal moves, but the game is over: {end}"
                )),
                Err(error) => skipped.name(&format!("{name}:{line}: {error}")),
            }
        }
        console::warn_of_skipped(name, "position", &skipped.beside(positions.len())?);
        if positions.is_empty() {
            bail!("{name}: expected at least one position, found none");
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
