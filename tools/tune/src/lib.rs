//! `tune`: fits the weights of Tarrasch's evaluation to positions of games, and writes them as its source file.
//!
//! `DataSet` holds the positions as counts of features, `Evaluated` is the evaluation as a function of the weights,
//! `Objective` is the loss, and `Fit` minimizes it. `docs/tuning.md` has the recipe from the games to the weights.
#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "only this program, `nnue` and tests use the library"
)]

mod arguments;
mod data_set;
mod fit;
mod model;
mod objective;
mod positions_file;

pub use arguments::share;
pub use fit::shuffle;
pub use objective::{best_scale, expectation};

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use anyhow::{Context, Result, anyhow, ensure};
use clap::Parser;
use tarrasch::eval::feature::{GROUPS, Group};
use tarrasch::eval::{Score, WEIGHTS, WEIGHTS_SOURCE};

use self::arguments::Arguments;
use self::data_set::DataSet;
use self::fit::{Fit, Split};
use self::model::{Evaluated, Weights};
use self::objective::Objective;

const BATCH: usize = 16_384;

/// The minimum: with fewer positions there is nothing to hold out.
const FEWEST_POSITIONS: usize = 100;

/// The exit codes of `arbiter`: wrong usage or input, and a fault of the disk or the system.
const USAGE: u8 = 2;
const FAULT: u8 = 5;

pub fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

/// The exit code of a program, after printing its error.
pub fn exit_code(result: Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {}", error_text(&error));
            ExitCode::from(if error.is::<io::Error>() { FAULT } else { USAGE })
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let frozen = arguments.frozen()?;
    let mut file = NewFile::reserve(&arguments.out)?;
    let text = fitted(arguments, &frozen)?;
    file.writer().write_all(text.as_bytes())?;
    file.finish().with_context(|| arguments.out.display().to_string())?;
    say(&format!("{}: {} weights", arguments.out.display(), WEIGHTS.len()))
}

fn fitted(arguments: &Arguments, frozen: &[bool]) -> Result<String> {
    let threads = usize::from(arguments.threads);
    let data = read_positions(arguments)?;
    let split = Split::of(data.len());
    let start: Weights = WEIGHTS.iter().map(|weight| [weight.mg(), weight.eg()].map(f64::from)).collect();
    let objective = objective(arguments.lambda, &data, &split.training, &start);
    let Objective { scale, score_scale, .. } = objective;
    say(&format!("K {scale:.6} for the evaluation, {score_scale:.6} for the players' scores"))?;
    let losses = |weights: &[[f64; 2]]| {
        [&split.training, &split.held_out].map(|part| objective.loss(&data, part, weights, threads))
    };
    let [training, held_out] = losses(&start);
    say(&format!("epoch   rate  training   held out\n{:5}  {:5}  {training:.6}   {held_out:.6}", 0, "-"))?;
    // The most likely weights, if each has a normal distribution around its start with this spread.
    let pull = training / (arguments.spread.powi(2) * split.training.len() as f64);
    let (epochs, rate, seed) = (arguments.epochs, arguments.learning_rate, arguments.seed);
    let fit = Fit { objective, pull, epochs, batch: BATCH, rate, frozen, threads, seed };
    let mut printed = Ok(());
    let weights = fit.run(&data, &split, &start, |epoch| {
        let fit::Epoch { number, rate, training, held_out } = epoch;
        let line = format!("{number:5}  {rate:.3}  {training:.6}   {held_out:.6}");
        printed = std::mem::replace(&mut printed, Ok(())).and_then(|()| say(&line));
    });
    printed?;
    let rounded = rounded(&weights);
    let whole: Weights = rounded.iter().map(|weight| [weight.mg(), weight.eg()].map(f64::from)).collect();
    let [training, held_out] = losses(&whole);
    say(&format!("in whole centipawns {training:.6}   {held_out:.6}"))?;
    Ok(weights_source(&rounded))
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

/// The objective with the best scales: of the players' scores to the results, and of the present evaluation to the
/// targets. So the fit need not change all weights in proportion, and a centipawn keeps its meaning.
fn objective(lambda: f64, data: &DataSet, training: &[u32], start: &[[f64; 2]]) -> Objective {
    let labels = || training.iter().map(|&index| data.get(index).label);
    let scores = labels()
        .filter_map(|label| Some((f64::from(label.score?), f64::from(label.half_points) / 2.0)))
        .collect::<Vec<_>>();
    let score_scale = best_scale(&scores);
    let targets = Objective { scale: score_scale, score_scale, lambda };
    let evaluated = training.iter().map(|&index| {
        let example = data.get(index);
        (Evaluated::new(&example, start).value, targets.target(example.label))
    });
    Objective { scale: best_scale(&evaluated.collect::<Vec<_>>()), ..targets }
}

fn say(text: &str) -> Result<()> {
    writeln!(io::stdout(), "{text}").context("standard output")
}

/// The error and its causes in one line, joined by colons. A cause that the text already contains is not repeated.
fn error_text(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| match cause.to_string() {
        cause if text.contains(&cause) => text,
        cause if text.is_empty() => cause,
        cause => format!("{text}: {cause}"),
    })
}

