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

/// Nodes of a simultaneous search, or its time, as a multiple of those of a search in turns; there are two, in either
/// order. The system switches between the two engines every few milliseconds, so a longer search gives both a fair share
/// of the core. On a machine with other work, over 2.4 seconds, the standard deviation of the ratios was 0.3 to 0.8%, and
/// 2 to 7% in turns.
const SHARING_FACTOR: u32 = 2;

/// The shortest search by time.
const LEAST_MOVETIME: Duration = Duration::from_millis(50);

/// The greatest depth that is tried. An engine that is as fast there searches to none that it is asked for.
const DEEPEST: u32 = 40;

/// The number of plies by which the depth of a position may be less than that of the one before it.
const DEPTHS_BACK: u32 = 3;

/// How much longer a measurement may get that does not decide.
pub const MOST_TIMES: u32 = 4;

/// An engine with at most this ratio of CPU time to wall time has one thread; the two clocks differ slightly.
const ONE_THREAD: f64 = 1.2;

/// The shortest search, as a multiple of the time that `ucinewgame` takes, which may clear a large hash table.
const NEW_GAME_FACTOR: u32 = 5;

/// A search that takes this many times as long as planned has hung.
const TIMEOUT_FACTOR: u32 = 20;

/// But a busy machine may hold up any search for so long.
const LEAST_TIMEOUT: Duration = Duration::from_secs(10);

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
    /// The limit of a search; `None` for one that takes about 25 ms: nodes, or what an engine keeps instead.
    pub go: Option<Go>,
    /// The duration of all searches, roughly, without a limit.
    pub duration: Duration,
    pub rounds: u32,
    /// A loss, as a share: as long as it cannot be told whether the first engine loses more, there are more rounds, up to
    /// [`MOST_TIMES`] as many.
    pub decides: Option<f64>,
}

