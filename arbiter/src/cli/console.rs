//! Notes that commands print while they prepare, and Ctrl-C for work that keeps its results when it is stopped.

use std::cmp::Reverse;
use std::env;
use std::io::{self, IsTerminal, Stderr, Stdout, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use console::Term;
use referee::openings::{Guesses, Skipped};
use runner::RunConfig;
use runner::process::EngineInfo;
use serde::Serialize;

use super::error::{CliError, ExitCode, OrExitCode};
use crate::text::number_text::{counted, plain_minus, thousands};
use crate::text::wrapped::wrapped;
use crate::text::{Document, Line, Printable};

pub fn announce_build(engine: &str) {
    note(&format!("building {engine} …"));
}

/// Repeats what an engine said while its options were set, such as that a file does not exist.
pub fn warn_of_remarks(engine: &str, introduction: &EngineInfo) {
    for remark in &introduction.remarks {
        note(&format!("warning: engine {engine}: {remark}"));
    }
}

/// Warns of options that an engine does not have (probably a typo, and no reason not to play), and repeats what engines
/// said about the others.
pub fn warn_of_options(config: &RunConfig, introductions: &[EngineInfo]) {
    for (engine, introduction) in introductions.iter().enumerate() {
        warn_of_options_of(config, engine, introduction);
    }
}

pub fn warn_of_options_of(config: &RunConfig, engine: usize, introduction: &EngineInfo) {
    let name = &config.engines[engine].name;
    for unknown in config.unknown_options(engine, introduction) {
        note(&format!("warning: engine {name}: {unknown}"));
    }
    warn_of_remarks(name, introduction);
}

pub fn note_torn_line(folder: &Path, torn_line: Option<usize>) {
    if let Some(line) = torn_line {
        note(&format!(
            "warning: {}: line {line} of the journal is cut off and was ignored",
            folder.display()
        ));
    }
}

pub fn warn_of_zeros(file: &str, lines: usize) {
    if lines > 0 {
        let lines = counted(lines as u64, "line");
        note(&format!("warning: {file}: {lines} with zero bytes, which are left out"));
    }
}

/// Counts the lines or games of a file that were skipped, and names the first few.
pub fn warn_of_skipped(file: &str, kind: &str, skipped: &Skipped) {
    let why = match skipped.ended {
        0 => "skipped, which cannot be read",
        ended if ended == skipped.count => "skipped, because the game is over there",
        _ => "skipped, which cannot be read or where the game is over",
    };
    warn_of_each(file, kind, why, skipped);
    let mut variants: Vec<(&String, u64)> =
        skipped.variants.iter().map(|(name, &count)| (name, count as u64)).collect();
    variants.sort_by_key(|(_, count)| Reverse(*count));
    let named = variants.iter().enumerate().map(|(place, (name, count))| match place {
        0 => format!("{} of {name}", counted(*count, "game")),
        _ => format!("{} of {name}", thousands(*count)),
    });
    if !variants.is_empty() {
        note(&format!("warning: {file}: {} skipped", named.collect::<Vec<_>>().join(", ")));
    }
    note_guesses(file, &skipped.guesses);
}

/// Says what a reader guessed about a file, with the evidence.
pub fn note_guesses(file: &str, guesses: &Guesses) {
    if let Some(first) = &guesses.first_word {
        let words = counted(guesses.words as u64, "word");
        note(&format!(
            "note: {file}: {words} among the moves skipped; the move numbers show that none is missing: {first}"
        ));
    }
    for (language, &games) in &guesses.languages {
        let games = counted(games as u64, "game");
        note(&format!(
            "note: {file}: {games} read with the {language} letters of the pieces, in which the moves are legal"
        ));
    }
}

pub fn note_unreachable(file: &str, unreachable: &Skipped) {
    warn_of_each(file, "position", "that no game reaches, but that can be played", unreachable);
}

/// Counts the games of a file that are used only up to a faulty move, and names the first few.
pub fn warn_of_cut(file: &str, cut: &Skipped) {
    warn_of_each(file, "game", "with a fault, read up to it", cut);
}

pub fn warn_of_each(file: &str, kind: &str, what: &str, lines: &Skipped) {
    if lines.count > 0 {
        note(&format!("warning: {file}: {} {what}:", counted(lines.count as u64, kind)));
        lines.first.iter().for_each(|line| note(&format!("  {line}")));
        if lines.count > lines.first.len() {
            note("  …");
        }
    }
}

/// Standard output. A terminal gets colours, but no other control sequences.
pub fn stdout() -> Printable<Stdout> {
    let stdout = io::stdout();
    let is_terminal = stdout.is_terminal();
    Printable::new(stdout, is_terminal)
}

/// The text of a document for standard output, wrapped to the width of a terminal.
pub fn text_for_stdout(document: Document, colour: bool) -> String {
    let terminal = Term::stdout();
    if !terminal.is_term() {
        return document.terminal(colour);
    }
    let width = usize::from(terminal.size().1);
    let text = document.within(width).terminal(colour);
    if text.is_empty() { text } else { wrapped(&text, width) + "\n" }
}

pub fn show(document: Document) -> io::Result<()> {
    stdout().write_all(text_for_stdout(document, wants_colour(&io::stdout())).as_bytes())
}

/// Prints a report on standard output, as JSON or as a document.
pub fn answer<R: Serialize>(
    report: &R,
    is_json: bool,
    document: impl FnOnce(&R) -> Document,
) -> Result<(), CliError> {
    if is_json {
        writeln!(stdout(), "{}", serde_json::to_string_pretty(report).fault()?).fault()
    } else {
        show(document(report)).fault()
    }
}

/// Prints lines, unless the output is JSON.
pub fn say<L: Into<Line>>(is_json: bool, lines: impl IntoIterator<Item = L>) -> Result<(), CliError> {
    let mut document = Document::default();
    document.lines(lines);
    if is_json { Ok(()) } else { show(document).fault() }
}

pub fn stderr() -> Printable<Stderr> {
    let stderr = io::stderr();
    let is_terminal = stderr.is_terminal();
    Printable::new(stderr, is_terminal)
}

/// Prints one line on standard error; errors of writing are ignored.
pub fn note(text: &str) {
    let _ = writeln!(stderr(), "  {}", plain_minus(text));
}

/// Whether a stream should have colours: it is a terminal, and the user has not set `NO_COLOR` (no-color.org).
pub fn wants_colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The paths without duplicates. Warns of each path that leads to the same file or folder as an earlier one.
pub fn distinct_paths(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut seen = Vec::new();
    let mut distinct = Vec::new();
    for path in paths {
        // A missing file is reported when it is read.
        let place = path.canonicalize().unwrap_or_else(|_| path.clone());
        if seen.contains(&place) {
            note(&format!("warning: {}: given twice, counted once", path.display()));
        } else {
            seen.push(place);
            distinct.push(path);
        }
    }
    distinct
}

/// A flag that the first request to stop sets; the second request ends the program and its engines.
pub fn stop_flag() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    on_requests(async move |mut requests| {
        requests.next().await;
        raised.store(true, Ordering::Relaxed);
        note("stopping; press Ctrl-C again to quit without the results so far");
        requests.next().await;
        process::exit(ExitCode::Inconclusive as i32);
    })?;
    Ok(flag)
}

