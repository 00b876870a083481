//! What to search, for how long, and the measurement of one search.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use thiserror::Error;

use crate::engines::EngineSession;
use crate::files::suite_files::{self, Suite};
use crate::results::{LimitDoubt, LimitUse, SearchEnd, limits_of};
use referee::{EpdFile, Referee, Variant};
use runner::SearchLimits;
use runner::process::{EngineError, HardwareCounts};
use uci::{Bound, Go, Info, Message};

/// The duration of all searches of a round without a limit. Restarts of the engines take some seconds more.
pub const ROUND: Duration = Duration::from_secs(27);

/// Sessions in a round, each with a start of every engine. Processes of one program differ as long as they live, so that
/// not the searches but the processes are the sample: with few of them, however long they search, the interval is wide.
/// With 24 of a second each, on a machine that was busy otherwise, a difference of 1% was found 19 times of 20; with 12 of
/// two seconds, 17 times.
pub const SESSIONS_IN_ROUND: usize = 24;

const WARM_UP: Duration = Duration::from_millis(300);

/// The length of a search by default. Most disturbances of a shared machine last longer, so that they affect all four
/// searches of a position and cancel out. The standard deviation of the ratios was 1.3 to 1.7% with 25 ms, 4% with
/// 250 ms, and no smaller with 10 ms.
const SLICE: Duration = Duration::from_millis(25);

/// Nodes of a simultaneous search, as a multiple of those of a search in turns; there are two, in either order. The system
/// switches between the two engines every few milliseconds, so a longer search gives both a fair share of the core. On a
/// machine with other work, over 2.4 seconds, the standard deviation of the ratios was 0.3 to 0.8%, and 2 to 7% in turns.
const SIMULTANEOUS_FACTOR: u64 = 2;

/// An engine with at most this ratio of CPU time to wall time has one thread; the two clocks differ slightly.
const ONE_THREAD: f64 = 1.2;

/// The shortest search, as a multiple of the time that `ucinewgame` takes, which may clear a large hash table.
const NEW_GAME_FACTOR: u32 = 5;

/// A search that takes this many times as long as planned has hung.
const TIMEOUT_FACTOR: u32 = 20;

/// But a busy machine may hold up any search for so long.
const LEAST_TIMEOUT: Duration = Duration::from_secs(2);

fn timeout_of(planned: Duration) -> Duration {
    (planned * TIMEOUT_FACTOR).max(LEAST_TIMEOUT)
}

/// The longest search with a limit of the user, in nodes or depth.
const USER_TIMEOUT: Duration = Duration::from_mins(10);

/// Positions as FEN.
pub type SpeedSuite = Suite<String>;

impl SpeedSuite {
    /// The positions of the named suites as FEN; those of all shipped suites if none is named. A strict reader refuses to
    /// skip any.
    pub fn read_positions(named: &[PathBuf], is_strict: bool) -> Result<Vec<String>> {
        let suites = suite_files::parse("speed", named, SpeedSuite::parse)?;
        suite_files::refuse_skipped(is_strict, &suites)?;
        Ok(suites.into_iter().flat_map(|suite| suite.positions).collect())
    }

    /// Reads the text of an EPD file; `name` is for messages. Of the operations only the move counters matter.
    pub fn parse(name: &str, text: &str) -> Result<SpeedSuite> {
        let EpdFile { entries, skipped, mended, unknown } = EpdFile::parse(name, text);
        let mut suite = Suite { skipped, mended, unknown, ..Suite::of_text(name, text) };
        for (line, epd) in entries {
            let variant = Variant::of_fen(&epd.fen);
            suite.unreachable.name_unreachable(name, line, &epd.fen, variant);
            let end = Referee::from_fen(&epd.fen, variant).map(|referee| referee.end_without_moves());
            match end {
                Ok(None) => suite.positions.push(epd.fen),
                Ok(Some(end)) => suite.skipped.name(&format!(
                    "{name}:{line}: expected a position with legal moves, but the game is over: {end}"
                )),
                Err(error) => suite.skipped.name(&format!("{name}:{line}: {error}")),
            }
        }
        suite.checked()
    }
}

