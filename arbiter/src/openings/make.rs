//! `arbiter openings make`: a new book, evaluated by an engine.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Args;
use indicatif::ProgressBar;

use super::evaluator::WorkEnd;
use super::maker::{
    GameLines, GuidedPlay, MadeOpenings, OpeningRecipe, OpeningRejection, OpeningSource, make_openings,
};
use super::{NewBook, command_line, parse_range, parse_side};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console};
use crate::engines::{self, EngineSpec, session};
use crate::files::NewFile;
use crate::text::Tally;
use crate::text::number_text::{counted, thousands};
use referee::Side;
use referee::openings::{BookFormat, BookListing, BookOptions, EvalRange, ListedOpening};
use runner::EngineConfig;

const GAMES_OF_A_RUN: &str = "games.pgn";

const COMMENT_WIDTH: usize = 110;

#[derive(Debug, Args)]
pub struct MakeArgs {
    /// The engine that evaluates the openings and chooses the random moves; give it one thread
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    /// The new book, .epd or .pgn; the file must not exist yet
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Take the openings from these games instead of random play: a PGN file or a run folder
    #[arg(long, value_name = "PATH")]
    games: Vec<PathBuf>,

    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    /// Plies per opening: at least A and at most B
    #[arg(long, value_name = "A..B", value_parser = parse_range, default_value = "8..16")]
    plies: (u32, u32),

    /// Keep openings with this advantage in centipawns: at least A and at most B
    #[arg(long, value_name = "A..B", value_parser = parse_range, default_value = "0..60")]
    eval_range: (u32, u32),

    /// The side with this advantage [default: either side]
    #[arg(long, value_name = "white|black", value_parser = parse_side)]
    favours: Option<Side>,

    /// Nodes for the eval of an opening
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Nodes for the choice of a move, and for a first eval that rejects openings far out of range
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    choice_nodes: u64,

    /// Choose each random move from the engine's N best moves (`MultiPV`)
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with = "games")]
    multipv: u32,

    /// Choose only moves at most CP centipawns worse than the best; better moves are more likely
    #[arg(long, value_name = "CP", default_value_t = 60, conflicts_with = "games")]
    tolerance: u32,

    /// Treat a position and its mirror image (colours swapped) as duplicates
    #[arg(long)]
    mirrored: bool,

    /// Random seed; the same seed makes the same book
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Number of engine processes; it does not change the book
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
}

impl MakeArgs {
    pub fn run(self) -> CliResult {
        let format = NewBook::of_path(&self.file).usage()?;
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let recipe = self.recipe().usage()?;
        let version = self.try_engine(&engine).usage()?;
        let file = NewFile::reserve(&self.file).usage()?;
        let stop = console::stop_flag().fault()?;
        let progress = ProgressBar::new(u64::from(self.count));
        let start = || session::start(&engine);
        let visit = |openings| progress.set_position(openings as u64);
        let made = make_openings(&recipe, self.concurrency.into(), &stop, start, visit);
        progress.finish_and_clear();
        if made.openings.is_empty() {
            return self.nothing_made(&made);
        }
        let header = self.header(&version, &recipe, &made, format);
        let text = format.text(&header, &made.openings).fault()?;
        file.finish(&text).of_path()?;
        let (name, openings) = (self.file.display(), counted(made.openings.len() as u64, "opening"));
        console::note(&format!("{name}: {openings} from {}", attempts(&made.tally)));
        if let Some(shortfall) = self.shortfall(&made) {
            console::note(&shortfall);
        }
        Ok(match made.end {
            WorkEnd::Enough => ExitCode::Done,
            WorkEnd::AllDone | WorkEnd::Stopped => ExitCode::Inconclusive,
            WorkEnd::Failed(_) => ExitCode::EngineBroke,
        })
    }

    fn recipe(&self) -> anyhow::Result<OpeningRecipe> {
        let (least, most) = self.eval_range;
        let source = if self.games.is_empty() {
            OpeningSource::Guided(GuidedPlay {
                multipv: self.multipv,
                nodes: self.choice_nodes,
                tolerance: self.tolerance,
                max_advantage: most,
            })
        } else {
            OpeningSource::Games(GameLines::new(read_games(&self.games, self.plies.1)?, self.seed))
        };
        Ok(OpeningRecipe {
            source,
            plies: self.plies,
            eval_range: EvalRange { least, most, favours: self.favours },
            first_eval_nodes: self.choice_nodes,
            eval_nodes: self.nodes,
            seed: self.seed,
            count: self.count as usize,
            mirrored_is_same: self.mirrored,
        })
    }

    /// Checks that the engine starts and has the required options. Returns the engine's own name for itself.
    fn try_engine(&self, engine: &EngineConfig) -> anyhow::Result<String> {
        let mut session = session::introduce(engine)?;
        if self.games.is_empty() {
            session.set_option("MultiPV", Some(&self.multipv.to_string()))?;
        }
        let name = session.introduction().name.clone().unwrap_or_else(|| engine.name.clone());
        session.quit();
        Ok(name)
    }

