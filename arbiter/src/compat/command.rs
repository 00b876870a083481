//! `arbiter fastchess` and `arbiter cutechess`: a tournament from the command line to the exit code.

use std::env;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use referee::Variant;
use runner::process::{EngineError, EngineInfo, Expected, WireLine, WireTap};
use runner::{FinishReason, RunControl, RunPlan, StopLevel, UciSetting};

use super::cutechess_results::formats_text;
use super::dialect_config::Tournament;
use super::engine_options::configured_names;
use super::output::DialectOutput;
use super::pgn_out::clock_text;
use super::temporary_run;
use super::written_files::{LogFile, print_line, say_aside};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, command_line, console, stdout};
use crate::engines::BUILD_OF_ITS_OWN;
use crate::files::new_file;
use crate::options::{SharedArgs, books};
use crate::results::RunResults;
use crate::run::playing::{self, PreparedRun};

const FASTCHESS_HELP: &str = include_str!("fastchess_help.txt");
const CUTECHESS_HELP: &str = include_str!("cutechess_help.txt");

/// The versions whose command line and output we follow. OpenBench asks for at least fastchess 1.8.1.
const FASTCHESS: &str = "fastchess alpha 1.8.2";
const CUTECHESS: &str = "cutechess-cli 1.5.1";

/// The arguments of `arbiter fastchess` and of `arbiter cutechess`.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct DialectArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
    args: Vec<String>,
}

/// The dialect for a program name; a link to `arbiter` or a copy of it may have that name.
pub fn dialect_of_program(name: &OsStr) -> Option<&'static str> {
    match Path::new(name).file_stem()?.to_str()? {
        "fastchess" | "fastchess-ob" => Some("fastchess"),
        "cutechess" | "cutechess-cli" => Some("cutechess"),
        _ => None,
    }
}

impl DialectArgs {
    pub fn run(self, is_cutechess: bool) -> CliResult {
        let args = &self.args[..];
        let (name, help) =
            if is_cutechess { (CUTECHESS, CUTECHESS_HELP) } else { (FASTCHESS, FASTCHESS_HELP) };
        let help = || help.replace("\nExit codes", &(SharedArgs::help_after(help) + "\nExit codes"));
        let said = args.iter().find_map(|word| match &word[..] {
            "-version" | "--version" | "-v" | "--v" => {
                Some(format!("{name} (Arbiter {})\n", env!("CARGO_PKG_VERSION")))
            }
            "-h" | "-help" | "--help" => Some(help()),
            "-engines" | "--engines" if is_cutechess => {
                Some(configured_names().iter().flat_map(|name| [&name[..], "\n"]).collect())
            }
            "-protocols" | "--protocols" if is_cutechess => Some("uci\n".to_owned()),
            "-variants" | "--variants" if is_cutechess => {
                let mut names = Variant::IN_CUTECHESS.map(|(name, _)| name);
                names.sort_unstable();
                Some(names.join("\n") + "\n")
            }
            _ => None,
        });
        let asks_for_formats =
            || is_cutechess && args.windows(2).any(|words| words == ["-resultformat", "help"]);
        let said = said.or_else(|| (args.is_empty() && !is_cutechess).then(help));
        if let Some(text) = said.or_else(|| asks_for_formats().then(formats_text)) {
            stdout().write_all(text.as_bytes()).fault()?;
            return Ok(ExitCode::Done);
        }
        let read = if is_cutechess { Tournament::of_cutechess(args) } else { Tournament::of_fastchess(args) };
        match read.usage().and_then(|tournament| play(&tournament, args)) {
            // The original's wording, stream and exit code.
            Err(error @ CliError::Usage(_)) => {
                if is_cutechess {
                    say_aside(&format!("Warning: {}", error.message()));
                } else {
                    let _ = writeln!(stdout(), "{}", error.message());
                }
                Ok(ExitCode::Regression)
            }
            other => other,
        }
    }
}

