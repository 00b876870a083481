//! The limits and the duration of the searches, and the measurement of one search.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;
use thiserror::Error;

use crate::engines::EngineSession;
use crate::files::suite_files::{self, Suite};
use crate::results::{LimitDoubt, LimitUse, SearchEnd};
use referee::{EpdFile, Referee, Variant};
use runner::process::{EngineError, HardwareCounts};
use runner::{PositionLine, SearchLimits, SearchTask};
use uci::{Bound, Go, Info};

/// The duration of all searches of a round, unless the user sets a limit. Restarts of the engines take some seconds more.
pub const ROUND: Duration = Duration::from_secs(27);

/// The number of sessions in a round; each session restarts every engine. Processes of one program differ as long as they
/// live, so the sample consists of processes, not of searches: with few processes the interval stays wide, however long
/// they search. On a busy machine, 24 sessions of a second each found a difference of 1% 19 times of 20; 12 sessions of
/// two seconds found it 17 times.
pub const SESSIONS_IN_ROUND: usize = 24;

/// The minimum number of sessions in a round, where starts of the engines would take longer than the searches.
const LEAST_SESSIONS: usize = 12;

const WARM_UP: Duration = Duration::from_millis(300);

/// The default length of a search. Most disturbances of a shared machine last longer, so that they affect all four
/// searches of a position and cancel out. The standard deviation of the ratios was 1.3 to 1.7% with 25 ms, 4% with 250 ms,
/// and no smaller with 10 ms.
const SLICE: Duration = Duration::from_millis(25);

/// The nodes or the time of a simultaneous search, as a multiple of those of a search in turns; there are two, in either
/// order. The system switches between the two engines every few milliseconds, so a longer search gives both a fair share
/// of the core. On a busy machine, over 2.4 seconds, the standard deviation of the ratios was 0.3 to 0.8%, against 2 to 7%
/// in turns.
const SHARING_FACTOR: u32 = 2;

/// The minimum time of a search limited by time.
const LEAST_MOVETIME: Duration = Duration::from_millis(50);

/// How often a number of nodes is tried, and by which factor it may grow each time.
const NODES_TRIED: u32 = 4;
const MOST_MORE_NODES: f64 = 10.0;

/// The maximum depth to try. An engine that is still fast there does not search to the depth asked for.
const DEEPEST: u32 = 40;

/// The trials for a position start this many plies below the depth of the previous position.
const DEPTHS_BACK: u32 = 3;

/// How many times as long a measurement may get if it does not decide.
pub const MOST_TIMES: u32 = 4;

/// An engine with at most this ratio of CPU time to wall-clock time has one thread; the two clocks differ slightly.
const ONE_THREAD: f64 = 1.2;

/// The minimum time of a search, as a multiple of the time that `ucinewgame` takes, which may clear a large hash table.
const NEW_GAME_FACTOR: u32 = 5;

/// A search that takes this many times as long as planned has hung.
const TIMEOUT_FACTOR: u32 = 20;

/// The minimum timeout, since a busy machine may delay any search.
const LEAST_TIMEOUT: Duration = Duration::from_secs(10);

fn timeout_of(planned: Duration) -> Duration {
    (planned * TIMEOUT_FACTOR).max(LEAST_TIMEOUT)
}

/// The timeout of a search limited by the user, in nodes or depth.
const USER_TIMEOUT: Duration = Duration::from_mins(10);

/// Positions as FEN.
pub type SpeedSuite = Suite<String>;

impl SpeedSuite {
    /// The positions of the named suites as FEN, or of all shipped suites if none is named. With `is_strict`, a position
    /// to skip is an error.
    pub fn read_positions(named: &[PathBuf], is_strict: bool) -> Result<Vec<String>> {
        let suites = suite_files::parse("speed", named, SpeedSuite::parse)?;
        suite_files::refuse_skipped(is_strict, &suites)?;
        Ok(suites.into_iter().flat_map(|suite| suite.positions).collect())
    }

    /// Reads the text of an EPD file; `name` is for messages. Only the move counters among the operations matter.
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

#[derive(Clone, Debug)]
pub struct SpeedPlan {
    pub positions: Vec<String>,
    /// The limit of a search; `None` for searches of about 25 ms, limited by nodes if the engines obey that.
    pub go: Option<Go>,
    /// The approximate duration of all searches if there is no limit.
    pub duration: Duration,
    pub rounds: u32,
    /// A loss of speed, as a share. While it is unclear whether the first engine loses more, rounds are added, up to
    /// [`MOST_TIMES`] times as many.
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

