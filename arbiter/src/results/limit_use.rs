//! Compares searches with their limits: whether an engine keeps the limits of `go`, and how much of its time it uses.
//! `check`, `init`, `speed` and `tactics` do this for a few searches, a run for all of its games.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::number_text::{percent_to, thousands};
use referee::Side;
use runner::{GameRecord, MoveScore, SearchLimits};

/// A search that ends below this share of its nodes or time has not kept its limit, and an engine that uses less of its
/// clock hardly thinks. Iterations not begun, and nodes after the last report, account for less.
const LEAST_SHARE: f64 = 0.1;

/// Engines check their node count only every 2,048 to 10,000 nodes, and each thread by itself.
const BATCH: u64 = 20_000;

/// With a smaller mean depth, an engine has hardly searched, unless its limits asked for no more.
const LEAST_DEPTH: f64 = 3.0;

/// Fewer nodes may not reach that depth; an engine with a network may be asked for a single node.
const FEW_NODES: u64 = 1000;

/// Fewer searches allow no conclusion.
const LEAST_SEARCHES: u64 = 3;

/// Games with fewer moves do not use up a clock.
const LEAST_MOVES: u64 = 15;

/// A limit of `go` that an engine may ignore; a time is in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    Nodes,
    Depth,
    Movetime,
}

/// The end of a search. A search that finds a mate may end early.
#[derive(Clone, Copy, Debug, Default)]
pub struct SearchEnd {
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    pub time: Duration,
    pub has_mate: bool,
}

impl Limit {
    const ALL: [Limit; 3] = [Limit::Nodes, Limit::Depth, Limit::Movetime];

    fn asked(self, limits: &SearchLimits) -> Option<u64> {
        match self {
            Limit::Nodes => limits.nodes,
            Limit::Depth => limits.depth.map(u64::from),
            Limit::Movetime => limits.movetime.map(|time| time.as_millis() as u64),
        }
    }

    fn reported(self, end: &SearchEnd) -> Option<u64> {
        match self {
            Limit::Nodes => end.nodes,
            Limit::Depth => end.depth.map(u64::from),
            Limit::Movetime => Some(end.time.as_millis() as u64),
        }
    }

    /// Engines count depth from 0 or from 1, so one ply less is not early.
    fn is_early(self, asked: u64, reported: u64) -> bool {
        match self {
            Limit::Depth => reported + 1 < asked,
            Limit::Nodes | Limit::Movetime => (reported as f64) < asked as f64 * LEAST_SHARE,
        }
    }

    /// A late move has its own verdict, so `Movetime` is never late here.
    fn is_late(self, asked: u64, reported: u64) -> bool {
        match self {
            Limit::Depth => reported > asked.saturating_add(1),
            Limit::Nodes => reported > asked.saturating_mul(2).saturating_add(BATCH),
            Limit::Movetime => false,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct LimitCounts {
    early: u64,
    late: u64,
    unreported: u64,
    /// The sum of the reported values.
    reported: u64,
}

/// How the searches of one engine kept the same limits. All fields are integers, so their order does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitUse {
    searches: u64,
    limits: BTreeMap<Limit, LimitCounts>,
    /// Games with a clock or a time per move, and the moves in them.
    games: u64,
    moves: u64,
    /// The time that these moves used, and the time that they could have used.
    used: Duration,
    given: Duration,
}

impl LimitUse {
    pub fn of(limits: &SearchLimits, ends: impl IntoIterator<Item = SearchEnd>) -> LimitUse {
        let mut all = LimitUse::default();
        ends.into_iter().for_each(|end| all.add(limits, &end));
        all
    }

    /// Counts a search. Of several limits and a clock, whichever is reached first ends it.
    fn add(&mut self, limits: &SearchLimits, end: &SearchEnd) {
        self.searches += 1;
        let asked: Vec<_> = Limit::ALL
            .iter()
            .filter_map(|limit| Some((limit, limit.asked(limits)?, limit.reported(end))))
            .collect();
        let ends_early = limits.clock.is_none()
            && !end.has_mate
            && asked
                .iter()
                .all(|(limit, asked, reported)| reported.is_some_and(|it| limit.is_early(*asked, it)));
        for (limit, asked, reported) in asked {
            let counts = self.limits.entry(*limit).or_default();
            counts.early += u64::from(ends_early);
            counts.late += u64::from(reported.is_some_and(|it| limit.is_late(asked, it)));
            counts.unreported += u64::from(reported.is_none());
            counts.reported = counts.reported.saturating_add(reported.unwrap_or(0));
        }
    }

    /// Counts one side's moves in a game, without book moves and moves that were pondered.
    pub(super) fn add_game(&mut self, game: &GameRecord, side: Side, limits: &SearchLimits) {
        for played in game.moves_of(side).filter(|played| !played.from_book && !played.pondered) {
            let has_mate = matches!(played.score, Some(MoveScore::Mate(_)));
            let (nodes, depth, time) = (played.nodes, played.depth, played.time);
            self.add(limits, &SearchEnd { nodes, depth, time, has_mate });
        }
        let used: Duration = game.moves_of(side).map(|played| played.time).sum();
        let moves = game.moves_of(side).count();
        // The clock gave the time used plus the time left.
        let left = game.moves_of(side).filter_map(|played| played.clock_left).last();
        let by_move = || Some(limits.movetime?.saturating_mul(moves as u32));
        if let Some(given) = left.map(|left| used + left).or_else(by_move).filter(|_| game.is_timed()) {
            (self.used, self.given) = (self.used + used, self.given + given);
            (self.games, self.moves) = (self.games + 1, self.moves + moves as u64);
        }
    }

    /// The share of its time that the engine used, from 0 to 1; `None` without a clock or a time per move.
    pub fn time_share(&self) -> Option<f64> {
        (!self.given.is_zero()).then(|| self.used.as_secs_f64() / self.given.as_secs_f64())
    }

    /// The reasons to doubt a test with these searches, given their limits and mean depth.
    pub fn doubts(&self, limits: &SearchLimits, depth: Option<f64>) -> Vec<LimitDoubt> {
        let is_most = |count: u64| self.searches >= LEAST_SEARCHES && count * 2 > self.searches;
        let mut doubts = Vec::new();
        for (&limit, counts) in &self.limits {
            let asked = limit.asked(limits).unwrap_or_default();
            let told = self.searches - counts.unreported;
            if is_most(counts.unreported) {
                doubts.push(LimitDoubt::Unreported { limit, asked });
            } else if is_most(counts.early) || is_most(counts.late) {
                doubts.push(LimitDoubt::Ignored { limit, asked, found: counts.reported / told.max(1) });
            }
        }
        let is_long = limits.clock.is_some() && self.moves >= LEAST_MOVES * self.games;
        let idle = self.time_share().filter(|share| is_long && *share < LEAST_SHARE);
        doubts.extend(idle.map(|share| LimitDoubt::Idle { share }));
        let is_deep = limits.depth.is_none_or(|depth| f64::from(depth) >= LEAST_DEPTH)
            && limits.nodes.is_none_or(|nodes| nodes >= FEW_NODES);
        let shallow = depth.filter(|depth| is_deep && *depth < LEAST_DEPTH);
        doubts.extend(shallow.map(|depth| LimitDoubt::Shallow { depth }));
        doubts
    }
}

/// A reason to doubt a test, found in the searches of an engine.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum LimitDoubt {
    /// Most searches end far from the limit; `found` is the mean reported value.
    Ignored { limit: Limit, asked: u64, found: u64 },
    /// Most searches do not report the limited quantity.
    Unreported { limit: Limit, asked: u64 },
    /// The engine used this share of its clock, from 0 to 1.
    Idle { share: f64 },
    /// The engine reached this mean depth in plies, although its limits allowed more.
    Shallow { depth: f64 },
}

impl LimitDoubt {
    /// What to change so that the test can tell the engines apart.
    pub const fn remedy(self) -> &'static str {
        match self {
            LimitDoubt::Ignored { limit, .. } | LimitDoubt::Unreported { limit, .. } => match limit {
                Limit::Nodes => "use depth = 8 or a time control",
                Limit::Depth => "use nodes or a time control",
                Limit::Movetime => "use nodes, a depth or a time control",
            },
            LimitDoubt::Idle { .. } => {
                "use a longer time control; `arbiter check` finds the shortest at which it thinks"
            }
            LimitDoubt::Shallow { .. } => "use more nodes, a greater depth or a longer time control",
        }
    }
}

