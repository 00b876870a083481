//! `arbiter fastchess` and `arbiter cutechess`: a tournament from their command line to their exit code.

use std::env;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use runner::process::{EngineError, Introduction, WireLine, WireTap};
use runner::{FinishReason, Run, RunControl, RunPlan, StopLevel, UciSetting};
use tempfile::TempDir;
use tokio::runtime::Builder;

use super::cutechess_results::formats_text;
use super::engines_json;
use super::output::{Output, print_line, say_aside};
use super::passing_folder;
use super::passing_folder::LogFile;
use super::pgn_out::clock_text;
use super::tournament::Tournament;
use crate::cli::{Blame, CliError, CliResult, ExitCode, command_line, stdout};
use crate::files::new_folder;
use crate::options::books;
use crate::run::playing::{self, KeptRun};

/// The manual of a dialect, as it is printed for `-help`.
const FASTCHESS_HELP: &str = include_str!("fastchess_help.txt");
const CUTECHESS_HELP: &str = include_str!("cutechess_help.txt");

/// The version of fastchess whose command line and output this is. OpenBench asks for at least 1.8.1.
const FASTCHESS_VERSION: &str = "1.8.2";
const CUTECHESS_VERSION: &str = "1.5.1";

/// The arguments of `arbiter fastchess`.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct FastchessArgs {
    /// Options of fastchess; -help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
    args: Vec<String>,
}

/// The arguments of `arbiter cutechess`.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct CutechessArgs {
    /// Options of cutechess-cli; -help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
    args: Vec<String>,
}

/// The command of Arbiter that a program of this name is, by a link or a copy.
pub fn dialect_of_program(name: &OsStr) -> Option<&'static str> {
    match Path::new(name).file_stem()?.to_str()? {
        "fastchess" | "fastchess-ob" => Some("fastchess"),
        "cutechess" | "cutechess-cli" => Some("cutechess"),
        _ => None,
    }
}

impl FastchessArgs {
    /// Plays what is asked for.
    pub fn run(self) -> CliResult {
        let version = format!("fastchess alpha {FASTCHESS_VERSION} (Arbiter {})", env!("CARGO_PKG_VERSION"));
        run(&self.args, &version, FASTCHESS_HELP, false)
    }
}

impl CutechessArgs {
    /// Plays what is asked for.
    pub fn run(self) -> CliResult {
        let version = format!("cutechess-cli {CUTECHESS_VERSION} (Arbiter {})", env!("CARGO_PKG_VERSION"));
        run(&self.args, &version, CUTECHESS_HELP, true)
    }
}