    /// The number of sessions in a round if all engines need this time to start: fewer for slow starters, so that starts take
    /// no longer than searches.
    pub fn sessions_in_round(&self, starts: Duration) -> usize {
        let fitting = self.duration.as_secs_f64() / f64::from(self.rounds) / starts.as_secs_f64();
        (fitting as usize).clamp(LEAST_SESSIONS, SESSIONS_IN_ROUND)
    }

    /// How often a round has each position: often enough to fill all sessions; once for a single engine.
    pub fn times_in_round(&self, engines: usize) -> usize {
        if engines < 2 { 1 } else { SESSIONS_IN_ROUND.div_ceil(self.positions.len().max(1)) }
    }
}

#[derive(Clone, Debug)]
pub struct SearchPace {
    /// The limit of each position of the plan.
    pub limits: Vec<Go>,
    /// Whether two engines also search at the same time on one core; false if CPU time is unknown.
    pub shares_core: bool,
    /// The factor for the nodes or the time of such a search.
    pub factor: u32,
    pub timeout: Duration,
    pub turns: usize,
}

impl SearchPace {
    /// The user's limit, or short searches that fill the planned time. First, every engine searches for a moment to warm
    /// up its memory and the CPU.
    pub fn find(engines: &mut [EngineSession], plan: &SpeedPlan) -> Result<SearchPace, SpeedError> {
        let warm_up = Go { movetime: Some(WARM_UP), ..Go::default() };
        let fen = &plan.positions[0];
        let (mut slowest, mut ready, mut shares_core) = (f64::INFINITY, Duration::ZERO, engines.len() > 1);
        for engine in &mut *engines {
            let sample = engine.measure(fen, &warm_up, WARM_UP * TIMEOUT_FACTOR)?;
            slowest = slowest.min(sample.nodes as f64 / sample.wall.as_secs_f64());
            let most = sample.wall.mul_f64(ONE_THREAD);
            shares_core &= sample.cpu.is_some_and(|cpu| !cpu.is_zero() && cpu < most);
            let begin = Instant::now();
            engine.new_game().map_err(SpeedError::NotReady)?;
            ready = ready.max(begin.elapsed());
        }
        let everywhere = |go: &Go| vec![go.clone(); plan.positions.len()];
        if let Some(go) = &plan.go {
            let timeout = go.movetime.map_or(USER_TIMEOUT, timeout_of);
            return Ok(SearchPace { limits: everywhere(go), shares_core, factor: 1, timeout, turns: 1 });
        }
        let longest = plan.duration / plan.searches(engines.len()).max(1) as u32;
        let slice = (ready * NEW_GAME_FACTOR).max(SLICE).min(longest);
        let timeout = timeout_of(longest);
        // A pair of engines makes four searches in turns and four on a shared core.
        let in_turns = |factor: u32| if shares_core { f64::from(1 + factor) } else { 1.0 };
        if let Some(nodes) = nodes_that_take(slice, slowest, engines, fen)? {
            let one = (slice + ready).as_secs_f64() * in_turns(SHARING_FACTOR);
            let turns = (longest.as_secs_f64() / one).round().max(1.0) as usize;
            let limits = everywhere(&nodes);
            return Ok(SearchPace { limits, shares_core, factor: SHARING_FACTOR, timeout, turns });
        }
        if let Some((limits, mean)) = depths_that_take(slice, engines, &plan.positions)? {
            let one = (mean + ready).as_secs_f64() * in_turns(1);
            let turns = (longest.as_secs_f64() / one).round().max(1.0) as usize;
            return Ok(SearchPace { limits, shares_core, factor: 1, timeout: USER_TIMEOUT, turns });
        }
        // Engines do not keep short times precisely, and report nothing in very short searches.
        let time = longest.div_f64(in_turns(SHARING_FACTOR)).max(LEAST_MOVETIME);
        let limits = everywhere(&Go { movetime: Some(time), ..Go::default() });
        Ok(SearchPace { limits, shares_core, factor: SHARING_FACTOR, timeout, turns: 1 })
    }