#[derive(Debug)]
pub struct MeasuredEngine {
    pub name: String,
    pub session: EngineSession,
}

#[derive(Clone, Debug)]
pub struct SpeedPlan {
    pub positions: Vec<String>,
    /// The limit of a search; `None` for nodes that take about 25 ms, or for a time where an engine ignores node limits.
    pub go: Option<Go>,
    /// The duration of all searches, roughly, without a limit.
    pub duration: Duration,
    pub rounds: u32,
}

impl SpeedPlan {
    pub fn read(named: &[PathBuf], is_strict: bool, limits: &SearchLimits, rounds: u32) -> Result<SpeedPlan> {
        let go = (*limits != SearchLimits::default()).then(|| limits.go());
        let positions = SpeedSuite::read_positions(named, is_strict)?;
        Ok(SpeedPlan { positions, go, duration: ROUND * rounds, rounds })
    }

    /// Number of searches by `engines` engines if each position has one turn per round: two by each engine of a pair, or
    /// two by a single engine.
    pub fn searches(&self, engines: usize) -> usize {
        let each = if engines < 2 { 2 } else { 4 * (engines - 1) };
        self.positions.len() * self.times_in_round(engines) * self.rounds as usize * each
    }

    /// How often a round has each position: often enough for all sessions; a single engine has but one.
    pub fn times_in_round(&self, engines: usize) -> usize {
        if engines < 2 { 1 } else { SESSIONS_IN_ROUND.div_ceil(self.positions.len().max(1)) }
    }
}

pub struct SearchPace {
    pub go: Go,
    /// The limit of simultaneous searches by two engines on one core; `None` where CPU time is unknown, or where the limit
    /// is a time.
    pub simultaneous: Option<Go>,
    pub timeout: Duration,
    pub turns: usize,
}

impl SearchPace {
    /// The limit of the user, or short searches that fill the planned time. Every engine searches for a moment first, so
    /// that its memory and the processor are warm.
    pub fn find(engines: &mut [MeasuredEngine], plan: &SpeedPlan) -> Result<SearchPace, SpeedError> {
        let warm_up = Go { movetime: Some(WARM_UP), ..Go::default() };
        let fen = &plan.positions[0];
        let (mut slowest, mut ready, mut can_share) = (f64::INFINITY, Duration::ZERO, engines.len() > 1);
        for engine in &mut *engines {
            let sample = engine.measure(fen, &warm_up, WARM_UP * TIMEOUT_FACTOR)?;
            slowest = slowest.min(sample.nodes as f64 / sample.wall.as_secs_f64());
            let most = sample.wall.mul_f64(ONE_THREAD);
            can_share &= sample.cpu.is_some_and(|cpu| !cpu.is_zero() && cpu < most);
            let begin = Instant::now();
            engine.session.new_game().map_err(SpeedError::NotReady)?;
            ready = ready.max(begin.elapsed());
        }
        if let Some(go) = &plan.go {
            let timeout = go.movetime.map_or(USER_TIMEOUT, timeout_of);
            let simultaneous = (can_share && go.movetime.is_none()).then(|| go.clone());
            return Ok(SearchPace { go: go.clone(), simultaneous, timeout, turns: 1 });
        }
        let longest = plan.duration / plan.searches(engines.len()).max(1) as u32;
        let slice = (ready * NEW_GAME_FACTOR).max(SLICE).min(longest);
        let nodes = (slowest * slice.as_secs_f64()).max(1000.0) as u64;
        let by_nodes = Go { nodes: Some(nodes), ..Go::default() };
        for engine in engines {
            if !engine.keeps_node_limit(fen, &by_nodes, slice * TIMEOUT_FACTOR)? {
                // Engines do not keep short times precisely.
                let go = Go { movetime: Some(longest), ..Go::default() };
                return Ok(SearchPace { go, simultaneous: None, timeout: timeout_of(longest), turns: 1 });
            }
        }
        let simultaneous =
            can_share.then(|| Go { nodes: Some(nodes * SIMULTANEOUS_FACTOR), ..Go::default() });
        // A pair of engines has four searches in turns and four simultaneous ones.
        let longer = if can_share { 1.0 + SIMULTANEOUS_FACTOR as f64 } else { 1.0 };
        let one = (slice + ready).as_secs_f64() * longer;
        let turns = (longest.as_secs_f64() / one).round().max(1.0) as usize;
        Ok(SearchPace { go: by_nodes, simultaneous, timeout: timeout_of(longest), turns })
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpeedSample {
    pub wall: Duration,
    /// CPU time of all threads; `None` where the system does not measure it.
    pub cpu: Option<Duration>,
    /// User time: CPU time without that of the system; `None` where the system does not measure it.
    pub user: Option<Duration>,
    pub nodes: u64,
    pub depth: u32,
    /// The last `hashfull`, in permille.
    pub hashfull: Option<u32>,
    pub depths: Vec<DepthReached>,
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
    #[error(transparent)]
    NotReady(EngineError),
    #[error(
        "engine `{0}`: expected `info … nodes N` before `bestmove`, found none; NPS needs the node count"
    )]
    NoNodes(String),
}

