//! Playing a run from its configuration to its exit code; `match`, `run` and `resume` all end here.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::{run_file, step_summary};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stdout};
use crate::engines;
use crate::files::new_folder;
use crate::folder::{ReportError, Reporter, RunFolder};
use crate::live::control;
use crate::live::control::ControlHandler;
#[cfg(unix)]
use crate::live::control::ControlSocket;
use crate::live::control::ControlledRun;
use crate::live::control::signals;
use crate::live::progress::Terminal;
use crate::options::ConclusionArgs;
use crate::options::books;
use crate::options::books::AskedBy;
use crate::report::page::RunReport;
use crate::results::{EngineSummary, RecordedRun, RunState, SharedState, Summary};
use referee::openings::Book;
use runner::foreign_folder::read_text;
use runner::process::{ClockKind, EngineError, Introduction};
use runner::{Event, FinishReason, Run, RunConfig, RunControl, RunPlan, StopLevel};
use stats::SprtStatus;

/// Starts every engine once, so that one that does not start or does not take a value shows before the first game, and
/// records what each calls itself. Warns of options that an engine lacks or complains about.
pub fn introduce(plan: &mut RunPlan) -> Result<Vec<Introduction>> {
    let introductions = plan.introduce().map_err(|error| {
        let is_unknown = matches!(&error, EngineError::Setting { source, .. } if source.is_unknown());
        let way = if is_unknown { "; to send it all the same: --allow-unknown" } else { "" };
        anyhow!("{error}{way}")
    })?;
    console::warn_of_options(plan.config(), &introductions);
    Ok(introductions)
}

/// Lets a run with clocks be timed by processor time, if that holds for all of its engines, and says why not if it does
/// not.
pub fn prefer_processor_time(config: &mut RunConfig) {
    let is_timed = (0..config.engines.len()).any(|engine| config.limits_of(engine).is_timed());
    if !is_timed || !cfg!(target_os = "linux") {
        return;
    }
    let timed = RunConfig { clock: ClockKind::Cpu, ..config.clone() };
    match timed.check_engines() {
        Ok(_) => *config = timed,
        Err(error @ EngineError::Clock { .. }) => console::note(&format!("the time is the wall's: {error}")),
        // Whatever is wrong with an engine shows when it is to play.
        Err(_) => {}
    }
}

/// Begins a run in a new folder.
pub fn start(plan: RunPlan, book: Book, out: Option<&Path>, conclusion: ConclusionArgs) -> CliResult {
    let path = out.map_or_else(|| new_folder::below_results(&run_name(plan.config())), Path::to_owned);
    let kept = begin(plan, book, &path, conclusion.report())?;
    play(kept, conclusion)
}

/// A run with all that is kept of it: what is written into its folder, and the one state that its events make.
#[derive(Debug)]
pub struct KeptRun {
    run: Run,
    folder: RunFolder,
    state: RunState,
}

impl KeptRun {
    /// Makes the folder, and the run in it. With a page to be made in the end, what it shows is gathered from the start.
    pub fn create(mut plan: RunPlan, book: Book, path: &Path, with_page: bool) -> Result<KeptRun, CliError> {
        plan.open_tables().usage()?;
        let state = state_of(plan.config(), with_page);
        let folder = RunFolder::create(path, &state).fault()?;
        let run = plan.start(book, path).fault()?;
        Ok(KeptRun { run, folder, state })
    }

    /// Continues a run: all that is known of it is made again from its journal.
    pub fn resume(run: Run, path: &Path, with_page: bool) -> Result<KeptRun, CliError> {
        let mut state = state_of(run.config(), with_page);
        for event in run.past() {
            state.update(event);
        }
        let folder = RunFolder::resume(path, &state, run.finished()).fault()?;
        Ok(KeptRun { run, folder, state })
    }
}

fn state_of(config: &RunConfig, with_page: bool) -> RunState {
    let state = RunState::new(config);
    if with_page { state.with_facts() } else { state }
}

impl KeptRun {
    /// A handle that ends the run early.
    pub fn control(&self) -> RunControl {
        self.run.control()
    }