fn run(args: &[String], version: &str, help: &str, is_cutechess: bool) -> CliResult {
    let said = args.iter().find_map(|word| match &word[..] {
        "-version" | "--version" | "-v" | "--v" => Some(format!("{version}\n")),
        "-help" | "--help" => Some(help.to_owned()),
        "-engines" | "--engines" if is_cutechess => Some(engines_json::names().join("\n") + "\n"),
        "-protocols" | "--protocols" if is_cutechess => Some("uci\n".to_owned()),
        "-variants" | "--variants" if is_cutechess => Some("fischerandom\nstandard\n".to_owned()),
        _ => None,
    });
    let asks_for_formats = || is_cutechess && args.windows(2).any(|words| words == ["-resultformat", "help"]);
    let said = said.or_else(|| args.is_empty().then(|| help.to_owned()));
    if let Some(text) = said.or_else(|| asks_for_formats().then(formats_text)) {
        stdout().write_all(text.as_bytes()).fault()?;
        return Ok(ExitCode::Done);
    }
    let read = if is_cutechess { Tournament::of_cutechess(args) } else { Tournament::of_fastchess(args) };
    match read.usage().and_then(|tournament| play(&tournament, args)) {
        // In the words, at the place and with the exit code of the original.
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

/// Reads a command line that begins with the name of the program or with its first option.
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

/// Where a run is kept: in the folder that was asked for, or nowhere for long.
enum Place {
    Kept(Box<KeptRun>),
    /// The folder goes away with the value.
    Passing(Box<Run>, TempDir),
}

fn play(tournament: &Tournament, args: &[String]) -> CliResult {
    let begin = Instant::now();
    let mut config = tournament.run_config().usage()?;
    if config.games <= config.skipped {
        return Ok(finish(begin, tournament, false));
    }
    tournament.out.as_deref().map_or(Ok(()), new_folder::check_out).usage()?;
    let book = books::load_from_anywhere(&mut config.book, config.variant).usage()?;
    let mut plan = RunPlan::new(config).usage()?;
    plan.open_tables().usage()?;
    let (introductions, refused) = match introduce(&mut plan, if tournament.is_cutechess { ':' } else { ';' })
    {
        Ok(introduced) => introduced,
        Err(error) => {
            say_startup_failure(tournament, &error);
            return Ok(finish(begin, tournament, true));
        }
    };
    if tournament.is_cutechess {
        // An engine is called as it calls itself.
        for &engine in &tournament.unnamed {
            introductions[engine].name.iter().for_each(|name| plan.rename(engine, name));
        }
    }
    let log = tournament.log.as_ref().map(LogFile::open).transpose().usage()?;
    let logged = log.as_ref().filter(|_| tournament.log.as_ref().is_some_and(|out| out.engine));
    if let Some(log) = logged {
        plan.tap(log.tap().fault()?);
    } else if tournament.debug {
        plan.tap(WireTap::new(move |WireLine { engine, process, is_sent, text }| {
            let (at, mark) = (begin.elapsed().as_millis(), if is_sent { '>' } else { '<' });
            let line = format!("{at} {mark}{engine}({process}): {text}\n");
            let _ = stdout().write_all(line.as_bytes());
        }));
    }
    let config = plan.config().clone();
    let place = if let Some(out) = &tournament.out {
        Place::Kept(Box::new(KeptRun::create(plan, book, out, true)?))
    } else {
        let folder = passing_folder::make(&env::temp_dir()).fault()?;
        Place::Passing(Box::new(plan.start(book, folder.path()).fault()?), folder)
    };
    let (control, games, folder) = match &place {
        Place::Kept(kept) => (kept.control(), kept.games(), kept.path().to_owned()),
        Place::Passing(run, folder) => (run.control(), run.games(), folder.path().to_owned()),
    };
    let interrupted = stop_on_signals(&control).fault()?;
    let mut output = Output::open(tournament, &config, &introductions, games).usage()?;
    (output.log, output.folder) = (log, folder);
    output.control_by(control.clone());
    output.begin(&refused);
    let reason = carry_out(place, &mut output, &control).inspect_err(|_| output.save())?;
    let is_interrupted = interrupted.load(Ordering::Relaxed);
    if let FinishReason::EngineDoesNotStart { engine, detail } = &reason {
        output.is_abnormal = true;
        let name = &config.engines[*engine].name;
        output.print(&format!("Fatal; {name} engine startup failure: \"{detail}\""));
    }
    output.end();
    let is_abnormal = output.is_abnormal || is_interrupted;
    if is_abnormal && !tournament.is_cutechess {
        let said = how_to_resume(output.saved(), tournament.out.as_deref(), args);
        output.print(&said);
    }
    Ok(finish(begin, tournament, is_abnormal))
}

/// Says in the words of the original why an engine does not start, and in ours what is known of it.
fn say_startup_failure(tournament: &Tournament, error: &EngineError) {
    let name = match error {
        EngineError::Start { engine, .. }
        | EngineError::Silent { engine, .. }
        | EngineError::Ended { engine, .. }
        | EngineError::Setting { engine, .. } => engine,
    };
    let detail = error.to_string();
    if tournament.is_cutechess {
        let said = match error {
            EngineError::Start { program, .. } => {
                format!("Cannot start engine {name}:\nCannot execute command: {}", program.display())
            }
            _ => format!("Could not initialize player {name}: {detail}"),
        };
        say_aside(&format!("Warning: {said}"));
        // Theirs does not say why.
        if let EngineError::Start { .. } = error {
            say_aside(&format!("Warning: {detail}"));
        }
        return;
    }
    let silent = "Engine didn't respond to uciok after startup";
    let said = match error {
        EngineError::Silent { expected: "uciok", .. } | EngineError::Ended { expected: "uciok", .. } => {
            silent
        }
        _ => &detail,
    };
    let _ = print_line(tournament, &format!("Fatal; {name} engine startup failure: \"{said}\""));
    if said == silent {
        say_aside(&format!("Info; {detail}"));
    }
}

/// Starts every engine once. An option that an engine does not have, or whose value it does not take, is left out, as in
/// both programs; what they say of it is returned, with `separator` before a value.
fn introduce(plan: &mut RunPlan, separator: char) -> Result<(Vec<Introduction>, Vec<String>), EngineError> {
    let mut refused = Vec::new();
    loop {
        let error = match plan.introduce() {
            Ok(introductions) => return Ok((introductions, refused)),
            Err(error) => error,
        };
        let EngineError::Setting { engine, source } = &error else { return Err(error) };
        let Some(UciSetting { name, value }) = plan.leave_out(engine, source.option()) else {
            return Err(error);
        };
        refused.push(if source.is_unknown() {
            format!("{engine} doesn't have option {name}")
        } else {
            format!("Invalid value for option {name}{separator} {}", value.unwrap_or_default())
        });
    }
}

/// What is said of a tournament that ended early: how to go on from its state file or its run folder, if it has one.
fn how_to_resume(state: Option<&Path>, folder: Option<&Path>, args: &[String]) -> String {
    // The program, with the dialect's name if that was typed.
    let line: Vec<String> = command_line();
    let program = line[..line.len().saturating_sub(args.len())].join(" ");
    let way = match (state, folder) {
        (Some(file), _) => format!("{program} -config file={}", file.display()),
        (None, Some(folder)) => format!("arbiter resume {}", folder.display()),
        (None, None) => return "Tournament was interrupted.".to_owned(),
    };
    format!("Tournament was interrupted. To resume the tournament, run: {way}")
}

/// Plays to the end. A file that cannot be written stops the run.
fn carry_out(place: Place, output: &mut Output<'_>, control: &RunControl) -> Result<FinishReason, CliError> {
    let mut broken: Option<anyhow::Error> = None;
    let mut show = |event: &runner::Event| {
        if let Err(error) = output.on_event(event) {
            broken.get_or_insert(error);
            control.raise(StopLevel::Abandon);
        }
    };
    let reason = match place {
        Place::Passing(run, _folder) => run.execute(show).fault()?,
        Place::Kept(kept) => {
            let (outcome, reason) = kept.play(|event, _| show(event))?;
            playing::write_report(outcome);
            reason
        }
    };
    match broken {
        Some(error) => Err(error).fault(),
        None => Ok(reason),
    }
}

/// Abandons the run at an interrupt, as fastchess does, and at a request to end. The handlers hold even if the signal was
/// ignored by whoever started us.
fn stop_on_signals(control: &RunControl) -> io::Result<Arc<AtomicBool>> {
    let (interrupted, control) = (Arc::new(AtomicBool::new(false)), control.clone());
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let flag = Arc::clone(&interrupted);
    let mut signals = {
        let _guard = runtime.enter();
        Signals::listen()?
    };
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            while signals.next().await {
                flag.store(true, Ordering::Relaxed);
                control.raise(StopLevel::Abandon);
            }
        });
    })?;
    Ok(interrupted)
}

