//! Reads runs and counts their games by book and by range of evals.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::book_rating::{BookRating, BookTally, EvalBin};
use crate::cli::console;
use crate::options::books;
use referee::Side;
use runner::{RunConfig, RunJournal};

/// Rates the books of runs, in the order of the runs. With ranges, each range that has games is rated separately.
pub fn rate(runs: &[PathBuf], bins: Option<&EvalBins>) -> Result<BookRatings> {
    let (mut ratings, mut without_range) = (Vec::new(), 0);
    let mut first: Option<RunConfig> = None;
    for run in runs {
        let journal = RunJournal::open(run)?;
        let config = &journal.config;
        if config.engines.len() != 2 {
            bail!("{}: expected a match of two engines, found {}", run.display(), config.engines.len());
        }
        if let Some(first) = &first
            && !has_same_players(config, first)
        {
            console::note(&format!(
                "warning: {}: different engines or limits from the first run, so not only the books differ",
                run.display()
            ));
        }
        first.get_or_insert_with(|| (**config).clone());
        without_range += add_run(run, journal, bins, &mut ratings)?;
    }
    Ok(BookRatings::new(ratings, without_range))
}

/// Adds the rating of a run, or of each of its ranges. Returns the number of games outside all ranges.
fn add_run(
    run: &Path,
    journal: RunJournal,
    bins: Option<&EvalBins>,
    ratings: &mut Vec<BookRating>,
) -> Result<u64> {
    let config = journal.config;
    let evals = match (evals(&config), bins) {
        (Ok(evals), Some(_)) if evals.iter().all(Option::is_none) => bail!(
            "{}: {}: expected evals, EPD with `ce` or PGN with the tag Evaluation, as --by-eval needs them; found none",
            run.display(),
            config.book.path.display()
        ),
        (Err(error), None) => {
            console::note(&format!(
                "warning: {}: nElo per Elo assumes that the openings favour White, as their book cannot be \
                 read: {error:#}",
                run.display()
            ));
            Vec::new()
        }
        (evals, _) => evals.with_context(|| run.display().to_string())?,
    };
    let ranges = bins.map_or(vec![None], |bins| bins.bins().map(Some).collect());
    let mut tallies = vec![BookTally::default(); ranges.len()];
    let mut without_range = 0;
    for game in journal.events.finished_games() {
        let game = game?;
        let eval = evals.get(game.opening.index).copied().flatten();
        let place = match bins {
            Some(bins) => eval.and_then(|eval| bins.place_of(eval)),
            None => Some(0),
        };
        let favoured = if eval.is_some_and(|eval| eval < 0) { Side::Black } else { Side::White };
        match place {
            Some(place) => tallies[place].add(&game, favoured),
            None => without_range += 1,
        }
    }
    if tallies.iter().all(|tally| tally.games.games().games() == 0) {
        bail!(
            "{}: expected finished games{}",
            run.display(),
            bins.map_or("", |_| " in the ranges of --by-eval")
        );
    }
    let book =
        config.book.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let played = ranges.into_iter().zip(&tallies).filter(|(_, tally)| tally.games.games().games() > 0);
    ratings.extend(
        played.map(|(range, tally)| BookRating::new(run.display().to_string(), book.clone(), range, tally)),
    );
    Ok(without_range)
}

fn evals(config: &RunConfig) -> Result<Vec<Option<i32>>> {
    let listing = books::list(&config.book, config.variant)?;
    Ok(listing.openings.iter().map(|opening| opening.eval).collect())
}

fn has_same_players(one: &RunConfig, other: &RunConfig) -> bool {
    let players = |config: &RunConfig| -> Vec<_> {
        let engines = config.engines.iter().enumerate();
        engines
            .map(|(index, engine)| {
                (engine.sha256.clone(), engine.options.clone(), config.limits_of(index).clone())
            })
            .collect()
    };
    players(one) == players(other)
}

/// Consecutive ranges, written as their bounds: `0,50,100` is 0 to 49 and 50 to 99.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalBins(Vec<u32>);

impl EvalBins {
    pub fn bins(&self) -> impl Iterator<Item = EvalBin> {
        self.0.windows(2).map(|bounds| EvalBin { least: bounds[0], most: bounds[1] - 1 })
    }

    /// The index of the range that contains an eval; `None` if no range does.
    pub fn place_of(&self, eval: i32) -> Option<usize> {
        self.bins().position(|bin| (bin.least..=bin.most).contains(&eval.unsigned_abs()))
    }
}

impl FromStr for EvalBins {
    type Err = String;

    fn from_str(text: &str) -> Result<EvalBins, String> {
        let bounds: Result<Vec<u32>, _> = text.split(',').map(|bound| bound.trim().parse()).collect();
        match bounds {
            Ok(bounds) if bounds.len() > 1 && bounds.is_sorted_by(|one, other| one < other) => {
                Ok(EvalBins(bounds))
            }
            _ => Err("expected at least two ascending bounds in centipawns, as in 0,50,100".to_owned()),
        }
    }
}

/// A comparison of books. `schema` changes whenever a field changes its meaning or goes away; infinite numbers are
/// `"inf"` and `"-inf"`.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct BookRatings {
    /// The version of this format.
    pub schema: u32,
    /// The books, or their ranges. All are compared with the first.
    pub books: Vec<BookRating>,
    /// Games whose opening has no eval, or an eval outside all ranges.
    pub without_range: u64,
}

impl BookRatings {
    pub const SCHEMA: u32 = 1;

    pub fn new(books: Vec<BookRating>, without_range: u64) -> BookRatings {
        let first = books.first().cloned();
        let compare = |(place, book): (usize, BookRating)| match &first {
            Some(first) if place > 0 => book.compared_with(first),
            _ => book,
        };
        let books = books.into_iter().enumerate().map(compare).collect();
        BookRatings { schema: BookRatings::SCHEMA, books, without_range }
    }
}
