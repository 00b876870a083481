//! The positions to search.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::cli::console;
use crate::engines::EngineSession;
use crate::files::suite_files;
use referee::{EpdFile, Referee, Variant};
use uci::Go;

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
    pub fn read_positions(named: &[PathBuf]) -> Result<Vec<String>> {
        let suites = suite_files::parse("speed", named, SpeedSuite::parse)?;
        Ok(suites.into_iter().flat_map(|suite| suite.positions).collect())
    }

    /// Reads the text of an EPD file; `name` is for messages. Of the operations only the move counters matter.
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

#[derive(Debug)]
pub struct MeasuredEngine {
    pub name: String,
    /// Its process, ready for a search.
    pub session: EngineSession,
}

#[derive(Clone, Debug)]
pub struct SpeedPlan {
    /// The positions, as FEN.
    pub positions: Vec<String>,
    /// The limit of a search; `None` for nodes that take about 25 ms, or for a time where an engine ignores node limits.
    pub go: Option<Go>,
    /// The duration of all searches, roughly, without a limit.
    pub duration: Duration,
    /// Number of times each position is searched.
    pub rounds: u32,
}

impl SpeedPlan {
    /// Number of searches by `engines` engines if each position has one turn per round: two by each engine of a pair, or
    /// two by a single engine.
    pub fn searches(&self, engines: usize) -> usize {
        let each = if engines < 2 { 2 } else { 4 * (engines - 1) };
        self.positions.len() * self.rounds as usize * each
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
