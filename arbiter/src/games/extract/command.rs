//! `arbiter games extract PGN|DIR… --out FILE`: quiet positions of games with their results, for tuning an evaluation.

use std::env;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::mem;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use runner::process::EngineError;
use runner::{PositionLine, SearchTask};
use uci::{Go, ScoreValue};

use super::collector::{QuietCollector, QuietFilter, QuietPosition, QuietRecipe};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, command_line, console};
use crate::engines::{self, EngineSession, EngineSpec, session};
use crate::files::NewFile;
use crate::games::finished_games;
use crate::text::number_text::counted;

#[derive(Debug, Args)]
pub struct ExtractArgs {
    /// The games: PGN files, also as .gz, .zst, .bz2, .tar or .zip, and run folders
    ///
    /// Standard chess and Chess960 (by the Variant tag, or else by the position). With --score-by, Chess960 games are skipped.
    /// Scores come from the comments, in the forms of cutechess, fastchess, TCEC, lichess and others.
    #[arg(required = true, value_name = "PGN|DIR")]
    sources: Vec<PathBuf>,

    /// The new EPD file; it must not exist yet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Maximum number of positions per game, chosen at random from its quiet ones
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    per_game: u32,

    /// Skip N plies after the opening (in PGN files: after the moves marked by comments such as {book})
    #[arg(long, value_name = "N", default_value_t = 8)]
    skip: u16,

    /// Only positions with this player to move; may be repeated
    #[arg(long = "engine", value_name = "NAME")]
    engines: Vec<String>,

    /// Skip positions with a mate score or a score beyond ±CP centipawns
    #[arg(long, value_name = "CP", default_value_t = 2000, value_parser = clap::value_parser!(i32).range(1..))]
    max_score: i32,

    /// Random seed; the same seed chooses the same positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Stop after N positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// Score the positions with this engine, instead of taking the players' scores: NAME, NAME@REV or a path, with
    /// :Option=value,…
    #[arg(long, value_name = "ENGINE")]
    score_by: Option<EngineSpec>,

    /// Nodes per position, for --score-by
    #[arg(
        long, value_name = "N", default_value_t = 1000, requires = "score_by",
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    nodes: u64,

    /// Number of engine processes, for --score-by
    #[arg(
        long, value_name = "N", default_value_t = 1, requires = "score_by",
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    concurrency: u16,
}

