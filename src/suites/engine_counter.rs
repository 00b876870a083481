//! An engine that counts move sequences with `go perft N`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use super::{CountError, EngineSession, MoveCounter};
use crate::referee::Variant;
use crate::uci::UciMove;

/// How long a count may take.
const PATIENCE: Duration = Duration::from_mins(10);

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

    fn divide(
        &mut self,
        fen: &str,
        variant: Variant,
        depth: u32,
    ) -> Result<BTreeMap<String, u64>, CountError> {
        if depth == 0 {
            return Ok(BTreeMap::new());
        }
        self.set_variant(variant)?;
        let mut parts = BTreeMap::new();
        let mut has_searched = false;
        let question = format!("position fen {fen}\ngo perft {depth}\n");
        let asked = self.session.ask(&question, PATIENCE, |line| {
            if let Some((m, count)) = read_part(line) {
                parts.insert(m, count);
            }
            has_searched |= line.starts_with("bestmove");
            if has_searched || line.starts_with("Nodes searched") {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        asked?;
        if has_searched {
            return Err(CountError::DoesNotCount { engine: self.name.clone() });
        }
        Ok(parts)
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
