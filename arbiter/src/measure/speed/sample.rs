//! The measurement of one search.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::engines::EngineSession;
use runner::process::{EngineError, HardwareCounts};
use uci::{Bound, Go, Info, Message};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpeedSample {
    /// Wall time from `go` to `bestmove`.
    pub wall: Duration,
    /// CPU time of all threads; `None` where the system does not measure it.
    pub cpu: Option<Duration>,
    /// User time: CPU time without that of the system; `None` where the system does not measure it.
    pub user: Option<Duration>,
    pub nodes: u64,
    /// Depth of its last line, in plies.
    pub depth: u32,
    /// The last `hashfull`, in permille.
    pub hashfull: Option<u32>,
    pub depths: Vec<DepthReached>,
    /// Hardware counters; `None` where the system has none.
    pub hardware: Option<HardwareCounts>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthReached {
    pub depth: u32,
    pub nodes: u64,
    pub wall: Duration,
}

impl SpeedSample {
    /// When a depth was reached, or the next deeper one reported; `None` if neither was.
    pub fn reached(&self, depth: u32) -> Option<DepthReached> {
        self.depths.iter().copied().find(|reached| reached.depth >= depth)
    }

    /// Notes the first line of a depth. A line with a bound does not count: the depth is not finished.
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

#[derive(Debug, Error)]
pub enum SpeedError {
    #[error("{0}, after `{1}`; if the engine ignores this limit, use --movetime")]
    Engine(#[source] EngineError, String),
    /// The engine did not answer or has exited before the search.
    #[error(transparent)]
    NotReady(EngineError),
    #[error(
        "engine `{0}`: expected `info … nodes N` before `bestmove`, found none; NPS needs the node count"
    )]
    NoNodes(String),
}

pub fn measure(
    session: &mut EngineSession,
    name: &str,
    fen: &str,
    go: &Go,
    timeout: Duration,
) -> Result<SpeedSample, SpeedError> {
    session.new_game().map_err(SpeedError::NotReady)?;
    measure_search(session, name, fen, go, timeout)
}

/// Measures the searches of two engines at the same time, each in a new game.
pub fn measure_simultaneously(
    engines: [(&mut EngineSession, &str); 2],
    fen: &str,
    go: &Go,
    timeout: Duration,
) -> Result<[SpeedSample; 2], SpeedError> {
    let [(one, one_name), (other, other_name)] = engines;
    one.new_game().map_err(SpeedError::NotReady)?;
    other.new_game().map_err(SpeedError::NotReady)?;
    std::thread::scope(|scope| {
        let one = scope.spawn(move || measure_search(one, one_name, fen, go, timeout));
        let other = measure_search(other, other_name, fen, go, timeout);
        let one = one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok([one?, other?])
    })
}

/// Measures a search by an engine that is ready.
fn measure_search(
    session: &mut EngineSession,
    name: &str,
    fen: &str,
    go: &Go,
    timeout: Duration,
) -> Result<SpeedSample, SpeedError> {
    let mut last = Info::default();
    let mut sample = SpeedSample::default();
    let question = format!("position fen {fen}\n{go}\n");
    let (hardware, user, cpu) = (session.hardware_counts(), session.user_time(), session.cpu_time());
    let begin = Instant::now();
    let wall = session.ask(&question, timeout, |line| match line.parse() {
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

#[cfg(test)]
pub mod made_up {
    use super::*;

    /// A search; times in milliseconds.
    fn sample(nodes: u64, cpu: u64, wall: u64) -> SpeedSample {
        let [cpu, wall] = [cpu, wall].map(Duration::from_millis);
        let depths = vec![DepthReached { depth: 9, nodes: nodes / 2, wall: wall / 2 }];
        let user = Some(cpu * 9 / 10);
        let hashfull = Some(5);
        SpeedSample { wall, cpu: Some(cpu), user, nodes, depth: 10, hashfull, depths, hardware: None }
    }

    /// The same search twice; times in milliseconds.
    pub fn twice(nodes: u64, cpu: u64, wall: u64) -> [SpeedSample; 2] {
        [0, 1].map(|_| sample(nodes, cpu, wall))
    }
}
