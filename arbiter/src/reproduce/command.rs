//! The `arbiter reproduce` command: which game is replayed, how often, and how the outcome is reported.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use runner::untrusted_files::refuse_links_below;
use runner::{BAD_GAMES_FOLDER, duration_text};

use super::game_script::{self, GameScript};
use super::least;
use super::log_reader::Log;
use super::replay::{self, Fault, Manner, replay};
use super::script::{Head, Script, SentLine, Symptoms};
use super::tries::{SameRate, Tries};
use crate::cli::{CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines::{self, EngineSpec};
use crate::files::{beside, new_file, write_named, write_whole};
use crate::options::RunProgramsArgs;
use crate::results::ending;
use crate::text::number_text::counted;

#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// A run folder, a log of Arbiter, fastchess (engine=true) or cutechess-cli (-debug), or a file of --least
    #[arg(value_name = "RUN|FILE")]
    source: PathBuf,

    /// The number of the game in the run folder
    game: Option<u32>,

    /// The engine of a log, or another build to try [default: the engine of the run]
    #[arg(long, value_name = "ENGINE")]
    engine: Option<EngineSpec>,

    #[command(flatten)]
    programs: RunProgramsArgs,

    /// Another build of the same revision, `[builds.NAME]` in the manifest; then every fault and error report counts
    #[arg(long, value_name = "NAME", conflicts_with = "engine")]
    build: Option<String>,

    /// The player whose lines are sent [default: the engine at fault in a run, the last engine to search in a log]
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Start at this move of the last game: after the handshake and options, send its position
    #[arg(long, value_name = "MOVE")]
    at: Option<u32>,

    /// Number of tries
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    tries: u32,

    /// Send the lines at once, without the pauses of the game
    #[arg(long)]
    fast: bool,

    /// Number of concurrent tries
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,

    /// Time to wait for an answer if no clock limits it [default: as in the run]
    #[arg(long, value_name = "TIME", value_parser = read_time)]
    stall: Option<Duration>,

    /// Find a minimal reproducer that shows the fault as often, and write it to a file
    #[arg(long)]
    least: bool,

    /// The file for --least, replaced if it exists [default: bad/GAME.least in the run folder, FILE.least]
    #[arg(long, value_name = "FILE", requires = "least")]
    out: Option<PathBuf>,

    /// Minutes to look for the minimal reproducer, approximately
    #[arg(long, value_name = "N", default_value_t = 10, requires = "least")]
    minutes: u64,
}

fn read_time(text: &str) -> Result<Duration, String> {
    duration_text::parse(text).ok_or_else(|| "expected a time such as 500ms or 5s".to_owned())
}

/// The outcome of a script's tries.
#[derive(Debug, Default)]
struct Outcome {
    tries: Tries,
    /// How many had the same sign and place as well.
    same: u32,
    kinds: BTreeMap<String, u32>,
    others: u32,
    excused: u32,
    /// The first fault that matches.
    example: Option<Fault>,
}

impl ReproduceArgs {
    pub fn run(self) -> CliResult {
        let GameScript { mut script, title, place } = self.read().usage()?;
        if let Some(number) = self.at {
            script = script.beginning_at(number).usage()?;
        }
        if let Some(stall) = self.stall {
            script.head.timeouts.stall = stall;
        }
        let mut out = stdout();
        let (lines, searches) = (counted(script.lines.len() as u64, "line"), script.searches());
        let length = format!(
            "{}: {lines}, {searches} search{} in {}",
            script.head.engine.name,
            if searches == 1 { "" } else { "es" },
            counted(script.games() as u64, "game")
        );
        writeln!(out, "{title}\n{length}").fault()?;
        let stop = console::stop_flag().fault()?;
        let outcome = self.attempt(&script, &stop, true);
        writeln!(out, "{}", outcome.text(&script.head.fault)).fault()?;
        let Some(example) = outcome.example.clone() else {
            return Ok(match &outcome {
                Outcome { others: 1.., .. } => ExitCode::EngineBroke,
                Outcome { tries: Tries { played: 0, .. }, .. } => ExitCode::Inconclusive,
                _ => ExitCode::Done,
            });
        };
        if self.least {
            // Looks for the exact sign and place only if they make up half of the faults of this kind.
            let is_frequent = outcome.same * 2 >= outcome.tries.came;
            let kind = Symptoms { kind: example.what.kind, ..Symptoms::default() };
            script.head.fault = if is_frequent { example.what } else { kind };
            let text = self.shrink(&script, outcome.tries, &stop).fault()?;
            let written = match &self.out {
                Some(file) => write_named(file, &text),
                // The log folder may be a link to another place.
                None => refuse_links_below(&self.source, &place).and_then(|()| write_whole(&place, &text)),
            };
            let file = self.out.clone().unwrap_or(place);
            written.with_context(|| file.display().to_string()).usage()?;
            let shown: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
            writeln!(
                out,
                "{}: {} of {}",
                file.display(),
                counted(shown.len() as u64, "line"),
                script.lines.len()
            )
            .fault()?;
            for line in shown.iter().take(20) {
                writeln!(out, "  {line}").fault()?;
            }
            writeln!(out, "Again: arbiter reproduce {} --run-programs", file.display()).fault()?;
        } else {
            writeln!(out, "For a minimal reproducer, repeat the command with --least").fault()?;
        }
        Ok(ExitCode::Regression)
    }

