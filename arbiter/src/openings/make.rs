//! `arbiter openings make`: a new book, judged by an engine.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{anyhow, bail};
use clap::Args;
use indicatif::ProgressBar;

use super::{NewBook, command_line, grouped, parse_range, parse_side};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stop_flag};
use crate::engines;
use crate::engines::{EngineSpec, sessions};
use crate::files::NewFile;
use crate::openings::making::{
    AttemptTally, GameLines, GuidedPlay, MadeOpenings, MakingEnd, MakingPlan, OpeningRecipe, OpeningSource,
    make_openings,
};
use referee::openings::{Band, BookFormat, BookListing, BookOptions, ListedOpening};
use referee::{Side, Variant};
use runner::EngineConfig;

/// What a run folder calls its games.
const GAMES_OF_A_RUN: &str = "games.pgn";

/// So wide is the text of a comment, in columns.
const COMMENT_WIDTH: usize = 110;

/// Lines tried for each opening wanted before the recipe is given up as too strict.
const ATTEMPTS_PER_OPENING: u64 = 100;

/// The arguments of `arbiter openings make`.
#[derive(Debug, Args)]
pub struct MakeArgs {
    /// The engine that judges, and guides random play; give it one thread
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    /// The book to write, .epd or .pgn; it must not exist yet
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Take the openings from games, and not from random play: a PGN file or a run folder
    #[arg(long, value_name = "PATH")]
    games: Vec<PathBuf>,

    /// How many openings
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,

    /// Fewest and most plies
    #[arg(long, value_name = "A..B", value_parser = parse_range, default_value = "8..16")]
    plies: (u32, u32),

    /// Keep openings that are at least and at most so many centipawns better for one side
    #[arg(long, value_name = "A..B", value_parser = parse_range, default_value = "0..60")]
    band: (u32, u32),

    /// The side that is to be better; either one when it is not given
    #[arg(long, value_name = "white|black", value_parser = parse_side)]
    favours: Option<Side>,

    /// Nodes for the verdict on an opening
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Nodes for the choice of a move, and for a first look that drops what is far from the band
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    choice_nodes: u64,

    /// Draw each move from the engine's best so many
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..),
        conflicts_with = "games")]
    choices: u32,

    /// Draw only moves at most so many centipawns worse than the best, the better ones more often
    #[arg(long, value_name = "CP", default_value_t = 60, conflicts_with = "games")]
    tolerance: u32,

    /// Take a position with the colours changed for the same one
    #[arg(long)]
    mirrored: bool,

    /// What decides the draws; the same seed makes the same book
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Engines that work at the same time; the book is the same for any number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
}

impl MakeArgs {
    /// Makes the book.
    pub fn run(self) -> CliResult {
        let format = NewBook::of_path(&self.file).usage()?;
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let recipe = self.recipe().usage()?;
        let version = self.try_engine(&engine).usage()?;
        let file = NewFile::reserve(&self.file).usage()?;
        let stop = stop_flag::on_interrupt().fault()?;
        let made = self.make(&engine, &recipe, &stop);
        if made.openings.is_empty() {
            return self.nothing_made(&made);
        }
        let header = self.header(&version, &recipe, &made, format);
        let text = format.text(&header, &made.openings, Variant::Standard).fault()?;
        file.finish(&text).fault()?;
        let (name, openings) = (self.file.display(), grouped(made.openings.len() as u64));
        console::note(&format!("{name}: {openings} openings of {}", told(&made.tally)));
        if let Some(shortfall) = self.shortfall(&made) {
            console::note(&shortfall);
        }
        Ok(match made.end {
            MakingEnd::Complete => ExitCode::Done,
            MakingEnd::UsedUp | MakingEnd::Stopped => ExitCode::Inconclusive,
            MakingEnd::EngineBroke(_) => ExitCode::EngineBroke,
        })
    }

    fn recipe(&self) -> anyhow::Result<OpeningRecipe> {
        let (least, most) = self.band;
        let source = if self.games.is_empty() {
            OpeningSource::Guided(GuidedPlay {
                choices: self.choices,
                nodes: self.choice_nodes,
                tolerance: self.tolerance,
                ceiling: most,
            })
        } else {
            OpeningSource::Games(GameLines::new(read_games(&self.games, self.plies.1)?, self.seed))
        };
        Ok(OpeningRecipe {
            source,
            plies: self.plies,
            band: Band { least, most, favours: self.favours },
            first_look_nodes: self.choice_nodes,
            verdict_nodes: self.nodes,
            seed: self.seed,
        })
    }

    /// Makes sure that the engine can do what it is needed for, and returns what it calls itself.
    fn try_engine(&self, engine: &EngineConfig) -> anyhow::Result<String> {
        let mut session = sessions::start(engine)?;
        if self.games.is_empty() {
            session.set_option("MultiPV", Some(&self.choices.to_string()))?;
        }
        let name = session.introduction().name.clone().unwrap_or_else(|| engine.name.clone());
        session.quit();
        Ok(name)
    }

