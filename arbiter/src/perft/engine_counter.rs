//! An engine that counts moves with `go perft N`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use super::move_counter::{CountError, MoveCounter};
use crate::engines::EngineSession;
use referee::Variant;
use runner::process::EngineError;
use uci::UciMove;

/// The longest count.
const TIMEOUT: Duration = Duration::from_mins(10);

/// The longest count of the first moves; an engine that takes longer does not know `go perft`.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// The option that switches an engine to Chess960.
const CHESS960: &str = "UCI_Chess960";

/// An engine that answers `go perft N` as Stockfish does: a line `e2e4: 20` for each legal move, then
/// `Nodes searched: 400`.
#[derive(Debug)]
pub struct EngineCounter {
    name: String,
    session: EngineSession,
    variant: Variant,
}

impl EngineCounter {
    /// A counter that talks to a started engine; `name` is for reports.
    pub fn new(name: impl Into<String>, session: EngineSession) -> EngineCounter {
        EngineCounter { name: name.into(), session, variant: Variant::Standard }
    }

    /// Tests whether the engine knows `go perft`, on the twenty moves of the start position.
    ///
    /// # Errors
    /// It searches, answers otherwise or not at all, or fails.
    pub fn probe(&mut self) -> Result<(), CountError> {
        let no_counts =
            |found: &str| CountError::NoCounts { engine: self.name.clone(), found: found.to_owned() };
        let mut last = None;
        let mut end = None;
        let asked = self.session.ask("position startpos\ngo perft 1\n", PROBE_TIMEOUT, |line| {
            end = ending(line);
            last = Some(line.trim().to_owned());
            if end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match (asked, end) {
            (Ok(_), Some(Ending::Counted)) => Ok(()),
            (Ok(_), _) => Err(CountError::DoesNotCount { engine: self.name.clone() }),
            (Err(EngineError::Silent { .. }), _) => Err(match last {
                Some(line) => no_counts(&format!("`{line}`")),
                None => no_counts("no answer"),
            }),
            (Err(error), _) => Err(error.into()),
        }
    }

    fn set_variant(&mut self, variant: Variant) -> Result<(), CountError> {
        if self.variant != variant {
            let value = if variant == Variant::Chess960 { "true" } else { "false" };
            self.session.set_option(CHESS960, Some(value))?;
            self.variant = variant;
        }
        Ok(())
    }
}

impl MoveCounter for EngineCounter {
    fn name(&self) -> &str {
        &self.name
    }

    fn divide_after(
        &mut self,
        fen: &str,
        variant: Variant,
        moves: &[String],
        depth: u32,
    ) -> Result<BTreeMap<String, u64>, CountError> {
        if depth == 0 {
            return Ok(BTreeMap::new());
        }
        self.set_variant(variant)?;
        let mut parts = BTreeMap::new();
        let mut end = None;
        let line = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let question = format!("position fen {fen}{line}\ngo perft {depth}\n");
        self.session.ask(&question, TIMEOUT, |line| {
            if let Some((m, count)) = read_part(line) {
                parts.insert(m, count);
            }
            end = ending(line);
            if end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        match end {
            Some(Ending::Searched) => Err(CountError::DoesNotCount { engine: self.name.clone() }),
            _ => Ok(parts),
        }
    }
}

/// How an answer to `go perft` ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// With the total.
    Counted,
    /// With `bestmove`: the engine searched.
    Searched,
}

/// How a line ends the answer, if it is the last.
fn ending(line: &str) -> Option<Ending> {
    if line.starts_with("Nodes searched") {
        Some(Ending::Counted)
    } else if line.starts_with("bestmove") {
        Some(Ending::Searched)
    } else {
        None
    }
}

/// Reads `e2e4: 20`.
fn read_part(line: &str) -> Option<(String, u64)> {
    let (m, count) = line.trim().split_once(':')?;
    let m: UciMove = m.trim().parse().ok()?;
    Some((m.to_string(), count.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_stockfish_is_read() {
        assert_eq!(read_part("e7e8q: 42"), Some(("e7e8q".to_owned(), 42)));
        for line in ["", "Nodes searched: 400", "info string e2e4", "e2e4: many"] {
            assert_eq!(read_part(line), None, "{line}");
        }
    }
}
