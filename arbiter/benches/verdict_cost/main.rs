//! What a verdict costs in seconds of engine time, with fastchess's usual set-up and with ours, for planted differences.
//!
//! `cargo bench --bench verdict_cost -- TARRASCH USUAL_BOOK FOLDER [GAMES]` plays Tarrasch against weakened copies of
//! itself, by nodes and without adjudication, from the book of fastchess's manual (or one like it) and from ours, into
//! run folders below FOLDER; those that are there are not played again. Then it applies each set-up's adjudication to
//! these games, simulates sequential tests with the pairs that come of it, and runs as many real ones as the games
//! allow, one after the other in their order. It prints a row of CSV for each difference and set-up.
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
        "difference,setup,elo0,elo1,pairs,nelo,nelo_margin,seconds_per_game,games,engine_seconds,ratio,accepted_h0,\
         level_engine_seconds,level_accepted_h1,real_tests,real_accepted_h0,real_mean_seconds"
    );
    for difference in DIFFERENCES {
        let usual = Planted { difference, engine: &engine, book: Some(&usual_book), games };
        let ours = Planted { book: None, ..usual };
        let (usual, ours) = (usual.play(&folder)?, ours.play(&folder)?);
        let mut first = None;
        for setup in SETUPS {
            let run = match setup.book {
                BookOf::Usual => &usual,
                BookOf::Ours => &ours,
            };
            let sample = Sample::of_run(run, &setup.adjudication())?;
            print_row(difference.name, setup, &sample, &mut first)?;
        }
    }
    Ok(())
}

/// Prints what a set-up costs for a difference. The first set-up is what the others are compared with.
fn print_row(
    difference: &str,
    setup: &Setup,
    sample: &Sample,
    first: &mut Option<f64>,
) -> Result<(), Box<dyn Error>> {
    let test = setup.test()?;
    let observations = Observations::Pairs(sample.pentanomial());
    let shares = |elo: f64| {
        ResultShares::tilted(&observations, elo, SprtModel::Normalized).ok_or("expected finished pairs")
    };
    let nelo = sample.nelo();
    let forecast = SprtForecast::new(&test, &shares(nelo.nelo.value())?, TESTS, 1);
    let level = SprtForecast::new(&test, &shares(0.0)?, TESTS, 2);
    let per_game = sample.seconds_per_game();
    let [engine_seconds, level_seconds] = [&forecast, &level]
        .map(|forecast| forecast.mean_games.map_or(f64::INFINITY, |games| games * per_game));
    let ratio = engine_seconds / *first.get_or_insert(engine_seconds);
    let share = |count: u32| f64::from(count) / f64::from(TESTS);
    let real = sample.real_tests(&test);
    println!(
        "{difference},{},{},{},{},{:.1},{:.1},{per_game:.3},{:.0},{engine_seconds:.0},{ratio:.2},{:.4},\
         {level_seconds:.0},{:.4},{},{},{:.0}",
        setup.name,
        test.elo0(),
        test.elo1(),
        sample.pentanomial().pairs(),
        nelo.nelo.value(),
        nelo.margin(),
        forecast.mean_games.unwrap_or(f64::INFINITY),
        share(forecast.accepted_h0),
        share(level.accepted_h1),
        real.decided,
        real.accepted_h0,
        real.mean_seconds(),
    );
    Ok(())
}