impl SpeedPlan {
    pub fn read(named: &[PathBuf], is_strict: bool, limits: &SearchLimits, rounds: u32) -> Result<SpeedPlan> {
        let go = (*limits != SearchLimits::default()).then(|| limits.go());
        let positions = SpeedSuite::read_positions(named, is_strict)?;
        Ok(SpeedPlan { positions, go, duration: ROUND * rounds, rounds, decides: None })
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

#[derive(Clone, Debug)]
pub struct SearchPace {
    /// The limit of each position of the plan.
    pub limits: Vec<Go>,
    /// Whether two engines search on one core as well; not where CPU time is unknown.
    pub shares_core: bool,
    /// What the nodes or the time of such a search are multiplied with.
    pub factor: u32,
    pub timeout: Duration,
    pub turns: usize,
}

impl SearchPace {
    /// The limit of the user, or short searches that fill the planned time. Every engine searches for a moment first, so
    /// that its memory and the processor are warm.
    pub fn find(engines: &mut [MeasuredEngine], plan: &SpeedPlan) -> Result<SearchPace, SpeedError> {
        let warm_up = Go { movetime: Some(WARM_UP), ..Go::default() };
        let fen = &plan.positions[0];
        let (mut slowest, mut ready, mut shares_core) = (f64::INFINITY, Duration::ZERO, engines.len() > 1);
        for engine in &mut *engines {
            let sample = engine.measure(fen, &warm_up, WARM_UP * TIMEOUT_FACTOR)?;
            slowest = slowest.min(sample.nodes as f64 / sample.wall.as_secs_f64());
            let most = sample.wall.mul_f64(ONE_THREAD);
            shares_core &= sample.cpu.is_some_and(|cpu| !cpu.is_zero() && cpu < most);
            let begin = Instant::now();
            engine.session.new_game().map_err(SpeedError::NotReady)?;
            ready = ready.max(begin.elapsed());
        }
        let everywhere = |go: &Go| vec![go.clone(); plan.positions.len()];
        if let Some(go) = &plan.go {
            let timeout = go.movetime.map_or(USER_TIMEOUT, timeout_of);
            return Ok(SearchPace { limits: everywhere(go), shares_core, factor: 1, timeout, turns: 1 });
        }
        let longest = plan.duration / plan.searches(engines.len()).max(1) as u32;
        let slice = (ready * NEW_GAME_FACTOR).max(SLICE).min(longest);
        let nodes = (slowest * slice.as_secs_f64()).max(1000.0) as u64;
        let by_nodes = Go { nodes: Some(nodes), ..Go::default() };
        let timeout = timeout_of(longest);
        // A pair of engines has four searches in turns and four that share a core.
        let in_turns = |factor: u32| if shares_core { f64::from(1 + factor) } else { 1.0 };
        if every_engine_keeps(engines, fen, &by_nodes, slice * TIMEOUT_FACTOR)? {
            let one = (slice + ready).as_secs_f64() * in_turns(SHARING_FACTOR);
            let turns = (longest.as_secs_f64() / one).round().max(1.0) as usize;
            let limits = everywhere(&by_nodes);
            return Ok(SearchPace { limits, shares_core, factor: SHARING_FACTOR, timeout, turns });
        }
        if let Some((limits, mean)) = depths_that_take(slice, engines, &plan.positions)? {
            let one = (mean + ready).as_secs_f64() * in_turns(1);
            let turns = (longest.as_secs_f64() / one).round().max(1.0) as usize;
            return Ok(SearchPace { limits, shares_core, factor: 1, timeout: USER_TIMEOUT, turns });
        }
        // Engines do not keep short times precisely, and report nothing in the shortest.
        let time = longest.div_f64(in_turns(SHARING_FACTOR)).max(LEAST_MOVETIME);
        let limits = everywhere(&Go { movetime: Some(time), ..Go::default() });
        Ok(SearchPace { limits, shares_core, factor: SHARING_FACTOR, timeout, turns: 1 })
    }

    /// The limit of a search beside another engine on its core, which has half of it.
    pub fn beside_another(&self, go: &Go) -> Go {
        let longer = |nodes| nodes * u64::from(self.factor);
        Go { nodes: go.nodes.map(longer), movetime: go.movetime.map(|time| time * self.factor), ..go.clone() }
    }

    /// `go nodes 5000`, or `go depth 7 to 11`.
    pub fn text(&self) -> String {
        let depths = || self.limits.iter().filter_map(|go| go.depth);
        let first = self.limits.first().map(Go::to_string).unwrap_or_default();
        match (depths().min(), depths().max()) {
            (Some(least), Some(most)) if least < most => format!("go depth {least} to {most}"),
            _ => first,
        }
    }
}

fn every_engine_keeps(
    engines: &mut [MeasuredEngine],
    fen: &str,
    go: &Go,
    timeout: Duration,
) -> Result<bool, SpeedError> {
    for engine in engines {
        if !engine.attempt(fen, go, timeout)?.is_some_and(|sample| is_kept(go, &sample)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a search kept its limit, roughly. Some engines ignore it and stop at once.
fn is_kept(go: &Go, sample: &SpeedSample) -> bool {
    limit_doubts(go, std::iter::repeat_n(sample, 3)).is_empty()
        && go.nodes.is_none_or(|asked| sample.nodes > asked / 2)
}

/// For each position the depth that takes the first engine about so long, and the mean time that it takes; `None` where an
/// engine does not keep a depth. Both builds search to the same one.
fn depths_that_take(
    slice: Duration,
    engines: &mut [MeasuredEngine],
    positions: &[String],
) -> Result<Option<(Vec<Go>, Duration)>, SpeedError> {
    let (mut limits, mut sum, mut depth) = (Vec::new(), Duration::ZERO, 1);
    for fen in positions {
        let (mut kept, mut took) = (None, Duration::ZERO);
        while depth <= DEEPEST && took < slice / 2 {
            let go = Go { depth: Some(depth), ..Go::default() };
            let begin = Instant::now();
            let sample = engines[0].attempt(fen, &go, slice * TIMEOUT_FACTOR)?;
            // Some report nothing of a shallow search.
            took = sample.as_ref().and_then(|sample| sample.cpu).unwrap_or_else(|| begin.elapsed());
            kept = sample.filter(|sample| is_kept(&go, sample)).map(|_| (go, took)).or(kept);
            depth += 1;
        }
        // Where the game is nearly over, the greatest depth that it has.
        let is_first = limits.is_empty();
        let Some((go, took)) = kept.filter(|(_, took)| !is_first || *took >= slice / 2) else {
            return Ok(None);
        };
        if is_first && !every_engine_keeps(&mut engines[1..], fen, &go, timeout_of(slice))? {
            return Ok(None);
        }
        sum += took;
        depth = go.depth.unwrap_or(1).saturating_sub(DEPTHS_BACK).max(1);
        limits.push(go);
    }
    let mean = sum / limits.len().max(1) as u32;
    Ok(Some((limits, mean)))
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

    /// A search with a limit that the engine may not know: `None` if it does not end by itself, or says nothing of its
    /// nodes.
    fn attempt(&mut self, fen: &str, go: &Go, timeout: Duration) -> Result<Option<SpeedSample>, SpeedError> {
        match self.measure(fen, go, timeout) {
            Ok(sample) => Ok(Some(sample)),
            Err(SpeedError::NoNodes(_)) => Ok(None),
            Err(SpeedError::Engine(EngineError::Silent { .. }, _)) => {
                let until_move = |line: &str| {
                    if line.starts_with("bestmove") {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                };
                self.session.ask("stop\n", timeout, until_move).map_err(SpeedError::NotReady)?;
                Ok(None)
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