/// Parses a command line that begins with the name of the program or with its first option.
pub fn read_line(line: &[String]) -> Result<Tournament> {
    let (dialect, args) = match line.split_first() {
        Some((name, rest)) if !name.starts_with('-') => {
            let dialect = dialect_of_program(name.as_ref());
            let expected =
                || format!("expected fastchess, cutechess-cli or their first option, found `{name}`");
            (Some(dialect.with_context(expected)?), rest)
        }
        _ => (None, line),
    };
    match dialect {
        Some("cutechess") => Tournament::of_cutechess(args),
        _ => Tournament::of_fastchess(args),
    }
}

fn play(tournament: &Tournament, args: &[String]) -> CliResult {
    let begin = Instant::now();
    let mut config = tournament.run_config().usage()?;
    if config.games <= config.skipped {
        return Ok(finish(begin, tournament, false));
    }
    tournament.out().map_or(Ok(()), new_file::check_out).usage()?;
    let book = books::load_from_anywhere(&mut config.book, config.variant).usage()?;
    if let Some(repeats) = books::warning_of_repeats(&config, &book) {
        say_aside(&format!("Warning; {repeats}"));
    }
    let mut plan = RunPlan::new(config).usage()?;
    if let Some(complaint) = plan.open_tables().usage()? {
        say_aside(&format!("Warning{} {complaint}", tournament.mark()));
    }
    let (introductions, refused) = match introduce(&mut plan, tournament.mark()) {
        Ok(introduced) => introduced,
        Err(error) => {
            say_startup_failure(tournament, &error);
            return Ok(finish(begin, tournament, true));
        }
    };
    if tournament.unsaved.is_cutechess {
        // cutechess-cli calls an engine by its `id name`.
        for &engine in &tournament.unsaved.unnamed {
            introductions[engine].name.iter().for_each(|name| plan.rename(engine, name));
        }
    }
    let log = LogFile::open(&tournament.log);
    if let Some(log) = log.as_ref().filter(|_| tournament.log.engine_coms) {
        plan.tap(log.tap().fault()?);
    } else if tournament.unsaved.debug {
        plan.tap(WireTap::new(move |WireLine { engine, process, is_sent, text }| {
            let (at, mark) = (begin.elapsed().as_millis(), if is_sent { '>' } else { '<' });
            let line = format!("{at} {mark}{engine}({process}): {text}\n");
            let _ = stdout().write_all(line.as_bytes());
        }));
    }
    let config = plan.config().clone();
    // Removed when the value is dropped.
    let passing = tournament.out().is_none().then(|| temporary_run::make(&env::temp_dir()));
    let passing = passing.transpose().fault()?;
    let run = match &passing {
        None => PreparedRun::create(plan, book, tournament.out().unwrap_or(Path::new("")), true)?,
        Some(folder) => PreparedRun::passing(plan, book, folder.path())?,
    };
    let (control, games, folder) = (run.run.control(), run.run.games(), run.path.clone());
    let interrupted = stop_on_signals(&control).fault()?;
    let mut output =
        DialectOutput::open(tournament, &config, &introductions, games, log, folder.clone(), control);
    output.begin(&refused);
    let (state, reason) = run.play(&mut [&mut output]).inspect_err(|_| output.save())?;
    let summary = if passing.is_some() {
        state.quick_summary()
    } else {
        let outcome = RunResults::of(state, &folder);
        let summary = outcome.summary.clone();
        playing::write_report(outcome);
        summary
    };
    let is_interrupted = interrupted.load(Ordering::Relaxed);
    if let FinishReason::FileChanged { detail } = &reason {
        output.is_abnormal = true;
        output.print(&format!("Fatal; {detail}; {BUILD_OF_ITS_OWN}"));
    }
    if let FinishReason::EngineDoesNotStart { engine, detail } = &reason {
        output.is_abnormal = true;
        let name = &config.engines[*engine].name;
        output.print(&format!("Fatal; {name} engine startup failure: \"{detail}\""));
    }
    output.end(&summary);
    let is_abnormal = output.is_abnormal || is_interrupted;
    if is_abnormal && !tournament.unsaved.is_cutechess {
        let said = how_to_resume(output.saved(), tournament.out(), args);
        output.print(&said);
    }
    Ok(finish(begin, tournament, is_abnormal))
}