    /// The limit of a search on a shared core, of which the engine has half.
    pub fn beside_another(&self, go: &Go) -> Go {
        let longer = |nodes| nodes * u64::from(self.factor);
        Go { nodes: go.nodes.map(longer), movetime: go.movetime.map(|time| time * self.factor), ..go.clone() }
    }

    /// The limit, such as `go nodes 5000` or `go depth 7 to 11`.
    pub fn text(&self) -> String {
        let depths = || self.limits.iter().filter_map(|go| go.depth);
        let first = self.limits.first().map(Go::to_string).unwrap_or_default();
        match (depths().min(), depths().max()) {
            (Some(least), Some(most)) if least < most => format!("go depth {least} to {most}"),
            _ => first,
        }
    }
}

/// A number of nodes that takes the slowest engine about `slice`, beginning with this number of nodes per second, which is too
/// low where the first search of a process is slow; `None` if an engine does not keep `go nodes`.
fn nodes_that_take(
    slice: Duration,
    nodes_per_second: f64,
    engines: &mut [EngineSession],
    fen: &str,
) -> Result<Option<Go>, SpeedError> {
    let mut nodes = (nodes_per_second * slice.as_secs_f64()).max(1000.0) as u64;
    for _ in 0..NODES_TRIED {
        let go = Go { nodes: Some(nodes), ..Go::default() };
        let Some(longest) = longest_kept(engines, fen, &go, slice * TIMEOUT_FACTOR)? else { return Ok(None) };
        if longest >= slice / 2 {
            return Ok(Some(go));
        }
        nodes =
            (nodes as f64 * (slice.as_secs_f64() / longest.as_secs_f64()).clamp(1.0, MOST_MORE_NODES)) as u64;
    }
    Ok(Some(Go { nodes: Some(nodes), ..Go::default() }))
}

/// The longest search with this limit, by wall-clock time; `None` if an engine does not keep it.
fn longest_kept(
    engines: &mut [EngineSession],
    fen: &str,
    go: &Go,
    timeout: Duration,
) -> Result<Option<Duration>, SpeedError> {
    let mut longest = Duration::ZERO;
    for engine in engines {
        let sample = engine.attempt(fen, go, timeout)?;
        let Some(sample) = sample.filter(|sample| is_kept(go, sample)) else { return Ok(None) };
        longest = longest.max(sample.wall);
    }
    Ok(Some(longest))
}

/// Whether a search kept its limit, roughly. Some engines ignore a limit and stop at once.
fn is_kept(go: &Go, sample: &SpeedSample) -> bool {
    limit_doubts(go, std::iter::repeat_n(sample, 3)).is_empty()
        && go.nodes.is_none_or(|asked| sample.nodes > asked / 2)
}

/// For each position, the depth that takes the first engine about `slice`, and the mean time of these searches; `None` if
/// an engine does not keep a depth. All engines search to the same depth.
fn depths_that_take(
    slice: Duration,
    engines: &mut [EngineSession],
    positions: &[String],
) -> Result<Option<(Vec<Go>, Duration)>, SpeedError> {
    let (mut limits, mut sum, mut depth) = (Vec::new(), Duration::ZERO, 1);
    for fen in positions {
        let (mut kept, mut took, mut least) = (None, Duration::ZERO, depth);
        while depth <= DEEPEST && took < slice / 2 {
            let go = Go { depth: Some(depth), ..Go::default() };
            let begin = Instant::now();
            let sample = engines[0].attempt(fen, &go, slice * TIMEOUT_FACTOR)?;
            // Some engines report nothing in a shallow search.
            took = sample.as_ref().and_then(|sample| sample.cpu).unwrap_or_else(|| begin.elapsed());
            if took > slice && depth == least && depth > 1 {
                // This position takes far longer than the previous one.
                least = depth.saturating_sub(DEPTHS_BACK).max(1);
                (depth, took) = (least, Duration::ZERO);
                continue;
            }
            kept = sample.filter(|sample| is_kept(&go, sample)).map(|_| (go, took)).or(kept);
            depth += 1;
        }
        // If the game is nearly over, the maximum depth that the engine reaches.
        let is_first = limits.is_empty();
        let Some((go, took)) = kept.filter(|(_, took)| !is_first || *took >= slice / 2) else {
            return Ok(None);
        };
        if is_first && longest_kept(&mut engines[1..], fen, &go, timeout_of(slice))?.is_none() {
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
    /// CPU time of all threads; `None` if the system does not measure it.
    pub cpu: Option<Duration>,
    /// User time: CPU time without system time; `None` if the system does not measure it.
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
    /// When this depth or a deeper one was first reported; `None` if neither was.
    pub fn reached(&self, depth: u32) -> Option<DepthReached> {
        self.depths.iter().copied().find(|reached| reached.depth >= depth)
    }

    /// Notes the first report of a depth. A bound does not count, because the depth is not finished.
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

impl EngineSession {
    /// Searches a position in a new game, and measures the search.
    pub fn measure(&mut self, fen: &str, go: &Go, timeout: Duration) -> Result<SpeedSample, SpeedError> {
        self.new_game().map_err(SpeedError::NotReady)?;
        self.measure_search(fen, go, timeout)
    }

    pub fn measure_both(
        [one, other]: [&mut EngineSession; 2],
        fen: &str,
        go: &Go,
        timeout: Duration,
    ) -> Result<[SpeedSample; 2], SpeedError> {
        one.new_game().map_err(SpeedError::NotReady)?;
        other.new_game().map_err(SpeedError::NotReady)?;
        std::thread::scope(|scope| {
            let one = scope.spawn(move || one.measure_search(fen, go, timeout));
            let other = other.measure_search(fen, go, timeout);
            let one = one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok([one?, other?])
        })
    }

    fn measure_search(&mut self, fen: &str, go: &Go, timeout: Duration) -> Result<SpeedSample, SpeedError> {
        let mut last = Info::default();
        let mut sample = SpeedSample::default();
        self.set_variant(Variant::of_fen(fen)).map_err(SpeedError::NotReady)?;
        let position = PositionLine::from_fen(fen);
        let (hardware, user, cpu) = (self.hardware_counts(), self.user_time(), self.cpu_time());
        let begin = Instant::now();
        let searched = self.watch_search(SearchTask::Of(&position, go), timeout, |info| {
            last.nodes = info.nodes.or(last.nodes);
            last.depth = info.depth.or(last.depth);
            last.hashfull = info.hashfull.or(last.hashfull);
            sample.note_depth(&info, begin.elapsed());
        });
        (sample.wall, _) = searched.map_err(|source| SpeedError::Engine(source, go.to_string()))?;
        let since = |(after, before): (Duration, Duration)| after.saturating_sub(before);
        sample.cpu = self.cpu_time().zip(cpu).map(since);
        sample.user = self.user_time().zip(user).map(since);
        sample.hardware = self.hardware_counts().zip(hardware).map(|(after, before)| after.since(before));
        let nodes = last.nodes.filter(|nodes| *nodes > 0);
        sample.nodes = nodes.ok_or_else(|| SpeedError::NoNodes(self.name().to_owned()))?;
        sample.depth = last.depth.unwrap_or(0);
        sample.hashfull = last.hashfull;
        Ok(sample)
    }

    /// Searches with a limit that the engine may not support. `None` if the search does not end by itself or reports no
    /// nodes.
    fn attempt(&mut self, fen: &str, go: &Go, timeout: Duration) -> Result<Option<SpeedSample>, SpeedError> {
        match self.measure(fen, go, timeout) {
            Ok(sample) => Ok(Some(sample)),
            Err(SpeedError::NoNodes(_)) => Ok(None),
            Err(SpeedError::Engine(EngineError::Silent { .. }, _)) => {
                let stopped = self.ask("stop\n", timeout, |line| line.starts_with("bestmove"));
                stopped.map(|_| None).map_err(SpeedError::NotReady)
            }
            Err(error) => Err(error),
        }
    }
}

/// Warnings of limits that the searches did not keep.
pub fn limit_doubts<'a>(go: &Go, samples: impl IntoIterator<Item = &'a SpeedSample>) -> Vec<LimitDoubt> {
    let ends = samples.into_iter().map(|sample| SearchEnd {
        nodes: Some(sample.nodes),
        depth: (sample.depth > 0).then_some(sample.depth),
        time: sample.wall,
        has_mate: false,
    });
    let limits = SearchLimits::of(go);
    LimitUse::of(&limits, ends).doubts(&limits, None)
}
