//! How long the searches are that measure an engine.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::SpeedError;
use super::contest::{SpeedContest, SpeedPlan};
use super::sample::measure;
use crate::process::EngineError;
use crate::suites::EngineSession;
use crate::uci::Go;

/// How long the search that finds out the speed of an engine takes.
const WARM_UP: Duration = Duration::from_millis(300);

/// How long a search takes when nobody sets a limit. Much of what disturbs a shared machine lasts longer, so that it
/// meets all four searches of a position and cancels out: with a quarter of a second each, ratios scattered by 4% where
/// these scattered by 1.3 to 1.7%. With 10 ms they scattered no less.
const SLICE: Duration = Duration::from_millis(25);

/// A search takes at least so many times as long as getting the engine ready for it, which may clear a large table.
const WORTH_GETTING_READY: u32 = 5;

/// How much longer than planned a search may take before the engine is given up.
const GRACE: u32 = 20;

/// How long a search may take whose limit the user gave, in nodes or depth.
const LONGEST: Duration = Duration::from_mins(10);

/// How the positions are gone through.
pub(super) struct Pace {
    /// The limit of a search.
    pub go: Go,
    /// How long to wait for its end.
    pub patience: Duration,
    /// How many turns a position has each time it is gone through.
    pub turns: usize,
}

impl Pace {
    /// The limit that the user gave, or one that fills the time with short searches. Every engine searches for a moment
    /// in any case, so that its memory and the processor are warm.
    pub fn find(engines: &mut [SpeedContest], plan: &SpeedPlan) -> Result<Pace, SpeedError> {
        let warm_up = Go { movetime: Some(WARM_UP), ..Go::default() };
        let fen = &plan.positions[0];
        let (mut slowest, mut ready) = (f64::INFINITY, Duration::ZERO);
        for SpeedContest { name, session } in &mut *engines {
            let sample = measure(session, name, fen, &warm_up, WARM_UP * GRACE)?;
            slowest = slowest.min(sample.nodes as f64 / sample.wall.as_secs_f64());
            let begin = Instant::now();
            session.new_game().map_err(SpeedError::NotReady)?;
            ready = ready.max(begin.elapsed());
        }
        if let Some(go) = &plan.go {
            let patience = go.movetime.map_or(LONGEST, |time| time * GRACE);
            return Ok(Pace { go: go.clone(), patience, turns: 1 });
        }
        let longest = plan.duration / plan.searches(engines.len()).max(1) as u32;
        let slice = (ready * WORTH_GETTING_READY).max(SLICE).min(longest);
        let nodes = (slowest * slice.as_secs_f64()).max(1000.0) as u64;
        let by_nodes = Go { nodes: Some(nodes), ..Go::default() };
        for SpeedContest { name, session } in engines {
            if !counts_nodes(session, name, fen, &by_nodes, slice * GRACE)? {
                // Short times are not kept well.
                let go = Go { movetime: Some(longest), ..Go::default() };
                return Ok(Pace { go, patience: longest * GRACE, turns: 1 });
            }
        }
        let turns = (longest.as_secs_f64() / (slice + ready).as_secs_f64()).round().max(1.0) as usize;
        Ok(Pace { go: by_nodes, patience: longest * GRACE, turns })
    }
}

/// Whether an engine searches about as many nodes as it is told. Some do not know this limit and stop at once or never.
fn counts_nodes(
    session: &mut EngineSession,
    name: &str,
    fen: &str,
    go: &Go,
    patience: Duration,
) -> Result<bool, SpeedError> {
    match measure(session, name, fen, go, patience) {
        Ok(sample) => Ok(go.nodes.is_some_and(|asked| sample.nodes > asked / 2 && sample.nodes < asked * 2)),
        Err(SpeedError::Engine(EngineError::Silent { .. }, _)) => {
            let until_move = |line: &str| {
                if line.starts_with("bestmove") { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            session.ask("stop\n", patience, until_move).map_err(SpeedError::NotReady)?;
            Ok(false)
        }
        Err(error) => Err(error),
    }
}
