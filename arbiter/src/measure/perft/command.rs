//! `arbiter perft [ENGINE…]`: tests move generators by counting legal moves.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::divide_command::DivideArgs;
use super::engine_counter::{EngineCounter, PerftForm};
use super::measurement::{PerftRecord, PerftSettings, PerftTest, SuiteCounts, judge};
use super::move_counter::{MoveCounter, Oracle, OwnCore};
use super::perft_check::PerftCheck;
use super::perft_suite::PerftPosition;
use crate::cli::{CliError, CliResult, OrExitCode, answer, console, say};
use crate::engines::{self, EngineSpec, session};
use crate::files::{new_file, suite_files};
use crate::measure::Judgement;
use crate::report::verdict::Verdict;
use crate::text::number_text::{counted, thousands};
use crate::text::{CsvRows, Document};

#[derive(Debug, Args)]
pub struct PerftArgs {
    /// Engines that answer `go perft N`, `perft N` or `divide N` with counts [default: Arbiter's own move generator]
    #[arg(value_name = "ENGINE")]
    engines: Vec<EngineSpec>,

    /// A perft suite, a file or a shipped one; may be repeated [default: all shipped suites; without the Chess960 ones for
    /// an engine without `UCI_Chess960`]
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// Maximum depth
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Skip counts of more than N nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_nodes: Option<u64>,

    /// The line that asks an engine for a count, such as 'count {depth}'; {fen} is replaced too
    #[arg(long, value_name = "LINE", requires = "nodes")]
    uci: Option<String>,

    /// Regular expression for the number in the answer, with one group, such as '^leaves (\d+)'
    #[arg(long, value_name = "REGEX", requires = "uci")]
    nodes: Option<String>,

    /// Write a row per engine, position and depth to this new CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Refuse suites with illegal positions instead of skipping them
    #[arg(long)]
    strict: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    divide: DivideArgs,
}

#[derive(Serialize)]
struct PerftReport {
    schema: u32,
    counters: Vec<CounterReport>,
}

#[derive(Serialize)]
struct CounterReport {
    counter: String,
    /// The suites that were counted before the engine broke, or all.
    suites: Vec<SuiteCounts>,
    judgement: Judgement,
}

impl PerftArgs {
    pub fn run(self) -> CliResult {
        if let Some(fen) = &self.divide.fen {
            let form = self.settings(Vec::new()).form().usage()?;
            let engines = self.start_engines(form.as_ref()).usage()?;
            return self.divide.run(fen, self.depth.unwrap_or(1), engines, self.json);
        }
        let mut test = self.settings(self.suite.clone()).read().usage()?;
        suite_files::refuse_skipped(self.strict, &test.suites).usage()?;
        test.max_nodes = self.max_nodes.unwrap_or(u64::MAX);
        // Shakmaty comes first, which tests the suites themselves.
        let mut counters: Vec<Box<dyn MoveCounter>> = vec![Box::new(Oracle)];
        if self.engines.is_empty() {
            counters.push(Box::new(OwnCore));
        }
        counters.extend(self.start_engines(test.form.as_ref()).usage()?);
        let file = self.csv.as_deref().map(|path| new_file::create("--csv", path)).transpose().usage()?;
        let mut csv = file.map(CsvRows::new);
        let mut report = PerftReport { schema: 1, counters: Vec::new() };
        for counter in &mut counters {
            let test = test.clone().without_what_is_skipped(counter.as_ref());
            test.note_skipped(counter.name());
            report.counters.push(self.count(&test, counter.as_mut(), csv.as_mut())?);
        }
        let verdict = report.counters.iter().map(|counter| counter.judgement.verdict).max();
        // The text was printed as it became known.
        answer(&report, self.json, |_| Document::default())?;
        Ok(verdict.unwrap_or(Verdict::Same).exit_code())
    }

