//! What a verdict costs in seconds of engine time, with fastchess's usual set-up and with ours, for planted differences.
//!
//! `cargo bench --bench verdict_cost -- TARRASCH USUAL_BOOK FOLDER [GAMES]` plays Tarrasch against weakened copies of
//! itself, by nodes and without adjudication, from the book of fastchess's manual (or one like it) and from ours, into
//! run folders below FOLDER; those that are there are not played again. Then it applies each set-up's adjudication to
//! these games, and simulates sequential tests with the pairs that come of it, as they are and shifted to what an everyday
//! patch is worth, and runs as many real ones as the games allow, one after the other in their order. It prints rows of CSV
//! for each difference and set-up.
//!
//! The mean time to a verdict is the mean number of games to it times the mean time of a game (Wald's identity).

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark reports to people")]

mod planted;
mod sample;
mod setup;

use std::error::Error;
use std::path::PathBuf;

use planted::{DIFFERENCES, Planted};
use sample::Sample;
use setup::{BookOf, SETUPS, Setup};
use stats::{Observations, ResultShares, SprtForecast, SprtModel};

/// Tests that are simulated for each number.
const TESTS: u32 = 1000;

/// What everyday patches are worth, in nElo.
const EVERYDAY: [f64; 6] = [-3.0, -1.0, 0.0, 1.0, 3.0, 5.0];

/// Games of each run.
const GAMES: u32 = 4000;

const USAGE: &str = "expected -- TARRASCH USUAL_BOOK FOLDER [GAMES]";

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` adds an option of its own.
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let mut path = || words.next().map(PathBuf::from).ok_or(USAGE);
    let (engine, usual_book, folder) = (path()?, path()?, path()?);
    let games = words.next().map_or(Ok(GAMES), |word| word.parse())?;
    println!(
        "difference,setup,pairs,nelo,nelo_margin,seconds_per_game,truth,games,engine_seconds,accepted_h1,real_tests,\
         real_accepted_h0,real_mean_seconds"
    );
    for difference in DIFFERENCES {
        let usual = Planted { difference, engine: &engine, book: Some(&usual_book), games };
        let ours = Planted { book: None, ..usual };
        let (usual, ours) = (usual.play(&folder)?, ours.play(&folder)?);
        for setup in SETUPS {
            let run = match setup.book {
                BookOf::Usual => &usual,
                BookOf::Ours => &ours,
            };
            let sample = Sample::of_run(run, &setup.adjudication())?;
            print_rows(difference.name, setup, &sample)?;
        }
    }
    Ok(())
}

/// Prints what a set-up costs for a difference, and for everyday patches whose pairs are distributed alike.
fn print_rows(difference: &str, setup: &Setup, sample: &Sample) -> Result<(), Box<dyn Error>> {
    let test = setup.test()?;
    let observations = Observations::Pairs(sample.pentanomial());
    let nelo = sample.nelo();
    let per_game = sample.seconds_per_game();
    let real = sample.real_tests(&test);
    for truth in [nelo.nelo.value()].into_iter().chain(EVERYDAY) {
        let shares = ResultShares::tilted(&observations, truth, SprtModel::Normalized)
            .ok_or("expected finished pairs")?;
        let forecast = SprtForecast::new(&test, &shares, TESTS, 1);
        let games = forecast.mean_games.unwrap_or(f64::INFINITY);
        println!(
            "{difference},{},{},{:.1},{:.1},{per_game:.4},{truth:.1},{games:.0},{:.0},{:.4},{},{},{:.0}",
            setup.name,
            sample.pentanomial().pairs(),
            nelo.nelo.value(),
            nelo.margin(),
            games * per_game,
            f64::from(forecast.accepted_h1) / f64::from(TESTS),
            real.decided,
            real.accepted_h0,
            real.mean_seconds(),
        );
    }
    Ok(())
}