/// Answers requests to stop on a thread of its own.
pub fn on_requests(answer: impl AsyncFnOnce(Requests) + Send + 'static) -> io::Result<()> {
    let runtime = runner::process::new_runtime()?;
    let requests = {
        let _guard = runtime.enter();
        Requests::listen()?
    };
    thread::Builder::new().name("interrupts".to_owned()).spawn(move || runtime.block_on(answer(requests)))?;
    Ok(())
}

/// Requests to stop the program: SIGINT and SIGTERM, or on Windows Ctrl-C and Ctrl-Break.
pub struct Requests {
    #[cfg(unix)]
    interrupts: [tokio::signal::unix::Signal; 2],
    #[cfg(windows)]
    interrupts: (tokio::signal::windows::CtrlC, tokio::signal::windows::CtrlBreak),
}

impl Requests {
    /// Must be called in a tokio runtime.
    pub fn listen() -> io::Result<Requests> {
        #[cfg(unix)]
        let interrupts = {
            use tokio::signal::unix::{SignalKind, signal};
            [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?]
        };
        #[cfg(windows)]
        let interrupts = (tokio::signal::windows::ctrl_c()?, tokio::signal::windows::ctrl_break()?);
        Ok(Requests { interrupts })
    }

    pub async fn next(&mut self) {
        #[cfg(unix)]
        let [first, second] = &mut self.interrupts;
        #[cfg(windows)]
        let (first, second) = &mut self.interrupts;
        tokio::select! {
            _ = first.recv() => {}
            _ = second.recv() => {}
        }
    }
}