    fn settings(&self, suites: Vec<PathBuf>) -> PerftSettings {
        let PerftArgs { depth, uci, nodes, .. } = self;
        PerftSettings { suites, depth: *depth, uci: uci.clone(), nodes: nodes.clone() }
    }

    fn count(
        &self,
        test: &PerftTest,
        counter: &mut dyn MoveCounter,
        mut csv: Option<&mut CsvRows<File>>,
    ) -> Result<CounterReport, CliError> {
        let name = counter.name().to_owned();
        let mut suites = Vec::new();
        for suite in &test.suites {
            let mut said = Ok(());
            let counts = test.count_suite(counter, suite, |position, check, wrong| {
                said = say(self.json, wrong.into_iter().flat_map(|wrong| wrong.lines(&name)));
                if let (Ok(()), Some(csv)) = (&said, &mut csv) {
                    let mut rows = PerftRow::of(&name, &suite.name, position, check);
                    said = rows.try_for_each(|row| csv.write(row)).fault();
                }
                if said.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            said?;
            match counts {
                Ok(counts) => {
                    say(self.json, [counts.line(&name, test.max_nodes)])?;
                    suites.push(counts);
                }
                Err(error) => {
                    let judgement = error.judgement("counts")?;
                    console::note(&judgement.sentence);
                    return Ok(CounterReport { counter: name, suites, judgement });
                }
            }
        }
        Ok(CounterReport { judgement: judge(&suites), counter: name, suites })
    }

    fn start_engines(&self, form: Option<&PerftForm>) -> anyhow::Result<Vec<Box<dyn MoveCounter>>> {
        let mut counters: Vec<Box<dyn MoveCounter>> = Vec::new();
        for engine in engines::resolve_all(&self.engines, &mut console::announce_build)? {
            let mut counter = EngineCounter::new(session::introduce(&engine)?, form.cloned());
            // An engine without perft is reported before others have counted for minutes.
            counter.probe()?;
            counters.push(Box::new(counter));
        }
        Ok(counters)
    }
}

impl SuiteCounts {
    /// `tarrasch       smirf.epd         ✓     6 positions   1,000,000 nodes  90 Mnps`, 80 columns with the indent.
    fn line(&self, counter: &str, max_nodes: u64) -> String {
        let verdict = match self.wrong.len() {
            0 => "✓".to_owned(),
            wrong => format!("✗ {wrong} wrong"),
        };
        let speed = self.record.nodes as f64 / 1e6 / self.time.as_secs_f64().max(1e-9);
        let skipped = match self.skipped {
            0 => String::new(),
            skipped => {
                let counts = counted(skipped as u64, "count");
                format!("   {counts} above {} nodes skipped", thousands(max_nodes))
            }
        };
        let PerftRecord { suite, positions, nodes, .. } = &self.record;
        let (positions, nodes) = (thousands(*positions as u64), thousands(*nodes));
        let decimals = usize::from(speed < 10.0);
        format!(
            "{counter:<14} {suite:<17} {verdict} {positions:>5} positions {nodes:>11} nodes {speed:>3.decimals$} Mnps{skipped}"
        )
    }
}

/// One row. A skipped depth has no count; the last five fields describe a wrong count.
#[derive(Default, Serialize)]
struct PerftRow<'a> {
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

impl<'a> PerftRow<'a> {
    /// The rows of a position, one per depth of the suite. A depth is `skipped` because of a limit, an earlier wrong count,
    /// or a failed engine.
    fn of(
        counter: &'a str,
        suite: &'a str,
        position: &'a PerftPosition,
        check: &'a PerftCheck,
    ) -> impl Iterator<Item = PerftRow<'a>> {
        position.counts.iter().map(move |&(depth, expected)| {
            let mut row = PerftRow {
                counter,
                suite,
                line: position.line,
                position: &position.name,
                fen: &position.fen,
                depth,
                expected,
                verdict: "skipped",
                ..PerftRow::default()
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
            row
        })
    }
}
