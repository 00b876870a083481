//! Move counters: our own core and the oracle (shakmaty). Engines are the third kind.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::Serialize;
use thiserror::Error;

use crate::measure::is_engine_fault;
use chess::{self, Position};
use referee::{self, FenError, IllegalMove, Referee, Variant};
use runner::process::EngineError;

/// The root of a count: a FEN and the moves after it. A generator can be wrong after moves and right from the FEN of the
/// same position.
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

    /// The number of leaves at `depth` below each legal move; empty for depth 0.
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
    /// The sum, or the total that an engine reports.
    pub total: u64,
}

impl Divide {
    /// Whether each move was listed once and the total is the sum.
    pub fn adds_up(&self) -> bool {
        self.repeated.is_empty() && self.total == self.sum
    }

    /// A move that only one of the two has, or else the first move with different counts.
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
    #[error(
        "engine {engine}: it answered `go perft` with a search, and `perft` and `divide` with no counts; it has no perft"
    )]
    DoesNotCount { engine: String },
    #[error(
        "engine {engine}: expected lines such as `e2e4: 1` or `Nodes searched: 48` in answer to `go perft 1`, `perft 1` or `divide 1`, found {found}; it has no perft that can be read, unless `uci` and `nodes` say how: --uci 'count {{depth}}' --nodes '^leaves (\\d+)', or in [perft] of arbiter.toml"
    )]
    NoCounts { engine: String, found: String },
}

impl CountError {
    /// Whether an engine failed; otherwise the user asked for something that the counter cannot do.
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