    fn make(
        &self,
        engine: &EngineConfig,
        recipe: &OpeningRecipe,
        stop: &AtomicBool,
    ) -> MadeOpenings<anyhow::Error> {
        let attempts = match &recipe.source {
            OpeningSource::Guided(_) => u64::from(self.count) * ATTEMPTS_PER_OPENING,
            OpeningSource::Games(games) => games.attempts(),
        };
        let plan = MakingPlan {
            count: self.count as usize,
            attempts,
            concurrency: usize::from(self.concurrency),
            mirrored_is_same: self.mirrored,
            stop,
        };
        let progress = ProgressBar::new(u64::from(self.count));
        let start = || sessions::start(engine);
        let made = make_openings(recipe, &plan, start, |openings| progress.set_position(openings as u64));
        progress.finish_and_clear();
        made
    }

    /// The error, or for a user who stopped it the exit code, where there is no book to write.
    fn nothing_made(&self, made: &MadeOpenings<anyhow::Error>) -> CliResult {
        let told = format!("no opening of {}", told(&made.tally));
        match &made.end {
            MakingEnd::EngineBroke(error) => {
                console::note(&format!("{told}; {error:#}"));
                Ok(ExitCode::EngineBroke)
            }
            MakingEnd::Stopped => {
                console::note(&format!("{told}; {} is not written", self.file.display()));
                Ok(ExitCode::Inconclusive)
            }
            MakingEnd::Complete | MakingEnd::UsedUp => {
                Err(CliError::Usage(anyhow!("{told}; expected a wider --band, or other --plies")))
            }
        }
    }

    /// Why there are fewer openings than were asked for, if so.
    fn shortfall(&self, made: &MadeOpenings<anyhow::Error>) -> Option<String> {
        let cause = match &made.end {
            MakingEnd::Complete => return None,
            MakingEnd::UsedUp if self.games.is_empty() => "too few lines are in the band".to_owned(),
            MakingEnd::UsedUp => "the games have no more".to_owned(),
            MakingEnd::Stopped => "it was stopped".to_owned(),
            MakingEnd::EngineBroke(error) => format!("the engine broke ({error:#})"),
        };
        let (made, wanted) = (grouped(made.openings.len() as u64), grouped(u64::from(self.count)));
        Some(format!("{made} openings and not {wanted}: {cause}"))
    }

    fn header(
        &self,
        engine: &str,
        recipe: &OpeningRecipe,
        made: &MadeOpenings<anyhow::Error>,
        format: NewBook,
    ) -> Vec<String> {
        let (fewest, most) = recipe.plies;
        let (openings, arbiter) = (grouped(made.openings.len() as u64), env!("CARGO_PKG_VERSION"));
        let origin = match &recipe.source {
            OpeningSource::Guided(play) => format!(
                "Random play from the start position: each move was drawn from the best {} of {engine} at {} nodes, \
                 none more than {} centipawns worse than the best, the better ones more often.",
                play.choices,
                grouped(play.nodes),
                play.tolerance
            ),
            OpeningSource::Games(games) => {
                format!("Taken from {} games.", grouped(games.games() as u64))
            }
        };
        let also = if self.mirrored { ", nor to one with the colours changed" } else { "" };
        let verdicts = format!(
            "Judged by {engine} at {} nodes, each as the first search of a new game: {}. No two lead to the same \
             position, by whatever moves{also}. Seed {}.",
            grouped(recipe.verdict_nodes),
            recipe.band,
            recipe.seed
        );
        let mut header = vec![
            format!("{openings} openings of {fewest} to {most} plies, made by Arbiter {arbiter}:"),
            command_line(),
            String::new(),
        ];
        header.extend(textwrap::wrap(&origin, COMMENT_WIDTH).into_iter().map(Cow::into_owned));
        header.extend(textwrap::wrap(&verdicts, COMMENT_WIDTH).into_iter().map(Cow::into_owned));
        header.extend(self.shortfall(made));
        header.push(format.legend().to_owned());
        header
    }
}

/// `120 lines (3 too short, 5 in check, 40 out of the band, 2 known)`
fn told(tally: &AttemptTally) -> String {
    let AttemptTally { attempts, too_short, in_check, out_of_band, known } = *tally;
    let kinds = [
        (too_short, "too short"),
        (in_check, "in check"),
        (out_of_band, "out of the band"),
        (known, "to a position that an earlier one led to"),
    ];
    let kinds: Vec<String> = kinds
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, kind)| format!("{} {kind}", grouped(*count)))
        .collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    format!("{} lines{kinds}", grouped(attempts))
}

/// The beginnings of all games, up to so many plies. Games that cannot be read or that are over by then are passed
/// over, and told.
///
/// # Errors
/// A path is no PGN file and no run folder, or no game is left.
fn read_games(paths: &[PathBuf], most_plies: u32) -> anyhow::Result<Vec<ListedOpening>> {
    let options = BookOptions { max_plies: Some(most_plies as usize), ..BookOptions::default() };
    let mut games = Vec::new();
    for path in paths {
        let path = pgn_of(path)?;
        let BookListing { name, mut openings, faults, .. } = BookListing::load(&path, &options)?;
        if let Some(first) = faults.first() {
            console::note(&format!("{name}: {} games passed over; the first: {first}", faults.len()));
        }
        games.append(&mut openings);
    }
    if games.is_empty() {
        bail!("--games: expected at least one game that can be read");
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