    /// How many games the schedule has.
    pub fn games(&self) -> u32 {
        self.run.games()
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Plays until the run is over or is stopped. `show` sees each event when state and files have it.
    pub fn play(self, show: impl FnMut(&Event, &RunState)) -> Result<(RunState, FinishReason), CliError> {
        let KeptRun { run, mut folder, state } = self;
        let state = SharedState::new(state);
        let reason = execute_into(run, &mut folder, &state, show)?;
        Ok((state.take(), reason))
    }
}

/// A run that was played as part of something larger, as far as it went.
#[derive(Debug)]
pub struct Played {
    pub summary: Summary,
    /// Why there are no more of them.
    pub reason: FinishReason,
}

/// Plays a run into a folder, for a caller that says itself what came of it.
pub fn play_into(plan: RunPlan, book: Book, path: &Path) -> Result<Played, CliError> {
    let conducted = execute(begin(plan, book, path, true)?)?;
    let played = conducted.played();
    write_report(RecordedRun::just_played(conducted.state, path));
    Ok(played)
}

/// Makes the folder and the run in it.
fn begin(plan: RunPlan, book: Book, path: &Path, with_page: bool) -> Result<KeptRun, CliError> {
    let description = books::describe(&book);
    let kept = KeptRun::create(plan, book, path, with_page)?;
    console::note(&description);
    Ok(kept)
}

/// Continues the run of a folder.
pub fn resume(path: &Path, conclusion: ConclusionArgs) -> CliResult {
    let config = read_config(path).usage()?;
    let book = books::load(&config.book, config.variant, AskedBy::File).usage()?;
    let mut run = Run::resume(config, book, path).usage()?;
    if run.is_over() {
        console::note("this run is finished: there is nothing left to play");
    } else {
        let config = run.config();
        engines::check_unchanged(&config.engines).usage()?;
        let introductions = config.check_engines().usage()?;
        console::warn_of_options(config, &introductions);
        run.open_tables().usage()?;
    }
    play(KeptRun::resume(run, path, conclusion.report())?, conclusion)
}

/// The configuration that a run folder has.
pub fn read_config(folder: &Path) -> Result<RunConfig> {
    let file = folder.join(run_file::NAME);
    let text = read_text(&file)
        .with_context(|| format!("{}: expected a run folder with a {}", folder.display(), run_file::NAME))?;
    toml::from_str(&text).with_context(|| file.display().to_string())
}

fn play(kept: KeptRun, conclusion: ConclusionArgs) -> CliResult {
    // A part of a run has no verdict.
    let has_sprt = kept.run.config().sprt.is_some() && kept.run.config().is_whole();
    let folder = kept.folder.path().to_owned();
    let conducted = execute(kept)?;
    conclude(&conducted, &folder);
    let Played { summary, reason } = conducted.played();
    let played = RecordedRun::just_played(conducted.state, &folder);
    step_summary::append_run(&played);
    if conclusion.report() {
        write_report(played);
    }
    Ok(exit_code(&summary, &reason, has_sprt, conclusion.strict()))
}

/// Plays until the run is over or is stopped, with the signals and the keyboard to itself.
fn execute(kept: KeptRun) -> Result<Conducted, CliError> {
    conduct(kept, |ordered| {
        control::listen(ordered.handler.clone(), ordered.speaker.clone())?;
        signals::watch(ordered)
    })
}

/// A run as it was left.
#[derive(Debug)]
pub struct Conducted {
    /// What its events came to.
    pub state: RunState,
    /// What was shown of it.
    terminal: Terminal,
    /// Why there are no more games.
    reason: FinishReason,
}

impl Conducted {
    pub fn played(&self) -> Played {
        Played { summary: self.state.summary(), reason: self.reason.clone() }
    }
}

/// Plays until the run is over or is stopped, with a display, and with control from other terminals. `announce` learns
/// of the run before its first game, to bring in orders from elsewhere.
pub fn conduct(
    kept: KeptRun,
    announce: impl FnOnce(ControlledRun) -> io::Result<()>,
) -> Result<Conducted, CliError> {
    let KeptRun { run, mut folder, state } = kept;
    let mut terminal = Terminal::stderr(state.games(), console::wants_colour(&io::stderr()), folder.path());
    let state = SharedState::new(state);
    let control = run.control();
    let cores = run.cores().cloned();
    let handler = ControlHandler::new(control.clone(), state.clone(), folder.path());
    let handler = handler.with_cores(cores).with_live(run.live());
    #[cfg(unix)]
    let _socket = ControlSocket::open(folder.path(), handler.clone()).inspect_err(|error| {
        console::note(&format!("warning: `arbiter control` cannot reach this run: {error:#}"));
    });
    announce(ControlledRun { control, handler, speaker: terminal.speaker() }).fault()?;
    let reason = execute_into(run, &mut folder, &state, |event, state| {
        // A terminal that was closed is no reason to stop.
        let _ = terminal.on_event(event, state);
    })?;
    // Later requests for the status get a copy of the state as it is now.
    let state = state.take();
    Ok(Conducted { state, terminal, reason })
}

/// Plays; each event goes to the state, to the folder, and to `show`.
fn execute_into(
    run: Run,
    folder: &mut RunFolder,
    state: &SharedState,
    mut show: impl FnMut(&Event, &RunState),
) -> Result<FinishReason, CliError> {
    let control = run.control();
    let mut broken: Option<ReportError> = None;
    let reason = run
        .execute(|event| {
            let mut state = state.lock();
            state.update(event);
            // The games are safe in the journal; a full disk stops the run here but loses nothing.
            if let Err(error) = folder.on_event(event, &state) {
                broken.get_or_insert(error);
                control.raise(StopLevel::Abandon);
            }
            show(event, &state);
        })
        .fault()?;
    match broken {
        Some(error) => Err(error).fault(),
        None => Ok(reason),
    }
}

/// Writes the page about a run that was played. Without it nothing is lost, since it can be made again.
pub fn write_report(played: RecordedRun) {
    let folder = played.folder.clone();
    if let Err(error) = RunReport::of(played).write(&folder.join(RunReport::FILE)) {
        console::note(&format!(
            "warning: report.html was not written: {error}; write it with: arbiter report {}",
            folder.display()
        ));
    }
}

/// Prints the summary and what can be done next. A closed pipe is no reason to fail: everything is in the folder.
fn conclude(conducted: &Conducted, folder: &Path) {
    let Conducted { state, terminal, reason } = conducted;
    let mut out = stdout();
    let colour = console::wants_colour(&io::stdout());
    let _ = terminal.write_summary(state, &mut out, colour);
    let folder = folder.display();
    if state.config().spsa.is_some() {
        let _ =
            writeln!(out, "\n  print the values with: arbiter report --tuned options|spec|c|rust {folder}");
    }
    let _ = match reason {
        FinishReason::EngineDoesNotStart { detail, .. } => {
            writeln!(out, "\n  stopped: {detail}\n  saved; continue with: arbiter resume {folder}")
        }
        FinishReason::GaveUp => {
            writeln!(out, "\n  SPRT given up: too few games left to accept H1\n  saved in {folder}")
        }
        FinishReason::Requested => writeln!(out, "\n  saved; continue with: arbiter resume {folder}"),
        _ => writeln!(out, "\n  saved in {folder}"),
    };
}

fn exit_code(summary: &Summary, reason: &FinishReason, has_sprt: bool, strict: bool) -> ExitCode {
    let other_faults: u64 = summary.engines.iter().map(EngineSummary::other_faults).sum();
    match reason {
        FinishReason::EngineDoesNotStart { .. } => ExitCode::EngineBroke,
        _ if strict && other_faults > 0 => ExitCode::EngineBroke,
        FinishReason::AcceptedH0 => ExitCode::Regression,
        FinishReason::Requested | FinishReason::GamesMissing | FinishReason::GaveUp => ExitCode::Inconclusive,
        FinishReason::AllGamesPlayed if has_sprt => verdict_of_tests(summary),
        FinishReason::AcceptedH1 | FinishReason::AllGamesPlayed => ExitCode::Done,
    }
}

/// What the tests say when all games are played: H1 if any of them accepted it, H0 if all did.
fn verdict_of_tests(summary: &Summary) -> ExitCode {
    let count = |status| summary.tests().filter(|(_, sprt)| sprt.status == status).count();
    match (count(SprtStatus::AcceptH1), count(SprtStatus::AcceptH0)) {
        (0, h0) if h0 == summary.tests().count() => ExitCode::Regression,
        (0, _) => ExitCode::Inconclusive,
        _ => ExitCode::Done,
    }
}

/// The engines, as the folder of a run is called after them.
fn run_name(config: &RunConfig) -> String {
    config.engines.iter().map(|engine| file_name(&engine.name)).collect::<Vec<_>>().join("-")
}

/// A name without what file systems do not like.
pub fn file_name(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '@') { c } else { '_' })
        .collect()
}