impl ExtractArgs {
    pub fn run(self) -> CliResult {
        let file = NewFile::reserve(&self.out).usage()?;
        let mut output = PositionsOutput::new(file.open().fault()?, self.scorers()?).fault()?;
        let mut collector = QuietCollector::new(self.recipe());
        // Engines that score are not told the variant, so Chess960 is left out.
        let with_chess960 = self.score_by.is_none();
        let players = finished_games::visit(&self.sources, with_chess960, |number, game| {
            let found = collector.collect(number, game)?;
            output.add(found, &mut collector);
            let is_over = output.failure.is_some() || collector.is_full();
            Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        let players = players.usage()?;
        // If the reading stopped early, not all players have been seen.
        if !collector.is_full() && output.failure.is_none() {
            finished_games::check_players(&self.engines, &players).usage()?;
        }
        let output = match output.finish(&mut collector) {
            Ok(output) => output,
            Err(failure) => return failure,
        };
        file.finish_opened(output).of_path()?;
        let tally = &collector.tally;
        console::note(&format!("{}: {}", self.out.display(), counted(tally.kept, "position")));
        tally.to_string().lines().for_each(console::note);
        Ok(ExitCode::Done)
    }

    fn scorers(&self) -> Result<Option<Scorers>, CliError> {
        let Some(engine) = &self.score_by else { return Ok(None) };
        let engine = engines::resolve(engine, &mut console::announce_build).usage()?;
        let sessions = (0..self.concurrency).map(|_| session::start(&engine)).collect::<Result<_, _>>();
        Ok(Some(Scorers { sessions: sessions.usage()?, nodes: self.nodes, max_score: self.max_score }))
    }

    fn recipe(&self) -> QuietRecipe {
        QuietRecipe {
            per_game: self.per_game as usize,
            skip_plies: usize::from(self.skip),
            players: self.engines.clone(),
            max_score: self.max_score,
            seed: self.seed,
            limit: self.limit.map_or(usize::MAX, |limit| limit as usize),
        }
    }
}

/// The output file, and the engines that score positions before they are written, if any.
struct PositionsOutput {
    file: BufWriter<File>,
    scorers: Option<Scorers>,
    waiting: Vec<QuietPosition>,
    progress: ProgressBar,
    /// The failure or stop after which nothing more is written.
    failure: Option<CliResult>,
}

impl PositionsOutput {
    /// Writes the header: how the file was made and what is in it.
    fn new(mut file: BufWriter<File>, scorers: Option<Scorers>) -> io::Result<PositionsOutput> {
        let command = command_line()[1..].join(" ");
        writeln!(file, "# Quiet positions of games, extracted by Arbiter {}:", env!("CARGO_PKG_VERSION"))?;
        writeln!(file, "# arbiter {command}")?;
        let source = if scorers.is_some() { "the engine of --score-by" } else { "the player to move" };
        writeln!(
            file,
            "# ce: the score by {source}, in centipawns for the side to move. c9: the result of the game."
        )?;
        let progress = if scorers.is_some() { ProgressBar::no_length() } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("  {pos} positions scored in {elapsed}, {per_sec}");
        progress.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Ok(PositionsOutput { file, scorers, waiting: Vec::new(), progress, failure: None })
    }

    fn add(&mut self, found: Vec<QuietPosition>, collector: &mut QuietCollector) {
        self.waiting.extend(found);
        if self.waiting.len() >= self.scorers.as_ref().map_or(0, Scorers::batch) {
            self.write_waiting(collector);
        }
    }

    fn write_waiting(&mut self, collector: &mut QuietCollector) {
        let positions = mem::take(&mut self.waiting);
        let count = positions.len();
        let scored = match &mut self.scorers {
            Some(scorers) => scorers.score(positions).map_err(|error| {
                console::note(&format!("--score-by: {error}; no file was written"));
                Ok(ExitCode::EngineBroke)
            }),
            None => Ok(positions),
        };
        self.progress.inc(count as u64);
        let written = scored.and_then(|positions| {
            collector.reject_kept(count - positions.len(), QuietFilter::LargeNewScore);
            collector.note_without_score(&positions);
            let mut lines = positions.iter();
            lines
                .try_for_each(|position| writeln!(self.file, "{position}"))
                .map_err(|error| Err(error).fault())
        });
        self.failure = written.err();
    }

    /// Writes the remaining positions and returns the file.
    fn finish(mut self, collector: &mut QuietCollector) -> Result<BufWriter<File>, CliResult> {
        if self.failure.is_none() {
            self.write_waiting(collector);
        }
        self.progress.finish_and_clear();
        if let Some(scorers) = self.scorers {
            scorers.sessions.into_iter().for_each(EngineSession::quit);
        }
        self.failure.map_or(Ok(self.file), Err)
    }
}

/// The timeout of a search; a few thousand nodes are usual.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Processes of one engine that score positions in parallel.
struct Scorers {
    sessions: Vec<EngineSession>,
    nodes: u64,
    /// The maximum score of either side, in centipawns.
    max_score: i32,
}

impl Scorers {
    /// A number of positions that keeps all processes busy for some seconds.
    fn batch(&self) -> usize {
        1024 * self.sessions.len()
    }

    /// The positions with the engine's scores, in their order, without mates and scores above the limit.
    fn score(&mut self, positions: Vec<QuietPosition>) -> Result<Vec<QuietPosition>, EngineError> {
        let share = positions.len().div_ceil(self.sessions.len()).max(1);
        let Scorers { sessions, nodes, .. } = self;
        let scores: Vec<Result<Vec<Option<i32>>, EngineError>> = thread::scope(|scope| {
            let parts = positions.chunks(share).zip(sessions);
            let workers: Vec<_> =
                parts.map(|(part, session)| scope.spawn(|| score_all(session, part, *nodes))).collect();
            // If a worker's scores were missing, the next worker's scores would be assigned to its positions.
            let join = |worker: thread::ScopedJoinHandle<_>| {
                worker.join().unwrap_or_else(|panic| resume_unwind(panic))
            };
            workers.into_iter().map(join).collect()
        });
        let scores = scores.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
        let is_open = |score: &i32| score.abs() <= self.max_score;
        let scored = positions.into_iter().zip(scores).filter_map(|(position, score)| {
            Some(QuietPosition { score: Some(score.filter(is_open)?), ..position })
        });
        Ok(scored.collect())
    }
}

/// Searches one position after another, without clearing the hash table: that would take longer than the searches.
fn score_all(
    session: &mut EngineSession,
    positions: &[QuietPosition],
    nodes: u64,
) -> Result<Vec<Option<i32>>, EngineError> {
    session.new_game()?;
    positions.iter().map(|position| score(session, &position.board, nodes)).collect()
}

/// The last score of a search, in centipawns for the side to move; `None` for a mate or without a score.
fn score(session: &mut EngineSession, board: &str, nodes: u64) -> Result<Option<i32>, EngineError> {
    let go = Go { nodes: Some(nodes), ..Go::default() };
    let mut last = None;
    let position = PositionLine::from_fen(format!("{board} 0 1"));
    let _ = session.watch_search(SearchTask::Of(&position, &go), TIMEOUT, |info| {
        if let Some(score) = info.score.filter(|_| info.multipv.is_none_or(|number| number == 1)) {
            last = Some(score.value);
        }
    })?;
    Ok(match last {
        Some(ScoreValue::Centipawns(score)) => Some(score),
        _ => None,
    })
}