/// The engine's behaviour: ``ignores `go nodes 5000`: its searches end at 68 nodes``.
impl fmt::Display for LimitDoubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            LimitDoubt::Ignored { limit: Limit::Nodes, asked, found } => {
                write!(f, "ignores `go nodes {asked}`: its searches end at {} nodes", thousands(found))
            }
            LimitDoubt::Ignored { limit: Limit::Depth, asked, found } => {
                write!(f, "ignores `go depth {asked}`: its searches end at depth {found}")
            }
            LimitDoubt::Ignored { limit: Limit::Movetime, asked, found } => {
                write!(f, "ignores `go movetime {asked}`: its searches end after {found} ms")
            }
            LimitDoubt::Unreported { limit, asked } => {
                let word = if limit == Limit::Depth { "depth" } else { "nodes" };
                write!(f, "never reports its {word}: whether it keeps `go {word} {asked}` is unknown")
            }
            LimitDoubt::Idle { share } => write!(f, "used {} of its time", percent_to(share, 0)),
            LimitDoubt::Shallow { depth } => write!(f, "searched to a mean depth of {depth:.1}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The doubts about three searches with these limits and ends.
    fn said(limits: &str, ends: [(Option<u64>, Option<u32>, u64); 3]) -> String {
        let limits: SearchLimits = toml::from_str(limits).unwrap();
        let end = |(nodes, depth, millis): (Option<u64>, Option<u32>, u64)| SearchEnd {
            nodes,
            depth,
            time: Duration::from_millis(millis),
            has_mate: false,
        };
        let doubts = LimitUse::of(&limits, ends.map(end)).doubts(&limits, None);
        doubts.iter().map(LimitDoubt::to_string).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn honest_searches_raise_no_doubt_and_far_too_many_nodes_do() {
        for (limits, ends) in [
            // A batch of 10,000 nodes; a network with a single node; a forced move among other searches.
            ("nodes = 100", [(Some(10_000), None, 5); 3]),
            ("nodes = 1", [(Some(1), Some(1), 5); 3]),
            ("nodes = 20_000", [(Some(20_013), None, 5), (Some(1), Some(1), 0), (Some(19_000), None, 5)]),
            // The last report precedes the end of the search.
            ("nodes = 20_000", [(Some(2_400), Some(6), 5); 3]),
            ("depth = 6", [(Some(90), Some(5), 1), (Some(90), Some(7), 1), (Some(1), Some(1), 0)]),
            ("movetime = '300ms'", [(None, None, 150); 3]),
            // Whichever limit is reached first ends the search.
            ("nodes = 1000000\ndepth = 4", [(Some(2_000), Some(4), 1); 3]),
            ("clock = '1+0.01'\nnodes = 1000000", [(Some(2_000), Some(4), 1); 3]),
        ] {
            assert_eq!(said(limits, ends), "", "{limits}");
        }
        let found = said("nodes = 20000", [(Some(700_000), None, 9); 3]);
        assert!(found.contains("its searches end at 700,000 nodes"), "{found}");
    }
}
