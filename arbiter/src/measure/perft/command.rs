//! `arbiter perft [ENGINE…]`: tests move generators by counting legal moves.

use std::borrow::Borrow;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::move_counter::EngineCounter;
use super::move_counter::{MoveCounter, Oracle, OwnCore};
use super::perft_check::{PerftCheck, PerftMismatch};
use super::perft_csv::PerftCsv;
use super::perft_suite::{PerftPosition, PerftSuite};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stdout};
use crate::engines;
use crate::engines::{EngineSpec, sessions};
use crate::files::{new_file, suite_files};
use crate::text::number_text::thousands;
use referee::Variant;

/// The arguments of `arbiter perft`.
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
}

/// Positions with a wrong count, and counters that failed.
#[derive(Default)]
struct Tally {
    wrong: usize,
    failed: usize,
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
            let (counted, skipped) = countable(counter.as_ref(), &suites, !self.suite.is_empty());
            note_skipped(counter.name(), &skipped);
            for suite in counted {
                if !self.check_suite(counter.as_mut(), suite, csv.as_mut(), &mut tally)? {
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
        for engine in engines::resolve_all(&self.engines, &mut console::announce_build)? {
            let session = sessions::introduce(&engine)?;
            let mut counter = EngineCounter::new(engine.name, session);
            // An engine without perft is reported before others have counted for minutes.
            counter.probe()?;
            counters.push(Box::new(counter));
        }
        Ok(counters)
    }

    /// Prints a line for the suite, and a paragraph per wrong position. Returns false when the counter failed.
    fn check_suite(
        &self,
        counter: &mut dyn MoveCounter,
        suite: &PerftSuite,
        mut csv: Option<&mut PerftCsv<File>>,
        tally: &mut Tally,
    ) -> Result<bool, CliError> {
        let (max_depth, max_nodes) = (self.depth.unwrap_or(u32::MAX), self.max_nodes.unwrap_or(u64::MAX));
        let mut out = stdout();
        let (mut nodes, mut time, mut wrong, mut skipped) = (0, Duration::ZERO, 0, 0);
        for position in &suite.positions {
            let asked = position.within(max_depth, max_nodes);
            skipped += position.within(max_depth, u64::MAX).counts.len() - asked.counts.len();
            let check = match PerftCheck::run(counter, &asked, max_depth) {
                Err(error) if error.is_engine_fault() => {
                    console::note(&format!("{}:{}: {}: {error}", suite.name, position.line, position.name));
                    tally.failed += 1;
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
        let speed = nodes as f64 / 1e6 / time.as_secs_f64().max(1e-9);
        writeln!(
            out,
            "{:<16} {:<24} {verdict} {:>4} positions {:>15} nodes {speed:>5.0} Mnps{}",
            counter.name(),
            suite.name,
            suite.positions.len(),
            thousands(nodes),
            describe_skipped(skipped, max_nodes),
        )
        .fault()?;
        Ok(true)
    }
}

/// The suites that a counter counts, and the names of those that it skips. A suite that the user names must be counted; of
/// those that ship, an engine without Chess960 skips those of that.
pub fn countable<S: Borrow<PerftSuite>>(
    counter: &dyn MoveCounter,
    suites: impl IntoIterator<Item = S>,
    are_named: bool,
) -> (Vec<S>, Vec<String>) {
    let all = are_named || counter.plays(Variant::Chess960);
    let (counted, skipped): (Vec<S>, Vec<S>) =
        suites.into_iter().partition(|suite| all || !suite.borrow().has_chess960());
    (counted, skipped.iter().map(|suite| suite.borrow().name.clone()).collect())
}

/// Says which suites an engine without Chess960 does not count, if there are any.
pub fn note_skipped(engine: &str, suites: &[String]) {
    if !suites.is_empty() {
        console::note(&format!("{engine} has no option UCI_Chess960: skipped {}", suites.join(", ")));
    }
}

fn describe_skipped(skipped: usize, max_nodes: u64) -> String {
    match skipped {
        0 => String::new(),
        1 => format!("   1 count above {} nodes skipped", thousands(max_nodes)),
        _ => format!("   {skipped} counts above {} nodes skipped", thousands(max_nodes)),
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
    writeln!(out, "  first wrong position: {}", difference.fen)?;
    if !difference.path.is_empty() {
        writeln!(out, "  after the moves: {}", difference.path.join(" "))?;
    }
    if difference.by_moves_only {
        writeln!(out, "  the count from its FEN is right: the error comes from playing the moves")?;
    }
    if !difference.missing.is_empty() {
        writeln!(out, "  missing moves: {}", difference.missing.join(" "))?;
    }
    if !difference.extra.is_empty() {
        writeln!(out, "  illegal moves: {}", difference.extra.join(" "))?;
    }
    if !difference.repeated.is_empty() {
        writeln!(out, "  listed twice: {}", difference.repeated.join(" "))?;
    }
    if difference.has_right_moves() {
        writeln!(out, "  its moves are right, but their counts do not add up")?;
    }
    Ok(())
}
