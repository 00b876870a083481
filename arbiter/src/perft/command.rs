//! `arbiter perft [ENGINE…]`: does a move generator know the rules?

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::engine_counter::EngineCounter;
use super::move_counter::{CountError, MoveCounter, Oracle, OwnCore};
use super::perft_check::{PerftCheck, PerftMismatch};
use super::perft_csv::PerftCsv;
use super::perft_suite::{PerftPosition, PerftSuite};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console};
use crate::engines;
use crate::engines::{EngineSpec, sessions};
use crate::files::{new_file, suite_files};
use runner::process::EngineError;

/// The arguments of `arbiter perft`.
#[derive(Debug, Args)]
pub struct PerftArgs {
    /// Engines that answer `go perft N`, as Stockfish and Tarrasch do; without any, our own move generator
    #[arg(value_name = "ENGINE")]
    engines: Vec<EngineSpec>,

    /// A perft suite: a file, or one that ships; all that ship when none is given
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// Count no deeper than this
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Leave out counts of more nodes than this, position by position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_nodes: Option<u64>,

    /// Write a row per counter, position and depth to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// What came of all counting.
#[derive(Default)]
struct Tally {
    wrong: usize,
    broken: usize,
}

impl PerftArgs {
    /// Counts every suite with every counter.
    pub fn run(self) -> CliResult {
        let suites = suite_files::parse("perft", &self.suite, PerftSuite::parse).usage()?;
        let mut counters = self.start_counters().usage()?;
        let file = self.csv.as_deref().map(|path| new_file::create("--csv", path)).transpose().usage()?;
        let mut csv = file.map(PerftCsv::new);
        let mut tally = Tally::default();
        for counter in &mut counters {
            for suite in &suites {
                if !self.check_suite(counter.as_mut(), suite, csv.as_mut(), &mut tally)? {
                    break;
                }
            }
        }
        Ok(match tally {
            Tally { broken: 1.., .. } => ExitCode::EngineBroke,
            Tally { wrong: 1.., .. } => ExitCode::Regression,
            Tally { .. } => ExitCode::Done,
        })
    }

    /// Shakmaty first, which says whether the suites are right, then the engines, or our own core where there are none.
    fn start_counters(&self) -> anyhow::Result<Vec<Box<dyn MoveCounter>>> {
        let mut counters: Vec<Box<dyn MoveCounter>> = vec![Box::new(Oracle)];
        if self.engines.is_empty() {
            counters.push(Box::new(OwnCore));
        }
        for engine in engines::resolve_all(&self.engines, &mut console::announce_build)? {
            let session = sessions::start(&engine)?;
            let mut counter = EngineCounter::new(engine.name, session);
            // An engine that does not count is told before anyone has counted for minutes.
            counter.probe()?;
            counters.push(Box::new(counter));
        }
        Ok(counters)
    }

    /// Prints a line for the suite, and a paragraph per mismatch. Returns false when the counter broke.
    fn check_suite(
        &self,
        counter: &mut dyn MoveCounter,
        suite: &PerftSuite,
        mut csv: Option<&mut PerftCsv<File>>,
        tally: &mut Tally,
    ) -> Result<bool, CliError> {
        let (max_depth, max_nodes) = (self.depth.unwrap_or(u32::MAX), self.max_nodes.unwrap_or(u64::MAX));
        let mut out = io::stdout().lock();
        let (mut nodes, mut time, mut wrong, mut left_out) = (0, Duration::ZERO, 0, 0);
        for position in &suite.positions {
            let asked = position.within(max_depth, max_nodes);
            left_out += position.within(max_depth, u64::MAX).counts.len() - asked.counts.len();
            let check = match PerftCheck::run(counter, &asked, max_depth) {
                // What cannot be set is for the user to mend.
                Err(CountError::Engine(error)) if !matches!(error, EngineError::Setting { .. }) => {
                    console::note(&format!("{}:{}: {}: {error}", suite.name, position.line, position.name));
                    tally.broken += 1;
                    return Ok(false);
                }
                check => check.usage()?,
            };
            nodes += check.nodes;
            time += check.time;
            if let Some(mismatch) = &check.mismatch {
                wrong += 1;
                write_mismatch(&mut out, counter.name(), suite, position, mismatch).fault()?;
            }
            if let Some(csv) = &mut csv {
                csv.write(counter.name(), &suite.name, position, &check).fault()?;
            }
        }
        tally.wrong += wrong;
        let verdict = if wrong == 0 { "✓".to_owned() } else { format!("✗ {wrong} wrong") };
        let millions = nodes as f64 / 1e6;
        let speed = millions / time.as_secs_f64().max(1e-9);
        writeln!(
            out,
            "{:<16} {:<24} {verdict} {:>4} positions {millions:>9.1} million nodes {speed:>7.0} million/s{}",
            counter.name(),
            suite.name,
            suite.positions.len(),
            describe_left_out(left_out, max_nodes),
        )
        .fault()?;
        Ok(true)
    }
}

fn describe_left_out(left_out: usize, max_nodes: u64) -> String {
    match left_out {
        0 => String::new(),
        1 => format!("   1 count above {max_nodes} left out"),
        _ => format!("   {left_out} counts above {max_nodes} left out"),
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
        return writeln!(out, "  shakmaty counts {found} too: the suite is wrong");
    };
    writeln!(out, "  smallest position: {}", difference.fen)?;
    if !difference.path.is_empty() {
        writeln!(out, "  reached by: {}", difference.path.join(" "))?;
    }
    if difference.by_moves_only {
        writeln!(out, "  set up by its FEN it is counted right: what is kept from the moves is wrong")?;
    }
    if !difference.missing.is_empty() {
        writeln!(out, "  moves missing: {}", difference.missing.join(" "))?;
    }
    if !difference.extra.is_empty() {
        writeln!(out, "  moves that are illegal: {}", difference.extra.join(" "))?;
    }
    if difference.missing.is_empty() && difference.extra.is_empty() {
        writeln!(out, "  its moves are right but their counts do not add up")?;
    }
    Ok(())
}
