//! One runner plays one contest: what that cost, and what came of it.

use std::fs::{self, File};
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};

use crate::contest::Contest;
use crate::runner::Runner;

/// How often the runner's CPU time and memory are read while it runs.
const SAMPLING: Duration = Duration::from_millis(20);

/// What was measured.
#[derive(Clone, Debug, Default)]
pub struct Measurement {
    /// From start to end.
    pub seconds: f64,
    /// CPU time of the runner without its engines, in seconds, to a hundredth.
    pub cpu: f64,
    /// The most memory that the runner held, in megabytes.
    pub memory: f64,
    /// What is in its PGN file.
    pub games: Games,
}

/// What a PGN file holds.
#[derive(Clone, Debug, Default)]
pub struct Games {
    /// How many games it has.
    pub count: u64,
    /// How many moves in all.
    pub plies: u64,
    /// How many games were lost on time.
    pub time_losses: u64,
    /// Measured less reported time of each move, in milliseconds, where the file says it.
    pub latencies: Vec<f64>,
}

/// Lets a runner play; `None` when it does not end in time.
///
/// # Errors
/// The runner cannot be started, or leaves no games.
pub fn measure(
    runner: Runner,
    program: &Path,
    contest: &Contest,
    concurrency: u32,
) -> io::Result<Option<Measurement>> {
    let folder = tempfile::tempdir()?;
    let mut command = runner.command(program, contest, concurrency, folder.path());
    command.env(crate::IS_INSTANT_ENGINE, if contest.engine.is_none() { "1" } else { "" });
    command.stdin(Stdio::null()).stdout(File::create(folder.path().join("output"))?);
    command.stderr(File::create(folder.path().join("errors"))?);
    let begin = Instant::now();
    let mut child = command.spawn()?;
    let mut measurement = Measurement::default();
    while child.try_wait()?.is_none() {
        measurement.observe(&child);
        if begin.elapsed().as_secs() > contest.patience {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(SAMPLING);
    }
    measurement.seconds = begin.elapsed().as_secs_f64();
    let pgn = File::open(runner.pgn(folder.path()))?;
    let mut counter = Counter(&mut measurement.games);
    for game in Reader::new(pgn).read_games(&mut counter) {
        game?;
    }
    Ok(Some(measurement))
}

impl Measurement {
    /// Plies a second.
    pub fn pace(&self) -> f64 {
        self.games.plies as f64 / self.seconds
    }

    /// Reads proc(5): fields 14 and 15 of `stat` in hundredths of a second, and the high-water mark of `status`.
    fn observe(&mut self, child: &Child) {
        let folder = Path::new("/proc").join(child.id().to_string());
        let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        let ticks =
            after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
        self.cpu = self.cpu.max(ticks.sum::<f64>() / 100.0);
        let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<f64>().ok());
        self.memory = self.memory.max(kilobytes.unwrap_or(0.0) / 1024.0);
    }
}

/// Counts what is in a PGN file.
struct Counter<'a>(&'a mut Games);

impl Visitor for Counter<'_> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        self.0.count += 1;
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let is_time_loss = name == b"Termination" && value.decode_utf8_lossy() == "time forfeit";
        self.0.time_losses += u64::from(is_time_loss);
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.0.plies += 1;
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        let text = String::from_utf8_lossy(comment.as_bytes());
        let seconds = text.split_once("latency=").and_then(|(_, rest)| rest.split(['s', ',', ' ']).next());
        self.0.latencies.extend(seconds.and_then(|seconds| seconds.parse::<f64>().ok()).map(|s| s * 1e3));
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}
