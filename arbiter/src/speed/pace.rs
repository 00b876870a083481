//! How long the searches are that measure an engine.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::sample::{SpeedError, measure};
use super::speed_plan::{SpeedContest, SpeedPlan};
use crate::engines::EngineSession;
use runner::process::EngineError;
use uci::Go;

/// How long the search that finds out the speed of an engine takes.
const WARM_UP: Duration = Duration::from_millis(300);

/// How long a search takes when nobody sets a limit. Much of what disturbs a shared machine lasts longer, so that it
/// meets all four searches of a position and cancels out: with a quarter of a second each, ratios scattered by 4% where
/// these scattered by 1.3 to 1.7%. With 10 ms they scattered no less.
const SLICE: Duration = Duration::from_millis(25);

/// How much longer than a search in turns one side by side is, in nodes: the two share a core, which the system gives
/// to each for some milliseconds at a time, so that this is long enough for a fair share. Over 2.4 seconds, on a
/// machine with busy neighbours, ratios scattered by 0.3 to 0.8% so, and by 2 to 7% in turns.
const SIDE_BY_SIDE: u64 = 4;

/// The CPU time of an engine with one thread is at most so much of the time on the clock, which is measured otherwise.
const ONE_THREAD: f64 = 1.2;

/// A search takes at least so many times as long as getting the engine ready for it, which may clear a large table.
const WORTH_GETTING_READY: u32 = 5;

/// How much longer than planned a search may take before the engine is given up.
const GRACE: u32 = 20;

/// How long a search may take whose limit the user gave, in nodes or depth.
const LONGEST: Duration = Duration::from_mins(10);

/// How the positions are gone through.
pub struct Pace {
    /// The limit of a search.
    pub go: Go,
    /// The limit of a search by two engines at the same time on one core; `None` where only the time on the clock
    /// would tell what it took, or where the limit is that time.
    pub side_by_side: Option<Go>,
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
        let (mut slowest, mut ready, mut can_share) = (f64::INFINITY, Duration::ZERO, engines.len() > 1);
        for SpeedContest { name, session } in &mut *engines {
            let sample = measure(session, name, fen, &warm_up, WARM_UP * GRACE)?;
            slowest = slowest.min(sample.nodes as f64 / sample.wall.as_secs_f64());
            let most = sample.wall.mul_f64(ONE_THREAD);
            can_share &= sample.cpu.is_some_and(|cpu| !cpu.is_zero() && cpu < most);
            let begin = Instant::now();
            session.new_game().map_err(SpeedError::NotReady)?;
            ready = ready.max(begin.elapsed());
        }
        if let Some(go) = &plan.go {
            let patience = go.movetime.map_or(LONGEST, |time| time * GRACE);
            let side_by_side = (can_share && go.movetime.is_none()).then(|| go.clone());
            return Ok(Pace { go: go.clone(), side_by_side, patience, turns: 1 });
        }
        let longest = plan.duration / plan.searches(engines.len()).max(1) as u32;
        let slice = (ready * WORTH_GETTING_READY).max(SLICE).min(longest);
        let nodes = (slowest * slice.as_secs_f64()).max(1000.0) as u64;
        let by_nodes = Go { nodes: Some(nodes), ..Go::default() };
        for SpeedContest { name, session } in engines {
            if !counts_nodes(session, name, fen, &by_nodes, slice * GRACE)? {
                // Short times are not kept well.
                let go = Go { movetime: Some(longest), ..Go::default() };
                return Ok(Pace { go, side_by_side: None, patience: longest * GRACE, turns: 1 });
            }
        }
        let side_by_side = can_share.then(|| Go { nodes: Some(nodes * SIDE_BY_SIDE), ..Go::default() });
        // A pair of engines has four searches in turns.
        let longer = if can_share { 1.0 + 2.0 * SIDE_BY_SIDE as f64 / 4.0 } else { 1.0 };
        let one = (slice + ready).as_secs_f64() * longer;
        let turns = (longest.as_secs_f64() / one).round().max(1.0) as usize;
        Ok(Pace { go: by_nodes, side_by_side, patience: longest * GRACE, turns })
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
