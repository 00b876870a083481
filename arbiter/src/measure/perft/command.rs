//! `arbiter perft [ENGINE…]`: tests move generators by counting legal moves.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::divide_command::DivideArgs;
use super::measurement::{PerftSettings, PerftTest};
use super::move_counter::{EngineCounter, MoveCounter, Oracle, OwnCore};
use super::perft_check::{PerftCheck, PerftDifference, PerftMismatch};
use super::perft_suite::{PerftPosition, PerftSuite};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stdout};
use crate::engines::{self, EngineSpec, session};
use crate::files::{new_file, suite_files};
use crate::measure::MeasureError;
use crate::text::number_text::{counted, thousands};

#[derive(Debug, Args)]
pub struct PerftArgs {
    /// Engines that answer `go perft N` as Stockfish does [default: Arbiter's own move generator]
    #[arg(value_name = "ENGINE")]
    engines: Vec<EngineSpec>,

    /// A perft suite, a file or a shipped one; may be repeated [default: all shipped suites, without those of Chess960
    /// for an engine without `UCI_Chess960`]
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// Maximum depth
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Skip counts of more than N nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_nodes: Option<u64>,

    /// Write a row per engine, position and depth to this new CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Refuse suites with positions that cannot be played, instead of skipping these
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    divide: DivideArgs,
}

#[derive(Default)]
struct Tally {
    wrong: usize,
    failed: usize,
}

impl PerftArgs {
    pub fn run(self) -> CliResult {
        if let Some(fen) = &self.divide.fen {
            return self.divide.run(fen, self.depth.unwrap_or(1), self.start_engines().usage()?);
        }
        let settings = PerftSettings { suites: self.suite.clone(), depth: self.depth };
        let mut test = settings.read().usage()?;
        suite_files::refuse_skipped(self.strict, test.suites.iter().map(|suite| &suite.suite.skipped))
            .usage()?;
        test.max_nodes = self.max_nodes.unwrap_or(u64::MAX);
        let mut counters = self.start_counters().usage()?;
        let file = self.csv.as_deref().map(|path| new_file::create("--csv", path)).transpose().usage()?;
        let mut csv = file.map(PerftCsv::new);
        let mut tally = Tally::default();
        for counter in &mut counters {
            let test = test.clone().without_what_is_skipped(counter.as_ref());
            test.note_skipped(counter.name());
            for suite in &test.suites {
                if !check_suite(&test, counter.as_mut(), &suite.suite, csv.as_mut(), &mut tally)? {
                    break;
                }
            }
        }
        Ok(match tally {
            Tally { failed: 1.., .. } => ExitCode::EngineBroke,
            Tally { wrong: 1.., .. } => ExitCode::Regression,
            Tally { .. } => ExitCode::Done,
        })
    }

    /// Shakmaty first, which tests the suites themselves, then the engines, or our own core without engines.
    fn start_counters(&self) -> anyhow::Result<Vec<Box<dyn MoveCounter>>> {
        let mut counters: Vec<Box<dyn MoveCounter>> = vec![Box::new(Oracle)];
        if self.engines.is_empty() {
            counters.push(Box::new(OwnCore));
        }
        counters.extend(self.start_engines()?);
        Ok(counters)
    }

    fn start_engines(&self) -> anyhow::Result<Vec<Box<dyn MoveCounter>>> {
        let mut counters: Vec<Box<dyn MoveCounter>> = Vec::new();
        for engine in engines::resolve_all(&self.engines, &mut console::announce_build)? {
            let session = session::introduce(&engine)?;
            let mut counter = EngineCounter::new(engine.name, session);
            // An engine without perft is reported before others have counted for minutes.
            counter.probe()?;
            counters.push(Box::new(counter));
        }
        Ok(counters)
    }
}

/// Prints a line for the suite, and a paragraph per wrong position. Returns false when the counter failed.
fn check_suite(
    test: &PerftTest,
    counter: &mut dyn MoveCounter,
    suite: &PerftSuite,
    mut csv: Option<&mut PerftCsv<File>>,
    tally: &mut Tally,
) -> Result<bool, CliError> {
    let name = counter.name().to_owned();
    let mut out = stdout();
    let (mut nodes, mut time, mut wrong) = (0, Duration::ZERO, 0);
    for (position, check) in test.counts(counter, suite) {
        let check = match check {
            Err(MeasureError::EngineFault(error)) => {
                console::note(&error.to_string());
                tally.failed += 1;
                return Ok(false);
            }
            check => check.usage()?,
        };
        nodes += check.nodes;
        time += check.time;
        if let Some(mismatch) = &check.mismatch {
            wrong += 1;
            write_mismatch(&mut out, &name, suite, position, mismatch).fault()?;
        }
        if let Some(csv) = &mut csv {
            csv.write(&name, &suite.name, position, &check).fault()?;
        }
    }
    tally.wrong += wrong;
    let verdict = if wrong == 0 { "✓".to_owned() } else { format!("✗ {wrong} wrong") };
    let speed = nodes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
    writeln!(
        out,
        "{name:<16} {:<24} {verdict} {:>4} positions {:>15} nodes {speed:>5.0} Mnps{}",
        suite.name,
        suite.positions.len(),
        thousands(nodes),
        describe_skipped(test.counts_above_max_nodes(suite), test.max_nodes),
    )
    .fault()?;
    Ok(true)
}

fn describe_skipped(skipped: usize, max_nodes: u64) -> String {
    match skipped {
        0 => String::new(),
        _ => format!("   {} above {} nodes skipped", counted(skipped as u64, "count"), thousands(max_nodes)),
    }
}