    /// Reads the script to play.
    fn read(&self) -> Result<GameScript> {
        let source = &self.source;
        let mut game = match run_and_game(source) {
            Some((run, number)) => game_script::of_game(run, self.game.or(number), self.player.as_deref())?,
            None if source.is_dir() => bail!("{}: expected a run folder or a log", source.display()),
            None => self.read_file(source).with_context(|| source.display().to_string())?,
        };
        if let Some(build) = &self.build {
            let head = &mut game.script.head;
            if head.engine.revision.is_none() {
                console::note(&format!("{} is built from the working tree as it is now", head.engine.name));
            }
            let spec = engines::other_build(&head.engine, build)?;
            head.engine = engines::resolve(&spec, &mut console::announce_build)?;
            // Another build may fail in another way.
            head.fault = Symptoms::default();
        } else if let Some(spec) = &self.engine {
            game.script.head.engine = engines::resolve(spec, &mut console::announce_build)?;
        } else if engines::check_unchanged(std::slice::from_ref(&game.script.head.engine)).is_err() {
            let engine = &game.script.head.engine;
            if !engine.program.is_file() {
                bail!("{} no longer exists; name another program with --engine", engine.program.display());
            }
            console::note(&format!("warning: {} has changed since the run", engine.program.display()));
        }
        if self.engine.is_none() && self.build.is_none() {
            let engine = std::slice::from_ref(&game.script.head.engine);
            self.programs.check(
                &source.display().to_string(),
                engine,
                "; or name an engine with --engine",
            )?;
        }
        Ok(game)
    }

    fn read_file(&self, file: &Path) -> Result<GameScript> {
        let text = String::from_utf8_lossy(&fs::read(file)?).into_owned();
        let script = if Script::is_script(&text) {
            Script::parse(&text)?
        } else {
            let log = Log::read(&text);
            let engine = log.engine(self.player.as_deref())?;
            let mut lines = log.lines_of(&engine);
            // The log may lack the handshake.
            if !lines.iter().any(|line| line.word() == "uci") {
                lines.insert(0, SentLine::new("uci"));
            }
            let Some(spec) = &self.engine else {
                bail!("a log does not say how {engine} was started: expected --engine ENGINE");
            };
            let mut head = Head::of_engine(engines::resolve(spec, &mut console::announce_build)?, log.fault);
            head.timemargin = spec.settings.engine.time_margin.unwrap_or_default();
            Script { head, lines }
        };
        if script.lines.is_empty() {
            bail!("expected lines for an engine, found none");
        }
        Ok(GameScript { script, title: file.display().to_string(), place: beside(file, ".least") })
    }

    fn manner(&self, expected: &Symptoms) -> Manner {
        Manner { is_fast: self.fast, concurrency: self.concurrency.into(), reports: expected.kind.is_none() }
    }