    fn nothing_made(&self, made: &MadeOpenings) -> CliResult {
        let found_none = format!("no opening found in {}", attempts(&made.tally));
        match &made.end {
            WorkEnd::Failed(error) => {
                console::note(&format!("{found_none}; {error:#}"));
                Ok(ExitCode::EngineBroke)
            }
            WorkEnd::Stopped => {
                console::note(&format!("interrupted; {found_none}; {} was not written", self.file.display()));
                Ok(ExitCode::Inconclusive)
            }
            WorkEnd::Enough | WorkEnd::AllDone => {
                Err(CliError::Usage(anyhow!("{found_none}; use a wider --eval-range or other --plies")))
            }
        }
    }

    fn shortfall(&self, made: &MadeOpenings) -> Option<String> {
        let cause = match &made.end {
            WorkEnd::Enough => return None,
            WorkEnd::AllDone if self.games.is_empty() => main_reason(&made.tally),
            WorkEnd::AllDone => "the games have no other openings".to_owned(),
            WorkEnd::Stopped => "interrupted".to_owned(),
            WorkEnd::Failed(error) => format!("the engine failed ({error:#})"),
        };
        let (made, wanted) = (thousands(made.openings.len() as u64), thousands(u64::from(self.count)));
        Some(format!("{made} of {wanted} openings: {cause}"))
    }

    fn header(
        &self,
        engine: &str,
        recipe: &OpeningRecipe,
        made: &MadeOpenings,
        format: NewBook,
    ) -> Vec<String> {
        let (fewest, most) = recipe.plies;
        let (openings, arbiter) = (thousands(made.openings.len() as u64), env!("CARGO_PKG_VERSION"));
        let origin = match &recipe.source {
            OpeningSource::Guided(play) => format!(
                "Random play from the start position: each move was chosen at random from the {} best moves of \
                 {engine} at {} nodes, at most {} centipawns worse than the best; better moves were likelier.",
                play.multipv,
                thousands(play.nodes),
                play.tolerance
            ),
            OpeningSource::Games(games) => {
                format!("Taken from {} games.", thousands(games.games.len() as u64))
            }
        };
        let also = if self.mirrored { " or to its mirror image with colours swapped" } else { "" };
        let evals = format!(
            "Evaluated by {engine} at {} nodes, each opening as a new game; evals of {}. No two openings lead to the \
             same position{also}. Seed {}.",
            thousands(recipe.eval_nodes),
            recipe.eval_range,
            recipe.seed
        );
        let mut header = vec![
            format!("{openings} openings of {fewest} to {most} plies, made by Arbiter {arbiter}:"),
            command_line(),
            String::new(),
        ];
        header.extend(textwrap::wrap(&origin, COMMENT_WIDTH).into_iter().map(Cow::into_owned));
        header.extend(textwrap::wrap(&evals, COMMENT_WIDTH).into_iter().map(Cow::into_owned));
        header.extend(self.shortfall(made));
        header.push(format.legend().to_owned());
        header
    }
}

/// Why most lines were rejected: `of 120 lines tried 40 were with an eval out of range`.
fn main_reason(tally: &Tally<OpeningRejection>) -> String {
    let most = tally.rejected.iter().max_by_key(|(_, count)| **count);
    let reason = most.map(|(reason, count)| format!("{} were {reason}", thousands(*count)));
    format!("of {} lines tried {}", thousands(tally.seen), reason.unwrap_or_default())
}

/// `120 lines tried (3 too short, 5 in check, 40 with an eval out of range, 2 duplicates)`
fn attempts(tally: &Tally<OpeningRejection>) -> String {
    let reasons = if tally.rejected.is_empty() { String::new() } else { format!(" ({tally})") };
    format!("{} tried{reasons}", counted(tally.seen, "line"))
}

/// The first `most_plies` plies of all games. Games that cannot be read are skipped and named in a warning.
fn read_games(paths: &[PathBuf], most_plies: u32) -> anyhow::Result<Vec<ListedOpening>> {
    let options = BookOptions { max_plies: Some(most_plies as usize), ..BookOptions::default() };
    let mut games = Vec::new();
    for path in paths {
        let path = pgn_of(path)?;
        let mut listing = BookListing::load(&path, &options)?;
        let skipped = listing.skip_faults()?;
        console::warn_of_skipped(&listing.name, "game", &skipped);
        games.append(&mut listing.openings);
    }
    Ok(games)
}

fn pgn_of(path: &Path) -> anyhow::Result<PathBuf> {
    let pgn = if path.is_dir() { path.join(GAMES_OF_A_RUN) } else { path.to_owned() };
    if !pgn.is_file() || BookFormat::of_path(&pgn) != Some(BookFormat::Pgn) {
        bail!("--games {}: expected a PGN file, or a run folder with {GAMES_OF_A_RUN}", path.display());
    }
    Ok(pgn)
}
