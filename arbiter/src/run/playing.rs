//! Plays a run from its configuration to its exit code; `match`, `run`, `resume` and every series of runs end here.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use super::machines::note_machine;
use super::{run_file, values_test};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines;
use crate::engines::session::CHESS960;
use crate::engines::speed_at_once;
use crate::files::{forget_drafts, new_file};
use crate::folder::RunFolder;
use crate::live::control::{self, ControlHandler, ControlSocket, CurrentRun};
use crate::live::progress::Terminal;
use crate::options::ConclusionArgs;
use crate::options::books::{self, AskedBy};
use crate::report::markdown::markdown;
use crate::report::page::RunReport;
use crate::report::verdict::{Verdict, end_words};
use crate::results::{EngineSummary, Observer, RunResults, RunState, SharedState, Summary, observers};
use crate::text::number_text::{counted, elo_bounds, limits_of_run, rules_of_run};
use referee::openings::Book;
use runner::process::{ClockKind, EngineError, EngineInfo};
use runner::untrusted_files::read_text;
use runner::{
    BookOrder, EngineConfig, FinishReason, PoolConfig, PoolPlace, ProtocolName, Run, RunConfig, RunPlan,
    TimeScale,
};

/// Starts every engine once, so that a failed start or a refused value shows before the first game, and records each
/// engine's own name. Warns of options that an engine lacks or complains about.
pub fn introduce(plan: &mut RunPlan) -> Result<Vec<EngineInfo>> {
    let introductions = plan.introduce().map_err(|error| {
        let unknown = match &error {
            EngineError::Setting { source, .. } if source.is_unknown => Some(source.option.as_str()),
            _ => None,
        };
        let is_ended = matches!(&error, EngineError::Ended { .. }) && error.is_of_introduction();
        let way = if unknown == Some(CHESS960) {
            "; without it, the engine does not play Chess960"
        } else if unknown.is_some() {
            "; to send it anyway: --allow-unknown"
        } else if is_ended {
            "; if it speaks xboard's protocol, write :proto=xboard behind its name"
        } else {
            ""
        };
        anyhow!("{error}{way}")
    })?;
    console::warn_of_options(plan.config(), &introductions);
    if let Some(speed) = speed_here(plan.config())? {
        plan.scale_time(speed);
    }
    Ok(introductions)
}

/// The time of each search that measures the speed by which time limits are scaled.
const SCALE_SEARCH: Duration = Duration::from_millis(300);

/// The speed by which the time limits of a run are scaled, in nodes per second, while as many processes search as games are
/// played at once; `None` if they are not scaled.
fn speed_here(config: &RunConfig) -> Result<Option<f64>> {
    let speed = |engine: usize| {
        speed_at_once(&config.engines[engine], config.concurrency, SCALE_SEARCH)
            .context("the speed for --scale-to")
    };
    config.scaled_by().map(speed).transpose()
}

/// Starts one engine as the workers of a run do, so that a build that cannot play is found before its first match.
pub fn check_alone(run: &RunConfig, engine: &EngineConfig) -> Result<(), EngineError> {
    let alone = RunConfig { engines: vec![engine.clone()], ..run.clone() };
    Arc::new(alone).check_engines().map(drop)
}

/// Uses CPU time for a run with clocks if all engines support it; otherwise prints why not.
pub fn prefer_processor_time(config: &mut RunConfig) {
    if !config.is_timed() || !cfg!(target_os = "linux") {
        return;
    }
    let timed = Arc::new(RunConfig { clock: ClockKind::Cpu, ..config.clone() });
    match timed.check_engines() {
        Ok(_) => config.clock = ClockKind::Cpu,
        Err(error @ EngineError::Clock { .. }) => console::note(&format!("wall-clock time is used: {error}")),
        // Other problems with an engine show when it plays.
        Err(_) => {}
    }
}

pub fn start(plan: RunPlan, book: Book, out: Option<&Path>, conclusion: ConclusionArgs) -> CliResult {
    let path = folder_of(plan.config(), out);
    let kept = begin(plan, book, &path, conclusion.report())?;
    play(kept, conclusion)
}

