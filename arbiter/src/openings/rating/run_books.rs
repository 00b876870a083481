//! Reads runs and counts their games by book and by range of evals.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::{BookRating, BookTally, EvalBins, RatingReport};
use crate::cli::console;
use crate::options::books;
use referee::Side;
use runner::{RunConfig, RunJournal};

/// Rates the books of runs, in the order of the runs. With ranges, each range that has games is rated by itself.
///
/// # Errors
/// A run cannot be read, is not one of two engines, or has no finished games; or the evals of its book cannot be read.
pub fn rate(runs: &[PathBuf], bins: Option<&EvalBins>) -> Result<RatingReport> {
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
                "warning: {}: other engines or limits than in the first run, so the books are not all that differs",
                run.display()
            ));
        }
        first.get_or_insert_with(|| (**config).clone());
        without_range += add_run(run, journal, bins, &mut ratings)?;
    }
    Ok(RatingReport::new(ratings, without_range))
}

/// Adds the rating of a run, or those of its ranges. Returns the number of games that belong to no range.
fn add_run(
    run: &Path,
    journal: RunJournal,
    bins: Option<&EvalBins>,
    ratings: &mut Vec<BookRating>,
) -> Result<u64> {
    let config = journal.config;
    let evals = match bins {
        Some(_) => evals(&config)
            .and_then(|evals| expect_evals(&config, evals))
            .with_context(|| run.display().to_string())?,
        None => evals(&config).unwrap_or_else(|error| {
            console::note(&format!(
                "warning: {}: nElo per Elo takes White for the side that the openings favour, as their book cannot be \
                 read: {error:#}",
                run.display()
            ));
            Vec::new()
        }),
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
    if tallies.iter().all(|tally| tally.wdl.games() == 0) {
        bail!(
            "{}: expected finished games{}",
            run.display(),
            bins.map_or("", |_| " in the ranges of --by-eval")
        );
    }
    let book =
        config.book.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let played = ranges.into_iter().zip(&tallies).filter(|(_, tally)| tally.wdl.games() > 0);
    ratings.extend(
        played.map(|(range, tally)| BookRating::new(run.display().to_string(), book.clone(), range, tally)),
    );
    Ok(without_range)
}

/// The evals of the openings of a run's book, by their index.
fn evals(config: &RunConfig) -> Result<Vec<Option<i32>>> {
    let listing = books::list(&config.book, config.variant)?;
    Ok(listing.openings.iter().map(|opening| opening.eval).collect())
}

fn expect_evals(config: &RunConfig, evals: Vec<Option<i32>>) -> Result<Vec<Option<i32>>> {
    if evals.iter().all(Option::is_none) {
        bail!(
            "{}: expected evals, EPD with `ce` or PGN with the tag Evaluation, as --by-eval needs them; found none",
            config.book.path.display()
        );
    }
    Ok(evals)
}

/// Whether two runs are between the same engines with the same limits.
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