/// Says in the original's words why an engine does not start, and adds what we know in ours.
fn say_startup_failure(tournament: &Tournament, error: &EngineError) {
    let name = match error {
        EngineError::Start { engine, .. }
        | EngineError::Changed { engine, .. }
        | EngineError::Silent { engine, .. }
        | EngineError::Ended { engine, .. }
        | EngineError::Clock { engine, .. }
        | EngineError::Unable { engine, .. }
        | EngineError::Setting { engine, .. } => engine,
    };
    let detail = match error {
        EngineError::Silent {
            expected: expected @ (Expected::Introduction(_) | Expected::Ready(_)),
            timeout,
            ..
        } => {
            let is_cutechess = tournament.unsaved.is_cutechess;
            let option = if is_cutechess { "-each timeoutScaleFactor=N" } else { "-startup-ms N" };
            format!(
                "engine {name}: no {expected} within {} ms; if it needs longer: {option}",
                timeout.as_millis()
            )
        }
        _ => error.to_string(),
    };
    if tournament.unsaved.is_cutechess {
        let said = match error {
            EngineError::Start { program, .. } => {
                format!("Cannot start engine {name}:\nCannot execute command: {}", program.display())
            }
            _ => format!("Could not initialize player {name}: {detail}"),
        };
        say_aside(&format!("Warning: {said}"));
        // cutechess-cli's message gives no reason.
        if let EngineError::Start { .. } = error {
            say_aside(&format!("Warning: {detail}"));
        }
        return;
    }
    let silent = "Engine didn't respond to uciok after startup";
    let said = if error.is_of_introduction() { silent } else { &detail };
    let _ = print_line(tournament, &format!("Fatal; {name} engine startup failure: \"{said}\""));
    if said == silent {
        say_aside(&format!("Info; {detail}"));
    }
}

/// Starts every engine once. As in both programs, an option that an engine lacks or whose value it refuses is left out.
/// Returns the messages about these options, with `separator` before a value.
fn introduce(plan: &mut RunPlan, separator: char) -> Result<(Vec<EngineInfo>, Vec<String>), EngineError> {
    let mut refused = Vec::new();
    loop {
        let error = match plan.introduce() {
            Ok(introductions) => return Ok((introductions, refused)),
            Err(error) => error,
        };
        let EngineError::Setting { engine, source } = &error else { return Err(error) };
        let Some(UciSetting { name, value }) = plan.leave_out(engine, &source.option) else {
            return Err(error);
        };
        refused.push(if source.is_unknown {
            format!("{engine} doesn't have option {name}")
        } else {
            format!("Invalid value for option {name}{separator} {}", value.unwrap_or_default())
        });
    }
}

fn how_to_resume(state: Option<&Path>, folder: Option<&Path>, args: &[String]) -> String {
    // The program, followed by the dialect's name if it was typed.
    let line: Vec<String> = command_line();
    let program = line[..line.len().saturating_sub(args.len())].join(" ");
    let way = match (state, folder) {
        (Some(file), _) => format!("{program} -config file={}", file.display()),
        (None, Some(folder)) => format!("arbiter resume {}", folder.display()),
        (None, None) => return "Tournament was interrupted.".to_owned(),
    };
    format!("Tournament was interrupted. To resume the tournament, run: {way}")
}

/// Abandons the run at SIGINT, as fastchess does, and at SIGTERM, even if the parent process had these signals ignored.
fn stop_on_signals(control: &RunControl) -> io::Result<Arc<AtomicBool>> {
    let (interrupted, control) = (Arc::new(AtomicBool::new(false)), control.clone());
    let flag = Arc::clone(&interrupted);
    console::on_requests(async move |mut requests| {
        loop {
            requests.next().await;
            flag.store(true, Ordering::Relaxed);
            control.raise(StopLevel::Abandon);
        }
    })?;
    Ok(interrupted)
}

/// Prints the last lines and returns the exit code. fastchess returns 0, or 1 if the tournament ended early.
fn finish(begin: Instant, tournament: &Tournament, is_abnormal: bool) -> ExitCode {
    if tournament.unsaved.is_cutechess {
        let _ = writeln!(stdout(), "Finished match");
        return ExitCode::Done;
    }
    let time = clock_text(begin.elapsed());
    let _ = writeln!(stdout(), "Finished match\nTotal Time: {time} (hours:minutes:seconds)\n");
    if is_abnormal { ExitCode::Regression } else { ExitCode::Done }
}