pub(super) fn folder_of(config: &RunConfig, out: Option<&Path>) -> PathBuf {
    out.map_or_else(|| new_file::below_results(&run_name(config)), Path::to_owned)
}

/// A run that can be played, and the state that results from its events.
#[derive(Debug)]
pub struct PreparedRun {
    pub run: Run,
    state: SharedState,
    pub path: PathBuf,
    /// The files in its folder; `None` if only the journal is written there.
    files: Option<RunFolder>,
}

impl PreparedRun {
    /// Creates the folder and the run in it. If there will be a page, its facts are gathered from the start.
    pub fn create(
        mut plan: RunPlan,
        book: Book,
        path: &Path,
        with_page: bool,
    ) -> Result<PreparedRun, CliError> {
        warn_of_tables(plan.open_tables().usage()?);
        let state = state_of(plan.config(), with_page);
        let files = Some(RunFolder::create(path, &state).of_path()?);
        let mut run = plan.start(book, path).of_path()?;
        note_machine(&mut run).usage()?;
        Ok(PreparedRun { run, state: SharedState::new(state), path: path.to_owned(), files })
    }

    /// A run that keeps only its journal, in a folder that exists.
    pub fn passing(plan: RunPlan, book: Book, path: &Path) -> Result<PreparedRun, CliError> {
        let state = SharedState::new(state_of(plan.config(), false));
        let run = plan.start(book, path).fault()?;
        Ok(PreparedRun { run, state, path: path.to_owned(), files: None })
    }

    pub fn resume(mut run: Run, path: &Path, with_page: bool) -> Result<PreparedRun, CliError> {
        note_machine(&mut run).usage()?;
        let mut state = state_of(run.config(), with_page);
        for event in &run.past {
            state.update(event);
        }
        let files = Some(RunFolder::resume(path, &state, run.finished()).of_path()?);
        Ok(PreparedRun { run, state: SharedState::new(state), path: path.to_owned(), files })
    }

    /// Plays the run. The files in its folder are written before `others` hear of an event.
    pub fn play(self, others: &mut [&mut dyn Observer]) -> Result<(RunState, FinishReason), CliError> {
        let PreparedRun { run, state, mut files, .. } = self;
        let files = files.iter_mut().map(|files| files as &mut dyn Observer);
        let mut all: Vec<_> = files.chain(others.iter_mut().map(|other| &mut **other as _)).collect();
        let reason = observers::play(run, &state, &mut all).fault()?;
        // Later requests for the status get a copy of the state as it is now.
        Ok((state.take(), reason))
    }
}

fn warn_of_tables(complaint: Option<String>) {
    if let Some(complaint) = complaint {
        console::note(&format!("warning: {complaint}; games continue without them"));
    }
}

fn state_of(config: &RunConfig, with_page: bool) -> RunState {
    let state = RunState::new(config.clone());
    if with_page { state.with_facts() } else { state }
}

/// The outcome of a run that was played as part of something larger, finished or not.
#[derive(Debug)]
pub struct NestedRun {
    pub summary: Summary,
    pub reason: FinishReason,
}

impl NestedRun {
    /// Writes the page of a finished run, unless `--no-report` was given.
    pub(super) fn of(
        (outcome, reason, _): (RunResults, FinishReason, Terminal),
        with_page: bool,
    ) -> NestedRun {
        let summary = outcome.summary.clone();
        if with_page {
            write_report(outcome);
        }
        NestedRun { summary, reason }
    }

    pub fn is_stopped(&self) -> bool {
        self.reason == FinishReason::Requested
    }
}

/// Plays a run into a folder, for a caller that reports the outcome itself.
pub fn play_into(plan: RunPlan, book: Book, path: &Path) -> Result<NestedRun, CliError> {
    Ok(NestedRun::of(conduct(begin(plan, book, path, true)?, control::listen)?, true))
}

