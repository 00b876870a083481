//! `arbiter perft ENGINE --fen FEN`: the counts below each move, beside our own.

use std::io::{self, Write};

use clap::Args;

use super::command::write_difference;
use super::move_counter::{CountError, MoveCounter, Oracle, OwnCore};
use super::perft_check::{Divide, smallest_difference};
use super::perft_suite::variant_of;
use crate::cli::{Blame, CliResult, ExitCode, console, stdout};
use crate::text::number_text::thousands;
use crate::text::{Table, Tone};
use referee::{Referee, Variant};

#[derive(Debug, Args)]
pub struct DivideArgs {
    /// Count below each move of this position instead [default depth: 1]
    #[arg(long, value_name = "FEN", conflicts_with_all = ["suite", "max_nodes", "csv", "strict"])]
    pub fen: Option<String>,

    /// Moves that lead from there to the position to count, as `e2e4 e7e5`
    #[arg(long, value_name = "MOVES", requires = "fen", value_delimiter = ' ')]
    moves: Vec<String>,

    /// Play the first move with another count, count again, and so on, down to the wrong moves
    #[arg(long, requires = "fen")]
    follow: bool,
}

/// A position, after moves, and the depth to count it to.
struct Division<'a> {
    fen: &'a str,
    variant: Variant,
    path: Vec<String>,
    depth: u32,
}

impl DivideArgs {
    /// Counts with each of the counters, or with shakmaty where there is none, beside our own core.
    pub fn run(&self, fen: &str, depth: u32, mut counters: Vec<Box<dyn MoveCounter>>) -> CliResult {
        let variant = variant_of(fen);
        let mut position = Referee::from_fen(fen, variant).usage()?;
        for m in &self.moves {
            position.play(m).usage()?;
        }
        if let Some(reason) = referee::unreachable(fen, variant) {
            console::note(&format!("no game reaches this position ({reason}), but it can be played"));
        }
        if counters.is_empty() {
            counters.push(Box::new(Oracle));
        }
        let mut are_same = true;
        for counter in &mut counters {
            let division = Division { fen, variant, path: self.moves.clone(), depth };
            match self.compare(division, counter.as_mut()) {
                Ok(is_same) => are_same &= is_same,
                Err(DivideError::Count(error)) if error.is_engine_fault() => {
                    console::note(&format!("{}: {error}", counter.name()));
                    return Ok(ExitCode::EngineBroke);
                }
                Err(DivideError::Count(error)) => return Err(error).usage(),
                Err(DivideError::Output(error)) => return Err(error).fault(),
            }
        }
        Ok(if are_same { ExitCode::Done } else { ExitCode::Regression })
    }

    /// Shows a table, or one for each level down to the wrong moves. Returns whether the counts are the same.
    fn compare(&self, mut division: Division, counter: &mut dyn MoveCounter) -> Result<bool, DivideError> {
        let mut out = stdout();
        let mut are_same = true;
        loop {
            let [own, other] = division.counts(counter)?;
            write!(out, "{}", table(&own, counter.name(), &other))?;
            let differing = other.first_differing(&own);
            are_same &= differing.is_none() && other.adds_up();
            let Some(m) = differing else { break };
            let is_deeper = division.depth > 1 && own.parts.contains_key(m) && other.parts.contains_key(m);
            if !is_deeper || !self.follow {
                if is_deeper {
                    let moves = division.path_with(m).join(" ");
                    writeln!(out, "one level deeper: --moves \"{moves}\" --depth {}", division.depth - 1)?;
                }
                break;
            }
            division = Division { path: division.path_with(m), depth: division.depth - 1, ..division };
            writeln!(out, "\nafter {}, depth {}:", division.path.join(" "), division.depth)?;
        }
        if !are_same {
            division.write_first_wrong(&mut out, counter)?;
        }
        Ok(are_same)
    }
}

impl Division<'_> {
    fn counts(&self, counter: &mut dyn MoveCounter) -> Result<[Divide; 2], CountError> {
        let own = OwnCore.divide_after(self.fen, self.variant, &self.path, self.depth)?;
        Ok([own, counter.divide_after(self.fen, self.variant, &self.path, self.depth)?])
    }

    fn path_with(&self, m: &str) -> Vec<String> {
        [&self.path[..], &[m.to_owned()]].concat()
    }

    /// Who is wrong, and where: shakmaty decides.
    fn write_first_wrong(
        &self,
        out: &mut impl Write,
        counter: &mut dyn MoveCounter,
    ) -> Result<(), DivideError> {
        let Division { fen, variant, path, depth } = self;
        let mut wrong = Vec::new();
        for counter in [counter, &mut OwnCore] {
            if let Some(difference) = smallest_difference(counter, fen, *variant, path, *depth)? {
                wrong.push((counter.name().to_owned(), difference));
            }
        }
        for (name, difference) in wrong {
            writeln!(out, "\nby shakmaty, {name} is wrong")?;
            write_difference(out, &difference)?;
        }
        Ok(())
    }
}

/// The counts below each move, those that differ marked.
fn table(own: &Divide, name: &str, other: &Divide) -> String {
    let mut table = Table::new(["", name, OwnCore.name(), ""]);
    let mut row = |m: &str, [found, expected]: [Option<u64>; 2]| {
        let mark = if found == expected { "" } else { "✗" };
        let [found, expected] =
            [found, expected].map(|count| count.map_or_else(|| "-".to_owned(), thousands));
        table.row([m.to_owned(), found, expected, mark.to_owned()].map(|text| (text, Tone::Plain)));
    };
    let mut moves: Vec<&String> = own.parts.keys().chain(other.parts.keys()).collect();
    moves.sort_unstable();
    moves.dedup();
    for m in moves {
        row(m, [other, own].map(|divide| divide.parts.get(m).copied()));
    }
    row("total", [other, own].map(|divide| Some(divide.total)));
    table.text(false)
}

#[derive(Debug, thiserror::Error)]
enum DivideError {
    #[error(transparent)]
    Count(#[from] CountError),
    #[error(transparent)]
    Output(#[from] io::Error),
}
