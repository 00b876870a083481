//! A running engine.

mod clock_probe;
mod exchange;
mod getting_ready;
mod pondering;
mod searching;

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::timeout;

pub use clock_probe::ClockProbe;
use pondering::Pondering;

use super::batch_scheduling::bind_to_last_core;
use super::cpu_snapshot::{CpuSnapshot, all_threads_of, family_of, threads_of, user_time};
use super::engine_clock::ClockReader;
use super::hardware_counters::{HardwareCounters, HardwareCounts};
use super::info_digest::InfoDigest;
use super::line_reader::LineMatches;
use super::line_reader::LineReader;
use super::process_reaper::EngineMark;
use super::protocol_log::{Direction, ProtocolLog, WireTap};
use super::search::SearchWatch;
use super::stderr_tail::StderrTail;
use super::{ClockKind, EngineError, ProcessEnd, ProcessReaper, SearchFailure};
use crate::config::{EngineConfig, SearchLimits};
use crate::protocol::{EngineInfo, Protocol, Request};
use crate::written_files::{Stamp, WrittenFiles};

/// How long a process may take to end after it closed its output or was told to quit.
const FAREWELL: Duration = Duration::from_millis(500);

/// The start of those lines of a protocol log that show the options set before the game.
pub const SET_BEFORE: &str = "# set before: ";

/// The start of the line of a protocol log that lists the games that the process had played, numbered from 1.
pub const GAMES_BEFORE: &str = "# games before: ";

/// The most games that this line names: the last ones.
const GAMES_SHOWN: usize = 500;

/// The most letters of an engine's output that messages and records repeat.
const MESSAGE_CAP: usize = 200;

/// A started engine. Dropping it kills it with its whole process group.
#[derive(Debug)]
pub struct EngineProcess {
    name: String,
    child: Child,
    /// The id of the process and of its group; kept because the child forgets it when it is reaped.
    group: Option<u32>,
    #[cfg(windows)]
    job: super::job::Job,
    mark: EngineMark,
    stdin: ChildStdin,
    stdout: LineReader<ChildStdout>,
    stderr: StderrTail,
    log: ProtocolLog,
    /// The commands that the engine gets before it introduces itself.
    init: Vec<String>,
    protocol: Box<dyn Protocol>,
    /// The lines of the last request, kept for their memory.
    lines: String,
    digest: InfoDigest,
    matches: LineMatches,
    introduction: EngineInfo,
    /// The string options that were set since it was last ready.
    texts_set: Vec<String>,
    /// The lines that have set its options so far, the last one for each option that has a value, with its name.
    settings: Vec<(Option<String>, String)>,
    /// The numbers of the games that it has begun, the current game last.
    pub(crate) games: Vec<u32>,
    /// The search on the opponent's time, if there is one.
    pondering: Option<Pondering>,
    watch: SearchWatch,
    clock: ClockReader,
    hardware: Option<HardwareCounters>,
}

/// Why a line did not come.
#[derive(Clone, Copy)]
enum Silence {
    Deadline,
    Ended(ProcessEnd),
}

impl Silence {
    /// What this means for a search that was waited for this long.
    fn in_search(self, elapsed: Duration) -> SearchFailure {
        match self {
            Silence::Deadline => SearchFailure::Timeout { elapsed },
            Silence::Ended(end) => SearchFailure::Ended(end),
        }
    }
}

impl EngineProcess {
    /// Starts the program of an engine, which gets this kind of clock. This has to run inside a tokio runtime, on a thread
    /// that outlives the engine: on Linux the engine is killed when the thread that started it ends.
    ///
    /// # Errors
    /// [`EngineError::Start`] if the program cannot be run.
    pub fn start(engine: &EngineConfig, clock: ClockKind) -> Result<EngineProcess, EngineError> {
        EngineProcess::start_by(engine, clock, None)
    }