fn begin(plan: RunPlan, book: Book, path: &Path, with_page: bool) -> Result<PreparedRun, CliError> {
    let description = books::describe(&book);
    let repeats = books::warning_of_repeats(plan.config(), &book);
    let kept = PreparedRun::create(plan, book, path, with_page)?;
    console::note(&description);
    console::note(&conditions(kept.run.config()));
    if let Some(repeats) = repeats {
        console::note(&format!("warning: {repeats}"));
    }
    // In a tuning run, the options being tuned differ in every pair.
    if kept.run.config().spsa.is_none() {
        warn_of_same_players(&kept.run.config().engines);
    }
    Ok(kept)
}

/// Warns of engines that cannot differ, for example because somebody forgot to build the new one.
fn warn_of_same_players(engines: &[EngineConfig]) {
    for (index, engine) in engines.iter().enumerate() {
        if let Some(other) = engines[..index].iter().find(|other| other.is_same_player(engine)) {
            let (name, other) = (&engine.name, &other.name);
            console::note(&format!(
                "warning: {other} and {name} are the same program with the same options: only chance separates them"
            ));
        }
    }
}

/// One line that describes a run: `10+0.1; 200 games, 2 at once; openings balanced.epd, seed 7; no adjudication`.
pub fn conditions(config: &RunConfig) -> String {
    let (most, games) = match config.list {
        Some(_) => ("at most ", ""),
        None => ("", if config.engines.len() > 2 { " of each pairing" } else { "" }),
    };
    let seed = match config.book.order {
        BookOrder::Sequential => String::new(),
        BookOrder::Random | BookOrder::Fastchess => format!(", seed {}", config.book.seed),
    };
    let parts = [
        Some(limits_of_run(config)),
        config.sprt.map(|test| format!("SPRT {}", elo_bounds(&test))),
        Some(format!(
            "{most}{}{games}, {} at once",
            counted(config.games.into(), "game"),
            config.concurrency
        )),
        Some(format!("openings {}{seed}", config.book.path.display())),
        Some(rules_of_run(config).unwrap_or_else(|| "no adjudication".to_owned())),
        options_of_engines(config),
        engines_of_xboard(config),
        config.shard.zip(config.pool.as_ref()).map(|(shard, pool)| match &pool.place {
            PoolPlace::Folder(folder) => format!("shard {shard}, pool {}", folder.display()),
            PoolPlace::Command(_) => format!("shard {shard}, pool by a command"),
            PoolPlace::Pipe => format!("shard {shard}, pool on standard input and output"),
        }),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// `crafty by xboard's protocol`.
fn engines_of_xboard(config: &RunConfig) -> Option<String> {
    let engines = config.engines.iter().filter(|engine| engine.protocol == Some(ProtocolName::Xboard));
    let names: Vec<&str> = engines.map(|engine| &engine.name[..]).collect();
    (!names.is_empty()).then(|| format!("{} by xboard's protocol", names.join(", ")))
}

/// `tarrasch Hash=16`: the options in use, wherever they were set.
fn options_of_engines(config: &RunConfig) -> Option<String> {
    let options = |engine: &EngineConfig| {
        let options: Vec<String> = engine.options.iter().map(ToString::to_string).collect();
        (!options.is_empty()).then(|| options.join(", "))
    };
    let first = options(config.engines.first()?);
    if config.engines.iter().all(|engine| options(engine) == first) {
        return first;
    }
    let named =
        config.engines.iter().filter_map(|engine| Some(format!("{} {}", engine.name, options(engine)?)));
    Some(named.collect::<Vec<_>>().join("; "))
}

/// `pool_by` is the command of the pool, which is in no file.
pub fn resume(path: &Path, conclusion: ConclusionArgs, pool_by: Option<&str>) -> CliResult {
    let mut config = read_config(path).usage()?;
    match (config.pool.as_mut().map(|pool| &mut pool.place), pool_by) {
        (_, None) => {}
        (Some(PoolPlace::Command(command)), Some(given)) => given.clone_into(command),
        (_, Some(_)) => return Err(anyhow!("--pool-by: expected a shard with a pool by a command")).usage(),
    }
    // A merged run has no speed, since its machines differ.
    if config.scale.as_ref().is_some_and(|scale| scale.here.is_none()) {
        let here = speed_here(&config).usage()?;
        config.scale = config.scale.map(|scale| TimeScale { here, ..scale });
    }
    let book = books::load(&config.book, config.variant, AskedBy::File).usage()?;
    let mut run = Run::resume(config, book, path).usage()?;
    if run.is_over() {
        if run.config().values_test.is_none() {
            console::note("this run is finished: there is nothing left to play");
        }
    } else {
        let config = run.config();
        if config.pool.as_ref().is_some_and(PoolConfig::lacks_its_command) {
            let folder = path.display();
            return Err(anyhow!(
                "{folder}: the command of the pool was not saved, since it may hold a token; give it again: arbiter resume \
                 {folder} --pool-by COMMAND"
            ))
            .usage();
        }
        engines::check_unchanged(&config.engines).usage()?;
        let introductions = config.check_engines().usage()?;
        console::warn_of_options(config, &introductions);
        warn_of_tables(run.open_tables().usage()?);
        console::note(&conditions(run.config()));
    }
    play(PreparedRun::resume(run, path, conclusion.report())?, conclusion)
}

pub fn read_config(folder: &Path) -> Result<RunConfig> {
    run_file::refuse_games(folder)?;
    let file = folder.join(run_file::NAME);
    let text = read_text(&file)
        .with_context(|| format!("{}: expected a run folder with a {}", folder.display(), run_file::NAME))?;
    run_file::parse_config(&text).with_context(|| file.display().to_string())
}

/// A run, or its missing games, in a folder that may have been begun before.
pub(super) fn prepare(config: &RunConfig, folder: &Path, with_page: bool) -> Result<PreparedRun, CliError> {
    let book = books::load(&config.book, config.variant, AskedBy::File).usage()?;
    if new_file::is_run(folder) {
        let config = read_config(folder).usage()?;
        let run = Run::resume(config.clone(), book, folder).usage()?;
        if !run.is_over() {
            engines::check_unchanged(&config.engines).usage()?;
        }
        return PreparedRun::resume(run, folder, with_page);
    }
    // A run that was killed in its first moments leaves at most a draft of its configuration.
    forget_drafts(&folder.join(run_file::NAME));
    if folder.exists() {
        new_file::check_out(folder).usage()?;
    }
    let mut plan = RunPlan::new(config.clone()).usage()?;
    // The previous runs may have taken long.
    engines::check_unchanged(&config.engines).usage()?;
    introduce(&mut plan).usage()?;
    PreparedRun::create(plan, book, folder, with_page)
}

/// Plays a run, and after a tuning the test of its values.
fn play(kept: PreparedRun, conclusion: ConclusionArgs) -> CliResult {
    let at_play = CurrentRun::listening(None).fault()?;
    let (code, test) = play_one(kept, conclusion, &at_play)?;
    let Some((config, folder)) = test else { return Ok(code) };
    console::note(&format!("the values are tested: {}", conditions(&config)));
    let kept = prepare(&config, &folder, conclusion.report())?;
    play_one(kept, conclusion, &at_play).map(|(code, _)| code)
}

/// Returns the exit code, and the run that is to follow with its folder.
fn play_one(
    kept: PreparedRun,
    conclusion: ConclusionArgs,
    at_play: &CurrentRun,
) -> Result<(ExitCode, Option<(RunConfig, PathBuf)>), CliError> {
    let is_whole = kept.run.config().is_whole();
    let conducted = conduct(kept, |handler| {
        at_play.set(Some(handler));
        Ok(())
    });
    at_play.set(None);
    let (outcome, reason, terminal) = conducted?;
    conclude(&outcome, &reason, &terminal);
    append_run(&outcome);
    let faults: u64 = outcome.summary.engines.iter().map(EngineSummary::other_faults).sum();
    let judged = match Verdict::of_run(&outcome.summary, &reason) {
        _ if conclusion.strict && faults > 0 => Verdict::Broken,
        // A part of a run has no verdict.
        _ if reason == FinishReason::AllGamesPlayed && !is_whole => Verdict::Same,
        judged => judged,
    };
    let test = values_test::of_tuning(&outcome, &reason);
    if conclusion.report() {
        write_report(outcome);
    }
    Ok((judged.exit_code(), test))
}

/// Plays until the run is over or stopped, with a display and with control from other terminals. `announce` gets the
/// handler of the run before the first game, so that commands from elsewhere can reach it.
pub(super) fn conduct(
    kept: PreparedRun,
    announce: impl FnOnce(ControlHandler) -> io::Result<()>,
) -> Result<(RunResults, FinishReason, Terminal), CliError> {
    let (run, path) = (&kept.run, kept.path.clone());
    let games = kept.state.lock().games();
    let mut terminal = Terminal::stderr(games, console::wants_colour(&io::stderr()), &path);
    let mut handler = ControlHandler::new(run.control(), kept.state.clone(), &path);
    handler.cores = run.cores().cloned();
    handler.live = Some(run.live());
    handler.speaker = terminal.speaker();
    let _socket = ControlSocket::open(&path, handler.clone()).inspect_err(|error| {
        console::note(&format!("warning: `arbiter control` cannot reach this run: {error:#}"));
    });
    announce(handler).fault()?;
    let (state, reason) = kept.play(&mut [&mut terminal])?;
    Ok((RunResults::of(state, &path), reason, terminal))
}

/// Writes the page of a finished run. A failure loses nothing, because the page can be written again.
pub fn write_report(outcome: RunResults) {
    let folder = outcome.folder.clone();
    if let Err(error) = RunReport::of(outcome).write(&folder.join(RunReport::FILE)) {
        console::note(&format!(
            "warning: report.html was not written: {error}; write it with: arbiter report {}",
            folder.display()
        ));
    }
}

/// Prints the summary and what can be done next. A closed pipe is no error, because everything is in the folder.
fn conclude(outcome: &RunResults, reason: &FinishReason, terminal: &Terminal) {
    let mut out = stdout();
    let colour = console::wants_colour(&io::stdout());
    let _ = terminal.write_summary(outcome, &mut out, colour);
    let folder = outcome.folder.display();
    if outcome.config.spsa.is_some() {
        let forms = "options|spec|c|rust|diff";
        let _ = writeln!(out, "\n  print the values with: arbiter report --tuned {forms} {folder}");
    }
    let _ = match reason {
        FinishReason::FileChanged { detail } => writeln!(
            out,
            "\n  stopped: {detail}\n  saved; restore the file and continue with: arbiter resume {folder}\n  {}",
            engines::BUILD_OF_ITS_OWN
        ),
        FinishReason::EngineDoesNotStart { detail, .. } => {
            writeln!(out, "\n  stopped: {detail}\n  saved; continue with: arbiter resume {folder}")
        }
        FinishReason::GaveUp => writeln!(out, "\n  {}\n  saved in {folder}", end_words(reason)),
        FinishReason::Requested => writeln!(out, "\n  saved; continue with: arbiter resume {folder}"),
        _ => writeln!(out, "\n  saved in {folder}"),
    };
}

pub fn run_name(config: &RunConfig) -> String {
    config.engines.iter().map(|engine| file_name(&engine.name)).collect::<Vec<_>>().join("-")
}

pub fn file_name(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '@') { c } else { '_' })
        .collect()
}

/// The variable with the file to which a step of a GitHub Actions workflow may append Markdown; GitHub shows it on the
/// page of the job (docs.github.com, "Workflow commands for GitHub Actions").
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Appends the result of a run to that file, if there is one. A failure is only noted, since nothing else depends on it.
pub fn append_run(run: &RunResults) {
    if env::var_os(STEP_SUMMARY).is_some() {
        append_text(&markdown(std::slice::from_ref(run)));
    }
}

pub fn append_text(text: &str) {
    let Some(file) = env::var_os(STEP_SUMMARY).filter(|file| !file.is_empty()) else { return };
    let opened = OpenOptions::new().append(true).create(true).open(&file);
    if let Err(error) = opened.and_then(|mut file| writeln!(file, "{text}")) {
        console::note(&format!("no step summary: {}: {error}", Path::new(&file).display()));
    }
}