impl MeasuredEngine {
    pub fn measure(&mut self, fen: &str, go: &Go, timeout: Duration) -> Result<SpeedSample, SpeedError> {
        self.session.new_game().map_err(SpeedError::NotReady)?;
        self.search(fen, go, timeout)
    }

    pub fn measure_both(
        [one, other]: [&mut MeasuredEngine; 2],
        fen: &str,
        go: &Go,
        timeout: Duration,
    ) -> Result<[SpeedSample; 2], SpeedError> {
        one.session.new_game().map_err(SpeedError::NotReady)?;
        other.session.new_game().map_err(SpeedError::NotReady)?;
        std::thread::scope(|scope| {
            let one = scope.spawn(move || one.search(fen, go, timeout));
            let other = other.search(fen, go, timeout);
            let one = one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok([one?, other?])
        })
    }

    fn search(&mut self, fen: &str, go: &Go, timeout: Duration) -> Result<SpeedSample, SpeedError> {
        let session = &mut self.session;
        let mut last = Info::default();
        let mut sample = SpeedSample::default();
        session.set_variant(Variant::of_fen(fen)).map_err(SpeedError::NotReady)?;
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
        let nodes = last.nodes.filter(|nodes| *nodes > 0);
        sample.nodes = nodes.ok_or_else(|| SpeedError::NoNodes(self.name.clone()))?;
        sample.depth = last.depth.unwrap_or(0);
        sample.hashfull = last.hashfull;
        Ok(sample)
    }

    /// Whether the engine keeps a limit in nodes, roughly. Some ignore it and stop at once or never.
    fn keeps_node_limit(&mut self, fen: &str, go: &Go, timeout: Duration) -> Result<bool, SpeedError> {
        match self.measure(fen, go, timeout) {
            Ok(sample) => {
                let searches = std::iter::repeat_n(&sample, 3);
                Ok(limit_doubts(go, searches).is_empty()
                    && go.nodes.is_some_and(|asked| sample.nodes > asked / 2))
            }
            Err(SpeedError::Engine(EngineError::Silent { .. }, _)) => {
                let until_move = |line: &str| {
                    if line.starts_with("bestmove") {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                };
                self.session.ask("stop\n", timeout, until_move).map_err(SpeedError::NotReady)?;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}

/// What speaks against how the searches kept their limit.
pub fn limit_doubts<'a>(go: &Go, samples: impl IntoIterator<Item = &'a SpeedSample>) -> Vec<LimitDoubt> {
    let ends = samples.into_iter().map(|sample| SearchEnd {
        nodes: Some(sample.nodes),
        depth: (sample.depth > 0).then_some(sample.depth),
        time: sample.wall,
        has_mate: false,
    });
    let limits = limits_of(go);
    LimitUse::of(&limits, ends).doubts(&limits, None)
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

    pub fn twice(nodes: u64, cpu: u64, wall: u64) -> [SpeedSample; 2] {
        [0, 1].map(|_| sample(nodes, cpu, wall))
    }
}
