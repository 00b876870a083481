//! The counts of a position by a counter, and the first position in which its moves differ from shakmaty's.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::move_counter::{CountError, Divide, MoveCounter, Oracle, PerftRoot};
use super::perft_suite::PerftPosition;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftCheck {
    pub nodes: u64,
    pub time: Duration,
    /// The counts by ascending depth; the last may be wrong.
    pub counts: Vec<PerftCount>,
    pub mismatch: Option<PerftMismatch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftCount {
    pub depth: u32,
    pub found: u64,
    /// Whether the count is both the expected one and the sum of the counts below each move.
    pub is_right: bool,
    pub time: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PerftMismatch {
    pub depth: u32,
    pub expected: u64,
    pub found: u64,
    /// The first position where counter and oracle differ; `None` if they agree, so that the suite is wrong.
    pub difference: Option<PerftDifference>,
}

impl PerftCheck {
    /// Counts a position at every depth of the suite; stops at the first wrong count.
    pub fn run(
        counter: &mut (impl MoveCounter + ?Sized),
        position: &PerftPosition,
    ) -> Result<PerftCheck, CountError> {
        let mut check = PerftCheck { nodes: 0, time: Duration::ZERO, counts: Vec::new(), mismatch: None };
        for &(depth, expected) in &position.counts {
            let start = Instant::now();
            let divide = counter.divide(&position.fen, position.variant, depth)?;
            let time = start.elapsed();
            // A correct total does not hide wrong counts below the moves.
            let found = if divide.total == expected { divide.sum } else { divide.total };
            check.time += time;
            check.nodes = check.nodes.saturating_add(found);
            let is_right = found == expected && divide.adds_up();
            check.counts.push(PerftCount { depth, found, is_right, time });
            if !is_right {
                let root = PerftRoot { fen: &position.fen, variant: position.variant, moves: &[] };
                let difference = smallest_difference(counter, root, depth)?;
                check.mismatch = Some(PerftMismatch { depth, expected, found, difference });
                break;
            }
        }
        Ok(check)
    }
}

/// The first position where a counter and shakmaty disagree on the legal moves.
///
/// The search for it plays moves and never sets up a position on the way: a generator that keeps a castling right after
/// the rook is gone, or an en passant square for too long, is wrong only after moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PerftDifference {
    pub fen: String,
    pub path: Vec<String>,
    pub missing: Vec<String>,
    #[serde(rename = "illegal")]
    pub extra: Vec<String>,
    pub repeated: Vec<String>,
    /// Whether the counter is right from the FEN of the position, and wrong only after the moves.
    pub by_moves_only: bool,
}

impl PerftDifference {
    /// A line for each kind of wrong moves: its word, then the moves.
    pub fn wrong_moves_with(&self, words: [&str; 3]) -> Vec<String> {
        let wrong = words.into_iter().zip([&self.missing, &self.extra, &self.repeated]);
        let wrong = wrong.filter(|(_, moves)| !moves.is_empty());
        wrong.map(|(word, moves)| format!("{word}: {}", moves.join(" "))).collect()
    }

    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("  first wrong position: {}", self.fen)];
        if !self.path.is_empty() {
            lines.push(format!("  after the moves: {}", self.path.join(" ")));
        }
        if self.by_moves_only {
            lines
                .push("  the count from its FEN is right: the error comes from playing the moves".to_owned());
        }
        let wrong = self.wrong_moves_with(["  missing moves", "  illegal moves", "  listed twice"]);
        if wrong.is_empty() {
            lines.push("  its total is not the sum of the counts below its moves".to_owned());
        }
        lines.extend(wrong);
        lines
    }
}

/// Finds the nearest position below `root` in which the counter has wrong legal moves.
///
/// `None` if counter and oracle agree at every depth up to `depth`. If only counts differ and never the moves (the
/// counter adds up wrongly), the result is the last position, without missing, extra or repeated moves.
pub fn smallest_difference(
    counter: &mut (impl MoveCounter + ?Sized),
    root: PerftRoot<'_>,
    depth: u32,
) -> Result<Option<PerftDifference>, CountError> {
    let mut referee = root.referee()?;
    let mut differing = None;
    for depth in 1..=depth {
        if counter.divide_after(root, depth)? != Oracle.divide_after(root, depth)? {
            differing = Some(depth);
            break;
        }
    }
    let Some(mut depth) = differing else { return Ok(None) };
    let mut path = root.moves.to_vec();
    loop {
        let expected: Divide = referee.divide(depth).into_iter().collect();
        let found = counter.divide_after(PerftRoot { moves: &path, ..root }, depth)?;
        let missing = keys_only_in(&expected.parts, &found.parts);
        let extra = keys_only_in(&found.parts, &expected.parts);
        let wrong = found.first_differing(&expected).map(str::to_owned);
        let repeated = found.repeated;
        let has_right_moves = missing.is_empty() && extra.is_empty() && repeated.is_empty();
        match wrong {
            Some(m) if has_right_moves && depth > 1 => {
                referee.play(&m)?;
                path.push(m);
                depth -= 1;
            }
            _ => {
                let fen = referee.fen_with_attacked_ep_square();
                let is_right_from_fen = counter.divide(&fen, root.variant, depth)? == expected;
                let by_moves_only = !path.is_empty() && is_right_from_fen;
                break Ok(Some(PerftDifference { fen, path, missing, extra, repeated, by_moves_only }));
            }
        }
    }
}

fn keys_only_in(one: &BTreeMap<String, u64>, other: &BTreeMap<String, u64>) -> Vec<String> {
    one.keys().filter(|key| !other.contains_key(*key)).cloned().collect()
}