fn write_mismatch(
    out: &mut impl Write,
    counter: &str,
    suite: &PerftSuite,
    position: &PerftPosition,
    mismatch: &PerftMismatch,
) -> io::Result<()> {
    let PerftMismatch { depth, expected, found, difference } = mismatch;
    writeln!(out, "{}:{}: {} at depth {depth}", suite.name, position.line, position.name)?;
    writeln!(out, "  expected {expected} nodes, {counter} counts {found}")?;
    let Some(difference) = difference else {
        // Shakmaty itself has no difference from shakmaty.
        let agrees = if counter == Oracle.name() { "" } else { ": shakmaty agrees with this count" };
        return writeln!(out, "  the suite is wrong{agrees}");
    };
    write_difference(out, difference)
}

pub fn write_difference(out: &mut impl Write, difference: &PerftDifference) -> io::Result<()> {
    writeln!(out, "  first wrong position: {}", difference.fen)?;
    if !difference.path.is_empty() {
        writeln!(out, "  after the moves: {}", difference.path.join(" "))?;
    }
    if difference.by_moves_only {
        writeln!(out, "  the count from its FEN is right: the error comes from playing the moves")?;
    }
    for (word, moves) in [
        ("missing moves", &difference.missing),
        ("illegal moves", &difference.extra),
        ("listed twice", &difference.repeated),
    ] {
        if !moves.is_empty() {
            writeln!(out, "  {word}: {}", moves.join(" "))?;
        }
    }
    if difference.has_right_moves() {
        writeln!(out, "  its moves are right, but their counts do not add up")?;
    }
    Ok(())
}

/// Writes each row at once, so that an interruption loses nothing.
#[derive(Debug)]
pub struct PerftCsv<W: Write> {
    writer: csv::Writer<W>,
}

/// One row. A skipped depth has no count; the last five fields describe a wrong count.
#[derive(Default, Serialize)]
struct Row<'a> {
    counter: &'a str,
    suite: &'a str,
    line: usize,
    position: &'a str,
    fen: &'a str,
    depth: u32,
    expected: u64,
    found: Option<u64>,
    verdict: &'static str,
    ms: Option<u128>,
    differs_at: &'a str,
    path: String,
    missing: String,
    illegal: String,
    repeated: String,
}

impl<W: Write> PerftCsv<W> {
    pub fn new(output: W) -> PerftCsv<W> {
        PerftCsv { writer: csv::Writer::from_writer(output) }
    }

    /// Adds the rows of a position, one per depth of the suite. A depth is `skipped` because of a limit, an earlier wrong
    /// count, or a failed engine.
    pub fn write(
        &mut self,
        counter: &str,
        suite: &str,
        position: &PerftPosition,
        check: &PerftCheck,
    ) -> csv::Result<()> {
        for &(depth, expected) in &position.counts {
            let mut row = Row {
                counter,
                suite,
                line: position.line,
                position: &position.name,
                fen: &position.fen,
                depth,
                expected,
                verdict: "skipped",
                ..Row::default()
            };
            if let Some(count) = check.counts.iter().find(|count| count.depth == depth) {
                row.found = Some(count.found);
                row.ms = Some(count.time.as_millis());
                row.verdict = if count.is_right { "right" } else { "wrong" };
            }
            if let Some(mismatch) = check.mismatch.as_ref().filter(|mismatch| mismatch.depth == depth)
                && let Some(difference) = &mismatch.difference
            {
                row.differs_at = &difference.fen;
                row.path = difference.path.join(" ");
                row.missing = difference.missing.join(" ");
                row.illegal = difference.extra.join(" ");
                row.repeated = difference.repeated.join(" ");
            }
            self.writer.serialize(row)?;
        }
        Ok(self.writer.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::perft::perft_check::PerftCount;

    #[test]
    fn right_wrong_and_skipped_have_a_row_each() {
        let fen = "7k/8/8/8/8/8/8/K7 w - - 0 1";
        let suite = PerftSuite::parse("x.epd", &format!("{fen} ;D1 3 ;D2 9 ;D3 54")).unwrap();
        let time = Duration::from_millis(7);
        let count =
            |depth, expected, found| PerftCount { depth, expected, found, is_right: found == expected, time };
        let difference = PerftDifference {
            fen: "7k/8/8/8/8/8/1K6/8 b - - 1 1".to_owned(),
            path: vec!["a1b2".to_owned()],
            missing: vec!["h8g8".to_owned(), "h8h7".to_owned()],
            extra: Vec::new(),
            repeated: Vec::new(),
            by_moves_only: false,
        };
        let check = PerftCheck {
            nodes: 10,
            time: 2 * time,
            counts: vec![count(1, 3, 3), count(2, 9, 7)],
            mismatch: Some(PerftMismatch { depth: 2, expected: 9, found: 7, difference: Some(difference) }),
        };
        let mut text = Vec::new();
        PerftCsv::new(&mut text).write("engine", &suite.name, &suite.positions[0], &check).unwrap();
        let expected = format!(
            "counter,suite,line,position,fen,depth,expected,found,verdict,ms,differs_at,path,missing,illegal,repeated\n\
             engine,x.epd,1,line 1,{fen},1,3,3,right,7,,,,,\n\
             engine,x.epd,1,line 1,{fen},2,9,7,wrong,7,7k/8/8/8/8/8/1K6/8 b - - 1 1,a1b2,h8g8 h8h7,,\n\
             engine,x.epd,1,line 1,{fen},3,54,,skipped,,,,,,\n"
        );
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
