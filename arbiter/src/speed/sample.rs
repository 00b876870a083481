//! One search, measured.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::engines::EngineSession;
use runner::process::{EngineError, HardwareCounts};
use uci::{Bound, Go, Info, Message};

/// What a search took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpeedSample {
    /// From `go` to `bestmove` on our clock.
    pub wall: Duration,
    /// CPU time of the engine, all threads together; `None` where the system does not tell.
    pub cpu: Option<Duration>,
    /// The part of the CPU time that was not spent in the system; `None` where it does not tell.
    pub user: Option<Duration>,
    /// Nodes that the engine reported.
    pub nodes: u64,
    /// Depth of its last line, in plies.
    pub depth: u32,
    /// How full its hash table was, in thousandths.
    pub hashfull: Option<u32>,
    /// When each depth was reached that the engine told of, in ascending order.
    pub depths: Vec<DepthReached>,
    /// What the processor did; `None` where nothing is counted.
    pub hardware: Option<HardwareCounts>,
}

/// The moment in which a search reached a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthReached {
    /// In plies.
    pub depth: u32,
    /// Nodes by then.
    pub nodes: u64,
    /// Time by then, on our clock.
    pub wall: Duration,
}

impl SpeedSample {
    /// When a depth was reached, or the next one that the engine told of; `None` if it never was.
    pub fn reached(&self, depth: u32) -> Option<DepthReached> {
        self.depths.iter().copied().find(|reached| reached.depth >= depth)
    }

    /// Takes note of the first line about a depth. A line that is only a bound says that the depth is not done yet.
    fn note_depth(&mut self, info: &Info, wall: Duration) {
        let is_done = info.score.is_some_and(|score| score.bound == Bound::Exact);
        let is_first_line = info.multipv.is_none_or(|number| number == 1);
        let (Some(depth), Some(nodes), true, true) = (info.depth, info.nodes, is_done, is_first_line) else {
            return;
        };
        if self.depths.last().is_none_or(|last| last.depth < depth) {
            self.depths.push(DepthReached { depth, nodes, wall });
        }
    }
}

/// Why a search was not measured.
#[derive(Debug, Error)]
pub enum SpeedError {
    /// The engine is silent or gone.
    #[error("{0}, after `{1}`; an engine that ignores this limit can be measured with --movetime")]
    Engine(#[source] EngineError, String),
    /// The engine is silent or gone before the search.
    #[error(transparent)]
    NotReady(EngineError),
    /// It does not tell its nodes.
    #[error("engine `{0}` reported no nodes: expected `info … nodes N` before `bestmove`")]
    NoNodes(String),
}

/// Gives an engine a position as the first of a new game.
///
/// # Errors
/// The engine does not answer within `patience`, or reports no nodes.
pub fn measure(
    session: &mut EngineSession,
    name: &str,
    fen: &str,
    go: &Go,
    patience: Duration,
) -> Result<SpeedSample, SpeedError> {
    session.new_game().map_err(SpeedError::NotReady)?;
    measure_search(session, name, fen, go, patience)
}

/// Two engines at the same time, both ready for a new game.
///
/// # Errors
/// One of them does not answer within `patience`, or reports no nodes.
pub fn measure_side_by_side(
    engines: [(&mut EngineSession, &str); 2],
    fen: &str,
    go: &Go,
    patience: Duration,
) -> Result<[SpeedSample; 2], SpeedError> {
    let [(one, one_name), (other, other_name)] = engines;
    one.new_game().map_err(SpeedError::NotReady)?;
    other.new_game().map_err(SpeedError::NotReady)?;
    std::thread::scope(|scope| {
        let one = scope.spawn(move || measure_search(one, one_name, fen, go, patience));
        let other = measure_search(other, other_name, fen, go, patience);
        let one = one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok([one?, other?])
    })
}

/// One search by an engine that is ready.
fn measure_search(
    session: &mut EngineSession,
    name: &str,
    fen: &str,
    go: &Go,
    patience: Duration,
) -> Result<SpeedSample, SpeedError> {
    let mut last = Info::default();
    let mut sample = SpeedSample::default();
    let question = format!("position fen {fen}\n{go}\n");
    let (hardware, user, cpu) = (session.hardware_counts(), session.user_time(), session.cpu_time());
    let begin = Instant::now();
    let wall = session.ask(&question, patience, |line| match line.parse() {
        Ok(Message::Info(info)) => {
            last.nodes = info.nodes.or(last.nodes);
            last.depth = info.depth.or(last.depth);
            last.hashfull = info.hashfull.or(last.hashfull);
            sample.note_depth(&info, begin.elapsed());
            ControlFlow::Continue(())
        }
        _ if line.starts_with("bestmove") => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    sample.wall = wall.map_err(|source| SpeedError::Engine(source, go.to_string()))?;
    let since = |(after, before): (Duration, Duration)| after.saturating_sub(before);
    sample.cpu = session.cpu_time().zip(cpu).map(since);
    sample.user = session.user_time().zip(user).map(since);
    sample.hardware = session.hardware_counts().zip(hardware).map(|(after, before)| after.since(before));
    sample.nodes =
        last.nodes.filter(|nodes| *nodes > 0).ok_or_else(|| SpeedError::NoNodes(name.to_owned()))?;
    sample.depth = last.depth.unwrap_or(0);
    sample.hashfull = last.hashfull;
    Ok(sample)
}
