//! `tune`: fits the weights of Tarrasch's evaluation to positions of games, and writes them as its source file.
//!
//! [`DataSet`] holds the positions as counts of features, [`Evaluated`] is the evaluation as a function of the weights,
//! [`Objective`] says how wrong it is, and [`Fit`] makes that small. `docs/tuning.md` has the recipe from the games to
//! the weights.

mod adam;
mod arguments;
mod data_set;
mod error_text;
mod fit;
mod labelled_position;
#[cfg(test)]
mod made_up;
mod model;
mod new_file;
mod objective;
mod parts;
mod positions_file;
mod quiet;
mod scale;
mod shuffle;
mod weights_source;

pub use error_text::error_text;
pub use objective::expectation;
pub use scale::best_scale;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use tarrasch::eval::WEIGHTS;

use self::arguments::Arguments;
use self::data_set::DataSet;
use self::fit::Fit;
use self::fit::Split;
use self::model::{Evaluated, Weights};
use self::new_file::NewFile;
use self::objective::Objective;

/// How many positions a step of the fit is made for.
const BATCH: usize = 16_384;

/// With fewer positions there is nothing to hold out and nothing to learn.
const FEWEST_POSITIONS: usize = 100;

/// The exit codes of `arbiter`: wrong usage or input, and a fault of the disk or the system.
const USAGE: u8 = 2;
const FAULT: u8 = 5;

/// The program.
pub fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {}", error_text(&error));
            ExitCode::from(if error.is::<io::Error>() { FAULT } else { USAGE })
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let frozen = arguments.frozen()?;
    let file = NewFile::reserve(&arguments.out)?;
    let text = fitted(arguments, &frozen)?;
    file.finish(&text).with_context(|| arguments.out.display().to_string())?;
    say(&format!("{}: {} weights", arguments.out.display(), WEIGHTS.len()))
}

/// Fits the weights and returns their source file.
fn fitted(arguments: &Arguments, frozen: &[bool]) -> Result<String> {
    let threads = usize::from(arguments.threads);
    let data = read_positions(arguments)?;
    let split = Split::of(data.len());
    let start: Weights = WEIGHTS.iter().map(|weight| [weight.mg(), weight.eg()].map(f64::from)).collect();
    let objective = objective(arguments.lambda, &data, &split.training, &start);
    let Objective { scale, score_scale, .. } = objective;
    say(&format!("K {scale:.6} for the evaluation, {score_scale:.6} for announced scores"))?;
    let losses = |weights: &[[f64; 2]]| {
        [&split.training, &split.held_out].map(|part| objective.loss(&data, part, weights, threads))
    };
    let [training, held_out] = losses(&start);
    say(&format!("epoch   rate  training   held out\n{:5}  {:5}  {training:.6}   {held_out:.6}", 0, "-"))?;
    // The weights that are likeliest when each is expected to lie about the spread away from where it begins.
    let pull = training / (arguments.spread.powi(2) * split.training.len() as f64);
    let (epochs, rate, seed) = (arguments.epochs, arguments.learning_rate, arguments.seed);
    let fit = Fit { objective, pull, epochs, batch: BATCH, rate, frozen, threads, seed };
    let mut told = Ok(());
    let weights = fit.run(&data, &split, &start, |epoch| {
        let fit::Epoch { number, rate, training, held_out } = epoch;
        let line = format!("{number:5}  {rate:.3}  {training:.6}   {held_out:.6}");
        told = std::mem::replace(&mut told, Ok(())).and_then(|()| say(&line));
    });
    told?;
    let rounded = weights_source::rounded(&weights);
    let whole: Weights = rounded.iter().map(|weight| [weight.mg(), weight.eg()].map(f64::from)).collect();
    let [training, held_out] = losses(&whole);
    say(&format!("in whole centipawns {training:.6}   {held_out:.6}"))?;
    Ok(weights_source::weights_source(&rounded))
}

fn read_positions(arguments: &Arguments) -> Result<DataSet> {
    let mut data = DataSet::default();
    let mut unquiet = 0;
    for file in &arguments.files {
        unquiet += positions_file::load(file, usize::from(arguments.threads), &mut data)?;
    }
    let found = data.len();
    say(&format!("{found} positions; {unquiet} more are left out, in check or with a capture that pays"))?;
    ensure!(found >= FEWEST_POSITIONS, "expected at least {FEWEST_POSITIONS} quiet positions, found {found}");
    Ok(data)
}

/// The objective with the scales that fit best: that of the announced scores to the results, and that of the
/// evaluation, as it is, to the targets. Then the fit does not have to change all weights in proportion, and a
/// centipawn goes on meaning what it does.
fn objective(lambda: f64, data: &DataSet, training: &[u32], start: &[[f64; 2]]) -> Objective {
    let labels = || training.iter().map(|&index| data.get(index).label);
    let announced = labels()
        .filter_map(|label| Some((f64::from(label.score?), f64::from(label.half_points) / 2.0)))
        .collect::<Vec<_>>();
    let score_scale = best_scale(&announced);
    let targets = Objective { scale: score_scale, score_scale, lambda };
    let evaluated = training.iter().map(|&index| {
        let example = data.get(index);
        (Evaluated::new(&example, start).value, targets.target(example.label))
    });
    Objective { scale: best_scale(&evaluated.collect::<Vec<_>>()), ..targets }
}

/// Tells the user, who may have closed the pipe.
fn say(text: &str) -> Result<()> {
    writeln!(io::stdout(), "{text}").context("standard output")
}
