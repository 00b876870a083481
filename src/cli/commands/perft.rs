//! `arbiter perft [ENGINE…]`: does a move generator know the rules?

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::cli::engines::{self, EngineSpec};
use crate::cli::error::{Blame, CliResult};
use crate::cli::{ExitCode, console, engine_sessions, suite_files};
use crate::suites::{
    EngineCounter, MoveCounter, Oracle, OwnCore, PerftCheck, PerftMismatch, PerftPosition, PerftSuite,
};

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
}

impl PerftArgs {
    /// Counts every suite with every counter.
    pub fn run(self) -> CliResult {
        let texts = suite_files::read("perft", &self.suite).usage()?;
        let suites: Result<Vec<PerftSuite>, _> =
            texts.iter().map(|(name, text)| PerftSuite::parse(name, text)).collect();
        let suites = suites.usage()?;
        let max_depth = self.depth.unwrap_or(u32::MAX);
        let mut counters: Vec<Box<dyn MoveCounter>> = vec![Box::new(Oracle)];
        if self.engines.is_empty() {
            counters.push(Box::new(OwnCore));
        }
        for spec in &self.engines {
            let engine = engines::resolve(spec, &mut console::announce_build).usage()?;
            let session = engine_sessions::start(&engine).usage()?;
            counters.push(Box::new(EngineCounter::new(engine.name, session)));
        }
        let mut wrong = 0;
        for counter in &mut counters {
            for suite in &suites {
                wrong += check_suite(counter.as_mut(), suite, max_depth).usage()?;
            }
        }
        Ok(if wrong == 0 { ExitCode::Done } else { ExitCode::Regression })
    }
}

/// Prints a line per suite, and a paragraph per mismatch; returns how many positions are wrong.
fn check_suite(counter: &mut dyn MoveCounter, suite: &PerftSuite, max_depth: u32) -> anyhow::Result<usize> {
    let mut out = io::stdout().lock();
    let (mut nodes, mut time, mut wrong) = (0, Duration::ZERO, 0);
    for position in &suite.positions {
        let check = PerftCheck::run(counter, position, max_depth)?;
        nodes += check.nodes;
        time += check.time;
        if let Some(mismatch) = &check.mismatch {
            wrong += 1;
            write_mismatch(&mut out, counter.name(), suite, position, mismatch)?;
        }
    }
    let verdict = if wrong == 0 { "✓".to_owned() } else { format!("✗ {wrong} wrong") };
    let millions = nodes as f64 / 1e6;
    let speed = millions / time.as_secs_f64().max(1e-9);
    writeln!(
        out,
        "{:<16} {:<24} {verdict} {:>4} positions {millions:>9.1} million nodes {speed:>7.0} million/s",
        counter.name(),
        suite.name,
        suite.positions.len(),
    )?;
    Ok(wrong)
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
