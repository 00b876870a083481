//! Move counters: our own core, the oracle (shakmaty), or an engine.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::ControlFlow;
use std::time::Duration;

use serde::Serialize;
use thiserror::Error;

use crate::engines::EngineSession;
use crate::measure::is_engine_fault;
use chess::{self, Position};
use referee::{self, FenError, IllegalMove, Referee, Variant};
use runner::process::EngineError;
use uci::UciMove;

/// The position that counts begin at: a FEN and the moves after it. A generator can be wrong after moves and right from the
/// FEN of the same position.
#[derive(Clone, Copy, Debug)]
pub struct PerftRoot<'a> {
    pub fen: &'a str,
    pub variant: Variant,
    pub moves: &'a [String],
}

impl PerftRoot<'_> {
    pub fn referee(&self) -> Result<Referee, CountError> {
        let mut referee = Referee::from_fen(self.fen, self.variant)?;
        self.moves.iter().try_for_each(|m| referee.play(m).map(drop))?;
        Ok(referee)
    }
}

pub trait MoveCounter {
    fn name(&self) -> &str;

    fn plays(&self, _variant: Variant) -> bool {
        true
    }

    /// The number of leaves at `depth` below each legal move; nothing for depth 0.
    fn divide_after(&mut self, root: PerftRoot<'_>, depth: u32) -> Result<Divide, CountError>;

    fn divide(&mut self, fen: &str, variant: Variant, depth: u32) -> Result<Divide, CountError> {
        self.divide_after(PerftRoot { fen, variant, moves: &[] }, depth)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Divide {
    pub parts: BTreeMap<String, u64>,
    pub repeated: Vec<String>,
    pub sum: u64,
    /// The total: the sum, or what an engine says it is.
    pub total: u64,
}

impl Divide {
    /// Whether each move was listed once and the total is the sum.
    pub fn adds_up(&self) -> bool {
        self.repeated.is_empty() && self.total == self.sum
    }

    /// A move that only one of the two has, or else the first with another count.
    pub fn first_differing<'a>(&'a self, expected: &'a Divide) -> Option<&'a str> {
        let one_has = self.parts.keys().chain(expected.parts.keys());
        let mut one_has = one_has.filter(|&m| self.parts.contains_key(m) != expected.parts.contains_key(m));
        let both_have = || expected.parts.iter().find(|&(m, count)| self.parts.get(m) != Some(count));
        one_has.next().or_else(|| Some(both_have()?.0)).map(String::as_str)
    }
}

impl FromIterator<(String, u64)> for Divide {
    fn from_iter<T: IntoIterator<Item = (String, u64)>>(listed: T) -> Divide {
        let mut divide = Divide::default();
        for (m, count) in listed {
            divide.sum = divide.sum.saturating_add(count);
            match divide.parts.entry(m) {
                Entry::Vacant(first) => drop(first.insert(count)),
                Entry::Occupied(first) => divide.repeated.push(first.key().clone()),
            }
        }
        Divide { total: divide.sum, ..divide }
    }
}

#[derive(Debug, Error)]
pub enum CountError {
    #[error(transparent)]
    Oracle(#[from] FenError),
    #[error(transparent)]
    OwnCore(#[from] chess::FenError),
    #[error(transparent)]
    Move(#[from] IllegalMove),
    #[error("Arbiter's own move generator lacks the move {m} in {fen}")]
    UnknownMove { m: String, fen: String },
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("engine {engine}: it answered `go perft` with a search; it has no perft")]
    DoesNotCount { engine: String },
    #[error(
        "engine {engine}: expected lines such as `e2e4: 1` and `Nodes searched: 20` in answer to `go perft`, found {found}; it has no perft like that of Stockfish"
    )]
    NoCounts { engine: String, found: String },
}

impl CountError {
    /// Whether an engine broke; otherwise the user asked for what the counter cannot do.
    pub fn is_engine_fault(&self) -> bool {
        matches!(self, CountError::Engine(error) if is_engine_fault(error))
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct OwnCore;

impl MoveCounter for OwnCore {
    fn name(&self) -> &'static str {
        "arbiter"
    }

    fn divide_after(&mut self, root: PerftRoot<'_>, depth: u32) -> Result<Divide, CountError> {
        let mut position = Position::from_fen(root.fen)?;
        for m in root.moves {
            let unknown = || CountError::UnknownMove { m: m.clone(), fen: position.fen() };
            position.play_unchecked(position.parse_uci(m).ok_or_else(unknown)?);
        }
        let parts = chess::divide(&position, depth);
        let chess960 = root.variant == Variant::Chess960;
        Ok(parts.into_iter().map(|(m, count)| (m.to_uci(chess960), count)).collect())
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Oracle;

impl MoveCounter for Oracle {
    fn name(&self) -> &'static str {
        "shakmaty"
    }

    fn divide_after(&mut self, root: PerftRoot<'_>, depth: u32) -> Result<Divide, CountError> {
        Ok(root.referee()?.divide(depth).into_iter().collect())
    }
}

const TIMEOUT: Duration = Duration::from_mins(10);

/// The longest count of the first moves; an engine that takes longer does not know `go perft`.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

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
    pub fn new(name: impl Into<String>, session: EngineSession) -> EngineCounter {
        EngineCounter { name: name.into(), session, variant: Variant::Standard }
    }

    /// Tests whether the engine knows `go perft`, on the moves of the start position. An engine that breaks shows it
    /// again in its first count.
    pub fn probe(&mut self) -> Result<(), CountError> {
        let mut last = None;
        let asked = self.ask("position startpos\ngo perft 1\n", PROBE_TIMEOUT, |line| {
            last = Some(line.trim().to_owned());
        });
        match asked {
            Ok(divide) if !divide.parts.is_empty() => Ok(()),
            Ok(_) | Err(CountError::Engine(EngineError::Silent { .. })) => Err(CountError::NoCounts {
                engine: self.name.clone(),
                found: last.map_or_else(|| "no answer".to_owned(), |line| format!("`{line}`")),
            }),
            Err(CountError::Engine(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn ask(
        &mut self,
        question: &str,
        timeout: Duration,
        mut visit: impl FnMut(&str),
    ) -> Result<Divide, CountError> {
        let mut parts = Vec::new();
        let mut end = None;
        self.session.ask(question, timeout, |line| {
            visit(line);
            parts.extend(read_part(line));
            end = ending(line);
            if end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let engine = self.name.clone();
        match end {
            Some(CountEnd::Counted(total)) => Ok(Divide { total, ..parts.into_iter().collect() }),
            Some(CountEnd::Unreadable(line)) => {
                Err(CountError::NoCounts { engine, found: format!("`{line}`") })
            }
            Some(CountEnd::Searched) | None => Err(CountError::DoesNotCount { engine }),
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

    fn plays(&self, variant: Variant) -> bool {
        variant == Variant::Standard || self.session.introduction().option(CHESS960).is_some()
    }

    fn divide_after(&mut self, root: PerftRoot<'_>, depth: u32) -> Result<Divide, CountError> {
        if depth == 0 {
            return Ok(Divide::default());
        }
        let PerftRoot { fen, variant, moves } = root;
        self.set_variant(variant)?;
        let line = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.ask(&format!("position fen {fen}{line}\ngo perft {depth}\n"), TIMEOUT, |_| {})
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum CountEnd {
    Counted(u64),
    Unreadable(String),
    Searched,
}

fn ending(line: &str) -> Option<CountEnd> {
    if let Some(total) = line.trim().strip_prefix("Nodes searched") {
        let total = total.trim_start_matches([' ', '\t', ':']).split_whitespace().next();
        let total = total.and_then(|total| total.parse().ok());
        Some(total.map_or_else(|| CountEnd::Unreadable(line.trim().to_owned()), CountEnd::Counted))
    } else if line.starts_with("bestmove") {
        Some(CountEnd::Searched)
    } else {
        None
    }
}

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

    #[test]
    fn the_last_line_has_the_total() {
        for line in ["Nodes searched: 400", "Nodes searched  : 400", "Nodes searched: 400 (0.1 s)"] {
            assert_eq!(ending(line), Some(CountEnd::Counted(400)), "{line}");
        }
        for line in ["Nodes searched: many", "Nodes searched", "Nodes searched: 99999999999999999999"] {
            assert_eq!(ending(line), Some(CountEnd::Unreadable(line.to_owned())), "{line}");
        }
        assert_eq!((ending("bestmove e2e4"), ending("e2e4: 20")), (Some(CountEnd::Searched), None));
    }
}