/// The signals that end a run.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    fn listen() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "the same signature on every system")]
    fn listen() -> io::Result<Signals> {
        Ok(Signals {})
    }

    /// Waits for one of them; false when none will come.
    #[cfg(unix)]
    async fn next(&mut self) -> bool {
        let received = tokio::select! {
            received = self.interrupt.recv() => received,
            received = self.terminate.recv() => received,
        };
        received.is_some()
    }

    #[cfg(not(unix))]
    #[expect(clippy::needless_pass_by_ref_mut, reason = "the same signature on every system")]
    async fn next(&mut self) -> bool {
        tokio::signal::ctrl_c().await.is_ok()
    }
}

/// The last words, and the exit codes: those of fastchess are 0, or 1 when something ended the tournament early.
fn finish(begin: Instant, tournament: &Tournament, is_abnormal: bool) -> ExitCode {
    if tournament.is_cutechess {
        let _ = writeln!(stdout(), "Finished match");
        return ExitCode::Done;
    }
    let time = clock_text(begin.elapsed());
    let _ = writeln!(stdout(), "Finished match\nTotal Time: {time} (hours:minutes:seconds)\n");
    if is_abnormal { ExitCode::Regression } else { ExitCode::Done }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Command lines from public scripts and READMEs, with other engines and files, the number of games that the original
    /// plays, and the project that has the script.
    const PUBLIC: [(&str, u32, &str); 22] = [
        ("cutechess-cli E -each tc=40/60 -rounds 30 -games 2 -repeat -pgnout m.pgn", 60, "R2Chess"),
        (
            "cutechess-cli E -each book=no.bin timemargin=1500 st=0.25 -resign movecount=10 score=600 -rounds 2 -pgnout t.pgn \
          -epdout t.epd -debug",
            2,
            "rivalchess",
        ),
        (
            "cutechess-cli E -each tc=100+5 restart=on -rounds 64 -concurrency 12 -sprt elo0=0 elo1=100 alpha=0.05 beta=0.05 \
          -openings file=B plies=8 -debug",
            64,
            "100elo",
        ),
        (
            "cutechess-cli E -each tc=1+0.8 -games 100 -openings file=B format=epd order=random -repeat 1 -pgnout c.pgn \
          -concurrency 15",
            100,
            "o9",
        ),
        (
            "cutechess-cli E -each option.Hash=32 depth=7 tc=inf -rounds 1 -concurrency 2 -openings file=B format=pgn order=random \
          plies=6 -pgnout x.pgn",
            1,
            "carp",
        ),
        ("cutechess-cli E -games 10 -each tc=40/60 -debug", 10, "prawn"),
        (
            "cutechess-cli E -each timemargin=400 tc=100/8+0.08 -rounds 300000 -concurrency 60 -openings file=B format=pgn \
          -pgnout s.pgn fi",
            300_000,
            "viridithas",
        ),
        (
            "cutechess-cli E -each tc=8+0.08 option.Hash=32 -games 2 -rounds 1000 -repeat -concurrency 8 -openings file=B \
          format=epd order=random -pgnout p.pgn -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 -ratinginterval 10",
            2000,
            "Maelstrom",
        ),
        (
            "cutechess-cli -srand 12345 -pgnout games.pgn -repeat -recover -tournament gauntlet -rounds 500000 -concurrency 3 \
          -ratinginterval 50 -draw movenumber=50 movecount=5 score=20 -openings file=B format=pgn order=random E \
          -each timemargin=60000 tc=40/2+0.05",
            500_000,
            "combusken",
        ),
        (
            "cutechess-cli E -each tc=inf nodes=1 book=no.bin bookdepth=4 -games 2 -rounds 2500 -repeat 2 -sprt elo0=0 elo1=20 \
          alpha=0.05 beta=0.05 -maxmoves 200 -ratinginterval 10 -concurrency 5 -pgnout g.pgn -debug",
            5000,
            "lotisa",
        ),
        (
            "cutechess-cli E -each st=1 timemargin=500 -rounds 40 -repeat -concurrency 5 -pgnout o.pgn",
            40,
            "OrbisChessEngine.jl",
        ),
        ("cutechess-cli E -each tc=inf depth=4 -games 20 -repeat", 20, "Aleph"),
        ("cutechess-cli E -each tc=300+3 timemargin=5000 -games 4 -pgnout t.pgn -recover", 4, "ChessCoach"),
        (
            "cutechess-cli -tournament gauntlet -concurrency 1 -pgnout o.pgn -engine cmd=a st=1.0 timemargin=100 -engine cmd=b st=1.0 \
          timemargin=20 -each proto=uci -openings file=B policy=round -repeat -rounds 100 -games 2 -draw movenumber=40 \
          movecount=4 score=8 -resign movecount=4 score=500",
            200,
            "rchess",
        ),
        (
            "cutechess-cli -debug E -each tc=0/1+2 timemargin=1000 -openings file=B -repeat -pgnout g.pgn min -recover -wait 1000 \
          -concurrency 1 -resign movecount=6 score=800 -games 2 -rounds 10",
            20,
            "pygone",
        ),
        (
            "cutechess-cli -concurrency 1 E -each nodes=300 timemargin=5 restart=auto -openings file=B format=epd order=random \
          -rounds 5 -games 2 -repeat -recover -debug -pgnout out.pgn",
            10,
            "chess-tuning-tools",
        ),
        (
            "fastchess E -each tc=10+0.1 -rounds 4 -games 2 -repeat -concurrency 1 -pgnout file=c.pgn append=true -log file=f.log \
          engine=true realtime=true",
            8,
            "node-tlcv",
        ),
        (
            "fastchess E -each tc=8+0.08 -rounds 15000 -repeat -concurrency 1 -recover -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05",
            30_000,
            "oxid",
        ),
        (
            "fastchess E -concurrency 1 -each tc=8+0.08 -rounds 100 -repeat -recover -openings file=B format=pgn -sprt elo0=-10 \
          elo1=0 alpha=0.05 beta=0.05 -pgnout file=l.pgn timeleft=true -log file=i.log engine=true",
            200,
            "perftmaster",
        ),
        (
            "fastchess E -each tc=10+0.1 option.Hash=16 option.Threads=1 proto=uci -openings file=B format=epd order=random -repeat \
          -games 2 -rounds 30000 -concurrency 1 -recover -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -ratinginterval 200",
            60_000,
            "wreckless",
        ),
        ("fastchess E -each proto=uci tc=30+1 -rounds 10 -games 2", 20, "sunfish"),
        (
            "fastchess E -each tc=10+1.0 proto=uci -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05 -rounds 5000 -repeat -concurrency 1 \
          -recover -draw movenumber=30 movecount=6 score=15 -resign movecount=3 score=500",
            10_000,
            "TCE",
        ),
    ];

    #[test]
    fn public_command_lines_are_taken() {
        for (line, games, project) in PUBLIC {
            let line = line
                .replace(" E ", " -engine cmd=a proto=uci -engine cmd=b ")
                .replace("file=B", "file=Cargo.toml");
            let words = shlex::split(&line).unwrap();
            let tournament = read_line(&words).map_err(|error| format!("{project}: {error}")).unwrap();
            assert_eq!(tournament.rounds * tournament.games, games, "{project}");
        }
    }
}