/// A file that is written completely or not at all, and never replaces another. Until it is finished its name ends in
/// `.partial`; dropping the value removes it. (The program `arbiter`, which no tool of the engine depends on, has its
/// own.)
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    partial: PathBuf,
    output: BufWriter<File>,
}

impl NewFile {
    /// Creates the partial file. It is an error if the file exists.
    pub fn reserve(path: &Path) -> Result<NewFile> {
        let name = path.display();
        ensure!(!path.exists(), "--out {name}: expected a new file, found one that exists");
        let mut partial = OsString::from(path);
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let file = File::create(&partial).map_err(|error| anyhow!("--out {name}: {error}"))?;
        Ok(NewFile { path: path.to_owned(), partial, output: BufWriter::new(file) })
    }

    pub fn writer(&mut self) -> &mut impl Write {
        &mut self.output
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.output.flush()?;
        fs::rename(&self.partial, &self.path)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // It is gone when the file was finished.
        let _ = fs::remove_file(&self.partial);
    }
}

/// The end of the head of the source file.
const TABLE_BEGINS: &str = "] = [\n";

/// The source file with these weights: the present head, then for each group a comment and its weights in rows.
fn weights_source(weights: &[Score]) -> String {
    let head = WEIGHTS_SOURCE.find(TABLE_BEGINS).map_or(0, |at| at + TABLE_BEGINS.len());
    let mut text = WEIGHTS_SOURCE[..head].to_owned();
    for Group { name, first, len, per_row, .. } in GROUPS {
        let _ = writeln!(text, "    // {name}");
        for row in weights[first..first + len].chunks(per_row) {
            let row: Vec<String> = row.iter().map(|s| format!("s({:4}, {:4})", s.mg(), s.eg())).collect();
            let _ = writeln!(text, "    {},", row.join(", "));
        }
    }
    text + "];\n"
}

fn rounded(weights: &[[f64; 2]]) -> Vec<Score> {
    let whole = |weight: f64| weight.round() as i16;
    weights
        .iter()
        .map(|weight| Score::new(i32::from(whole(weight[0])), i32::from(whole(weight[1]))))
        .collect()
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};
    use tarrasch::eval::{WEIGHTS, feature};

    use super::*;
    use crate::data_set::DataSet;

    #[test]
    fn a_cause_is_repeated_by_no_other() {
        let missing = positions_file::load("no.epd".as_ref(), 1, &mut DataSet::default()).unwrap_err();
        let text = error_text(&missing.into());
        assert!(text.starts_with("no.epd: ") && text.matches(": ").count() == 1, "{text}");
        let nested = Err::<(), _>(anyhow!("it is full")).context("the disk").unwrap_err();
        assert_eq!(error_text(&nested), "the disk: it is full");
    }

    /// The pairs of numbers of a table.
    fn pairs(text: &str) -> Vec<(i32, i32)> {
        let table = text.split_once(TABLE_BEGINS).unwrap().1;
        let numbers = table.lines().filter(|line| !line.trim_start().starts_with("//"));
        let pair = |pair: &str| {
            let (mg, eg) = pair.split_once(')').unwrap().0.split_once(',').unwrap();
            (mg.trim().parse().unwrap(), eg.trim().parse().unwrap())
        };
        numbers.flat_map(|line| line.split("s(").skip(1).map(pair)).collect()
    }

    #[test]
    fn the_present_weights_make_the_present_file() {
        assert!(weights_source(&WEIGHTS) == WEIGHTS_SOURCE, "{}", weights_source(&WEIGHTS));
    }

    #[test]
    fn what_is_written_is_read_back_with_the_same_numbers() {
        let weights: Vec<Score> =
            (0..feature::COUNT as i32).map(|place| Score::new(place - 400, 32767 - 7 * place)).collect();
        let text = weights_source(&weights);
        let expected: Vec<(i32, i32)> = weights.iter().map(|weight| (weight.mg(), weight.eg())).collect();
        assert_eq!(pairs(&text), expected);
        for group in GROUPS {
            assert!(text.contains(&format!("    // {}\n    s(", group.name)), "{}", group.name);
        }
    }

    #[test]
    fn weights_are_rounded_to_the_nearest_centipawn() {
        let scores = rounded(&[[1.5, -1.4], [-0.49, 99_999.0]]);
        assert_eq!(scores, [Score::new(2, -1), Score::new(0, 32767)]);
    }
}
