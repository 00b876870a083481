//! The order in which engines are measured.

use std::ops::ControlFlow;
use std::time::Duration;

use super::sample::measure;
use super::{EngineSpeed, SpeedComparison, SpeedError, SpeedReport, SpeedSample};
use crate::process::EngineError;
use crate::suites::EngineSession;
use crate::uci::Go;

/// How long the search that finds out the speed of an engine takes.
const WARM_UP: Duration = Duration::from_millis(300);

/// How much longer than planned a search may take before the engine is given up.
const GRACE: u32 = 20;

/// How long a search may take whose limit the user gave, in nodes or depth.
const LONGEST: Duration = Duration::from_mins(10);

/// An engine that takes part.
#[derive(Debug)]
pub struct SpeedContest {
    /// What it is called.
    pub name: String,
    /// The engine, ready.
    pub session: EngineSession,
}

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct SpeedPlan {
    /// The positions, as FEN.
    pub positions: Vec<String>,
    /// The limit of a search; `None` for so many nodes as fill the time, or for a part of the time where an engine does
    /// not count nodes.
    pub go: Option<Go>,
    /// How long all of it should take, about, when there is no limit.
    pub duration: Duration,
    /// How often each position is gone through.
    pub rounds: u32,
}

impl SpeedPlan {
    /// How many searches there are for so many engines: two each when they are compared by twos, and two for one alone.
    pub fn searches(&self, engines: usize) -> usize {
        let each = if engines < 2 { 2 } else { 4 * (engines - 1) };
        self.positions.len() * self.rounds as usize * each
    }
}

/// Measures the engines, the first one against each of the others. `progress` is told after each search how many are
/// done.
///
/// # Errors
/// An engine does not answer or reports no nodes.
pub fn compare(
    engines: &mut [SpeedContest],
    plan: &SpeedPlan,
    mut progress: impl FnMut(usize),
) -> Result<SpeedReport, SpeedError> {
    let (go, patience) = limit(engines, plan)?;
    let mut samples = vec![Vec::new(); engines.len()];
    let mut pairs = vec![Vec::new(); engines.len()];
    let mut done = 0;
    for _ in 0..plan.rounds {
        for fen in &plan.positions {
            let mut search = |index: usize| {
                let SpeedContest { name, session } = &mut engines[index];
                let sample = measure(session, name, fen, &go, patience)?;
                samples[index].push(sample);
                done += 1;
                progress(done);
                Ok::<SpeedSample, SpeedError>(sample)
            };
            if pairs.len() < 2 {
                search(0)?;
                search(0)?;
            }
            for (other, pairs) in pairs.iter_mut().enumerate().skip(1) {
                let [a1, b1, b2, a2] = [search(0)?, search(other)?, search(other)?, search(0)?];
                pairs.push(([a1, a2], [b1, b2]));
            }
        }
    }
    let speeds = engines.iter_mut().zip(&samples);
    let speeds =
        speeds.map(|(engine, samples)| EngineSpeed::of(&engine.name, samples, engine.session.peak_memory()));
    let comparisons = pairs.iter().enumerate().skip(1);
    let comparisons = comparisons.map(|(index, pairs)| SpeedComparison::of(index, pairs));
    Ok(SpeedReport {
        schema: SpeedReport::SCHEMA,
        limit: go.to_string(),
        positions: plan.positions.len(),
        rounds: plan.rounds,
        engines: speeds.collect(),
        comparisons: comparisons.collect(),
    })
}

/// The limit of a search, and how long to wait for its end. Every engine searches for a moment in any case, so that its
/// memory and the processor are warm.
fn limit(engines: &mut [SpeedContest], plan: &SpeedPlan) -> Result<(Go, Duration), SpeedError> {
    let warm_up = Go { movetime: Some(WARM_UP), ..Go::default() };
    let fen = &plan.positions[0];
    let mut slowest = f64::INFINITY;
    for SpeedContest { name, session } in &mut *engines {
        let sample = measure(session, name, fen, &warm_up, WARM_UP * GRACE)?;
        slowest = slowest.min(sample.nodes as f64 / sample.wall.as_secs_f64());
    }
    if let Some(go) = &plan.go {
        return Ok((go.clone(), go.movetime.map_or(LONGEST, |time| time * GRACE)));
    }
    let slice = plan.duration / plan.searches(engines.len()).max(1) as u32;
    let nodes = (slowest * slice.as_secs_f64()).max(1000.0) as u64;
    let by_nodes = Go { nodes: Some(nodes), ..Go::default() };
    let patience = slice * GRACE;
    for SpeedContest { name, session } in engines {
        if !counts_nodes(session, name, fen, &by_nodes, patience)? {
            return Ok((Go { movetime: Some(slice), ..Go::default() }, patience));
        }
    }
    Ok((by_nodes, patience))
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