    /// Plays a script as often as `--tries` says.
    fn attempt(&self, script: &Script, stop: &AtomicBool, is_told: bool) -> Outcome {
        let mut outcome = Outcome::default();
        replay(script, self.tries, self.manner(&script.head.fault), |fault, time| {
            if is_told {
                let what = fault.as_ref().map_or_else(|| "no fault".to_owned(), ToString::to_string);
                let number = outcome.tries.played + outcome.excused + 1;
                console::note(&format!("try {number}, {:.1} s: {what}", time.as_secs_f64()));
            }
            outcome.add(fault, time, &script.head.fault);
            if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        outcome
    }

    /// The text of the minimal reproducer, in which the fault is as frequent as in `known`.
    fn shrink(&self, script: &Script, known: Tries, stop: &Arc<AtomicBool>) -> Result<String> {
        let until = Instant::now() + Duration::from_mins(self.minutes);
        let expected = &script.head.fault;
        let mut accepted = vec![script.clone()];
        let mut comes = |candidate: &Script| {
            let mut rate = SameRate::new(known);
            let (most, mut answer) = (rate.left, None);
            if Instant::now() >= until || stop.load(Ordering::Relaxed) {
                return false;
            }
            replay(candidate, most, self.manner(expected), |fault, _| {
                let is_excused = fault.as_ref().is_some_and(|fault| fault.excused);
                if !is_excused {
                    answer = rate.add(fault.is_some_and(|fault| fault.is(expected)));
                }
                let is_over = answer.is_some() || stop.load(Ordering::Relaxed);
                if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if answer == Some(true) {
                accepted.push(candidate.clone());
                console::note(&format!("still with {}", counted(candidate.lines.len() as u64, "line")));
            }
            answer == Some(true)
        };
        least::least(script, &mut comes);
        if Instant::now() >= until {
            console::note(&format!("time is up (--minutes {}); it may not be minimal", self.minutes));
        }
        // Undoes simplifications that were accepted by chance.
        loop {
            let best = accepted.pop().unwrap_or_else(|| script.clone());
            let outcome = self.attempt(&best, stop, false);
            let is_seldom = u64::from(outcome.tries.came) * u64::from(known.played) * 3
                < u64::from(known.came) * u64::from(outcome.tries.played);
            if is_seldom && !accepted.is_empty() && !stop.load(Ordering::Relaxed) {
                continue;
            }
            let said = format!("{}: {}", best.head.engine.name, outcome.text(expected));
            let mut comments: Vec<String> = said.lines().map(str::to_owned).collect();
            comments.push(
                "Lines with # are comments: paste the others, or type arbiter reproduce FILE --run-programs."
                    .to_owned(),
            );
            if let Some(fault) = outcome.example {
                comments.extend(fault.words);
                let is_by_signal = fault.what.sign.is_some_and(|sign| sign.contains("signal"));
                comments.extend(if is_by_signal { replay::stack(&best) } else { Vec::new() });
            }
            return best.text(&comments);
        }
    }
}

/// The run folder, and the game's number if the path names one of the folder's logs.
fn run_and_game(path: &Path) -> Option<(&Path, Option<u32>)> {
    if new_file::is_run(path) {
        return Some((path, None));
    }
    let folder = path.parent().filter(|folder| folder.ends_with(BAD_GAMES_FOLDER))?.parent()?;
    let number = path.file_name()?.to_str()?.strip_suffix(".log")?.parse().ok()?;
    new_file::is_run(folder).then_some((folder, Some(number)))
}

impl Outcome {
    fn add(&mut self, fault: Option<Fault>, time: Duration, expected: &Symptoms) {
        let label = fault.as_ref().map_or_else(|| "no fault".to_owned(), ToString::to_string);
        *self.kinds.entry(label).or_default() += 1;
        let Some(fault) = fault else { return self.tries.add(false, time) };
        if fault.excused {
            self.excused += 1;
            return;
        }
        let came = expected.kind.is_none_or(|kind| fault.what.kind == Some(kind));
        self.tries.add(came, time);
        self.others += u32::from(!came);
        if came {
            let example = self.example.get_or_insert_with(|| fault.clone());
            let wanted = if expected.sign.is_some() { expected.clone() } else { example.what.clone() };
            if fault.is(&wanted) {
                self.same += 1;
                // A fault with the wanted sign replaces an example of the same kind.
                if !example.is(&wanted) {
                    *example = fault;
                }
            }
        }
    }

    /// How often the fault came, and the other outcomes, the most frequent first.
    fn text(&self, expected: &Symptoms) -> String {
        let what = expected.kind.map_or_else(|| "any fault".to_owned(), ending::label);
        let mut text = format!("Looked for: {what}. {}", self.tries.text());
        let mut kinds: Vec<(&String, &u32)> = self.kinds.iter().collect();
        kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (kind, count) in kinds {
            let _ = write!(text, "\n{count:>5}  {kind}");
        }
        text
    }
}