    pub(crate) fn start_by(
        engine: &EngineConfig,
        clock: ClockKind,
        held: Option<&Path>,
    ) -> Result<EngineProcess, EngineError> {
        let reaper = ProcessReaper::of_this_process();
        let mark = reaper.enlist();
        let failed = |source| {
            reaper.dismiss(&mark, None);
            let (engine, program) = (engine.name.clone(), engine.program.clone());
            EngineError::Start { engine, program, source }
        };
        let open = |file| File::options().create(true).append(true).open(file);
        let stderr_file = engine.stderr.as_ref().map(open).transpose().map_err(failed)?;
        let mut child = engine.spawn(clock, held, &mark).map_err(failed)?;
        #[cfg(windows)]
        let job =
            super::job::Job::run(child.raw_handle().unwrap_or_default(), child.id().unwrap_or_default())
                .map_err(failed)?;
        if let Some(group) = child.id() {
            reaper.watch(group);
        }
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(failed(io::Error::other("the process has no pipes")));
        };
        Ok(EngineProcess {
            name: engine.name.clone(),
            group: child.id(),
            #[cfg(windows)]
            job,
            mark,
            child,
            stdin,
            stdout: LineReader::new(stdout),
            stderr: StderrTail::follow(stderr, stderr_file),
            log: ProtocolLog::new(),
            init: engine.init.clone(),
            protocol: engine.protocol.unwrap_or_default().begin(),
            lines: String::new(),
            digest: InfoDigest::default(),
            matches: LineMatches::default(),
            introduction: EngineInfo {
                protocol: engine.protocol.unwrap_or_default(),
                ..EngineInfo::default()
            },
            texts_set: Vec::new(),
            settings: Vec::new(),
            games: Vec::new(),
            pondering: None,
            watch: SearchWatch::default(),
            clock: ClockReader::new(clock, engine),
            hardware: None,
        })
    }

    pub(crate) fn call(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// From now on, keeps for each pattern (a regular expression) the last line of a search that matches it.
    pub fn keep_lines(&mut self, patterns: &[String]) {
        self.matches = LineMatches::new(patterns);
    }

    pub(crate) fn tap(&mut self, tap: &WireTap) {
        self.log.listen(tap, &self.name);
    }

    /// What the engine said about itself.
    pub fn introduction(&self) -> &EngineInfo {
        &self.introduction
    }

    /// The process id; `None` if the system does not tell.
    pub fn id(&self) -> Option<u32> {
        self.group
    }

    /// The CPU time of the engine so far, all threads and processes together; `None` if the system does not tell.
    pub fn cpu_time(&self) -> Option<Duration> {
        Some(CpuSnapshot::take(self.group).engine_since(None)?.used)
    }

    /// The CPU time that the engine spent in user mode, in steps of a hundredth of a second; `None` if the system does not
    /// tell.
    pub fn user_time(&self) -> Option<Duration> {
        user_time(self.group?)
    }

    /// Binds the engine's current threads, and those that they will start, to the last core that this process may use, since
    /// other engines may be bound as well. Returns whether that worked.
    pub fn bind_to_last_core(&self) -> bool {
        self.group.is_some_and(|engine| bind_to_last_core(&all_threads_of(engine)))
    }

    /// Starts the hardware counters for the engine's current threads and those that they will start. Nothing is counted if
    /// the system forbids it.
    pub fn count_hardware_events(&mut self) {
        self.hardware = self.group.and_then(|engine| HardwareCounters::open(&threads_of(engine)));
    }

    /// The hardware counts of the engine since the counters were started; `None` if nothing is counted.
    pub fn hardware_counts(&mut self) -> Option<HardwareCounts> {
        self.hardware.as_mut()?.read()
    }

    /// The largest amount of memory that the engine's first process has held, in bytes; `None` if the system does not tell.
    pub fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.group?)).ok()?;
        let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        Some(kilobytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
    }

    /// The files that the engine has written so far; `before` are the files that it may write.
    pub(crate) fn written_files(&self, before: Vec<(PathBuf, Option<Stamp>)>) -> WrittenFiles {
        WrittenFiles::of(&self.group.map(family_of).unwrap_or_default(), before)
    }

    /// Why the engine cannot be told these limits; `None` if it can.
    pub fn refuses(&self, limits: &SearchLimits) -> Option<EngineError> {
        let obstacle = self.protocol.refuses(limits)?;
        Some(EngineError::Unable { engine: self.name.clone(), obstacle })
    }

    /// Whether the process can play another game.
    pub(crate) fn plays_again(&self) -> bool {
        self.protocol.plays_again() && !self.is_pondering()
    }

    /// The lines of the current game, with the earlier history of the process and its standard error.
    pub fn protocol_log(&self) -> String {
        let mut text = String::new();
        for (_, setting) in &self.settings {
            let _ = writeln!(text, "{SET_BEFORE}{setting}");
        }
        if let [before @ .., _] = &self.games[..]
            && !before.is_empty()
        {
            let shown = &before[before.len().saturating_sub(GAMES_SHOWN)..];
            let numbers: Vec<String> = shown.iter().map(|game| (game + 1).to_string()).collect();
            let _ = writeln!(text, "{GAMES_BEFORE}{}", numbers.join(" "));
        }
        text += &self.log.render();
        if self.stdout.cut > 0 {
            let _ = writeln!(text, "# {} lines were too long and were cut", self.stdout.cut);
        }
        let complaints = self.stderr.text();
        if !complaints.is_empty() {
            text += "# error output:\n";
            complaints.lines().for_each(|line| {
                let _ = writeln!(text, "# {line}");
            });
        }
        text
    }

    /// Sets whether all of the next game is kept in the protocol log, and not only its end.
    pub(crate) fn keep_whole_log(&mut self, is_whole: bool) {
        self.log.keep_whole(is_whole);
    }

    /// Adds a remark to the protocol log.
    pub fn note(&mut self, remark: &str) {
        self.log.add(Instant::now(), Direction::Note, remark.as_bytes());
    }

    /// Waits a moment for the rest of the engine's standard error.
    pub async fn hear_out(&self) {
        self.stderr.settle().await;
    }

    /// The last lines that the engine wrote to its standard error.
    pub fn complaints(&self) -> String {
        self.stderr.text()
    }

    /// Closes the input of the engine, as a GUI that has crashed does.
    ///
    /// # Errors
    /// The system cannot create another pipe.
    #[cfg(unix)]
    pub fn close_input(&mut self) -> io::Result<()> {
        // A pipe that nobody reads takes its place, so that later writes fail as they should.
        let (_, writer) = io::pipe()?;
        self.stdin = ChildStdin::from_std(std::os::fd::OwnedFd::from(writer).into())?;
        Ok(())
    }

    /// Waits for the process to end by itself and returns how long that took; `None` if it still runs after `timeout`.
    pub async fn wait_for_end(&mut self, timeout: Duration) -> Option<Duration> {
        let begin = Instant::now();
        let ended = tokio::time::timeout(timeout, self.child.wait()).await;
        matches!(ended, Ok(Ok(_))).then(|| begin.elapsed())
    }

    /// Asks the engine to quit, gives it a moment, and then kills what is left of it.
    pub async fn quit(mut self) {
        self.end().await;
    }

    /// As [`quit`](Self::quit), for an engine that will be replaced: every later request fails.
    pub async fn end(&mut self) {
        if self.request(Request::Quit, Instant::now() + FAREWELL).await.is_ok() {
            let _ = timeout(FAREWELL, self.child.wait()).await;
        }
        self.kill_group();
        let _ = timeout(FAREWELL, self.child.wait()).await;
    }

    fn kill_group(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group.and_then(|id| rustix::process::Pid::from_raw(id as i32)) {
            // The group may have ended already.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        #[cfg(windows)]
        self.job.kill();
        let _ = self.child.start_kill();
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.kill_group();
        ProcessReaper::of_this_process().dismiss(&self.mark, self.group);
    }
}
