//! `arbiter tactics ENGINE…`: engines solve positions with known best moves.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::engine_solver::{SolveError, solve_all};
use super::tactics_result::TacticsComparison;
use super::tactics_result::TacticsResult;
use super::tactics_suite::{TacticsPosition, TacticsSuite};
use super::tactics_text::TacticsCsv;
use super::tactics_text::{TacticsColumn, TacticsText};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stdout};
use crate::engines;
use crate::engines::{EngineSpec, sessions};
use crate::files::{new_file, suite_files};
use crate::options::MoveLimitArgs;
use crate::text::number_text::counted;
use runner::{EngineConfig, SearchLimits};
use uci::Go;

/// The time for a position when the user gives no limit, in milliseconds.
const DEFAULT_MOVETIME: u64 = 1000;

/// The arguments of `arbiter tactics`.
#[derive(Debug, Args)]
#[command(after_help = "Without a limit, each search takes 1000 ms.")]
pub struct TacticsArgs {
    /// The engines: NAME, NAME@REV or a path, each with :Option=value,…; the first is compared with each other one
    #[arg(required = true, value_name = "ENGINE")]
    engines: Vec<EngineSpec>,

    /// A tactics suite, a file or a shipped one; may be repeated [default: tarrasch.epd and classics.epd]
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// Number of engine processes; each searches one position at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,

    /// List all missed positions with the move played; missed required positions are always listed
    #[arg(long)]
    missed: bool,

    /// Write a row per engine and position to this new CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    limits: MoveLimitArgs,
}

impl TacticsArgs {
    /// Lets every engine search every position.
    pub fn run(self) -> CliResult {
        let suites = suite_files::parse("tactics", &self.suite, TacticsSuite::read).usage()?;
        let engines = engines::resolve_all(&self.engines, &mut console::announce_build).usage()?;
        sessions::introduce_all(&engines).usage()?;
        let file = self.csv.as_deref().map(|path| new_file::create("--csv", path)).transpose().usage()?;
        let mut csv = file.map(TacticsCsv::new);
        let mut columns = Vec::new();
        for engine in &engines {
            let mut column = TacticsColumn { engine: engine.name.clone(), results: Vec::new() };
            for suite in &suites {
                column.results.extend(self.solve_suite(engine, suite, csv.as_mut())?);
            }
            columns.push(column);
        }
        let positions: Vec<(&str, &TacticsPosition)> = suites
            .iter()
            .flat_map(|suite| suite.positions.iter().map(|position| (suite.name.as_str(), position)))
            .collect();
        let mut out = stdout();
        let colour = console::wants_colour(&io::stdout());
        write!(out, "\n{}", TacticsText::new(&positions, &columns, self.missed, colour)).fault()?;
        Ok(if columns.iter().any(|column| column.results.contains(&None)) {
            ExitCode::EngineBroke
        } else if is_regression(&positions, &columns) {
            ExitCode::Regression
        } else {
            ExitCode::Done
        })
    }

    /// Prints the missed positions to list, and a line for the suite. Returns the results in the order of the positions;
    /// `None` where the engine failed.
    fn solve_suite(
        &self,
        engine: &EngineConfig,
        suite: &TacticsSuite,
        mut csv: Option<&mut TacticsCsv<File>>,
    ) -> Result<Vec<Option<TacticsResult>>, CliError> {
        let mut results = vec![None; suite.positions.len()];
        let mut written = Ok(());
        let mut report = |index: usize, result: Result<TacticsResult, SolveError>| {
            let position: &TacticsPosition = &suite.positions[index];
            if let Err(error) = &result {
                console::note(&format!("{}: {error}", position.id));
            }
            let result = result.ok();
            if let Some(csv) = &mut csv {
                csv.write(&engine.name, &suite.name, position, result.as_ref()).fault()?;
            }
            let is_listed = self.missed || position.required;
            if is_listed && !result.as_ref().is_some_and(TacticsResult::is_solved) {
                let answer = result.as_ref().map_or("no answer", |result| &result.answer);
                let mark = if position.required { ", required" } else { "" };
                let (id, line) = (&position.id, position.line);
                writeln!(stdout(), "  missed {id} ({}:{line}{mark}): played {answer}", suite.name).fault()?;
            }
            results[index] = result;
            Ok(())
        };
        let start = || sessions::start(engine);
        let solved =
            solve_all(&suite.positions, &self.go(), usize::from(self.concurrency), start, |index, result| {
                if written.is_ok() {
                    written = report(index, result);
                }
            });
        written?;
        solved.usage()?;
        let both = || suite.positions.iter().zip(&results);
        let is_solved =
            |result: &Option<TacticsResult>| result.as_ref().is_some_and(TacticsResult::is_solved);
        let misses_required = both().any(|(position, result)| position.required && !is_solved(result));
        let faults = results.iter().filter(|result| result.is_none()).count();
        let verdict = if misses_required || faults > 0 { "✗" } else { "✓" };
        let faults =
            if faults > 0 { format!(", {}", counted(faults as u64, "engine fault")) } else { String::new() };
        let (solved, all) = (both().filter(|both| is_solved(both.1)).count(), results.len());
        writeln!(stdout(), "{:<16} {:<24} {verdict} {solved}/{all}{faults}", engine.name, suite.name)
            .fault()?;
        Ok(results)
    }

    fn go(&self) -> Go {
        let mut limits = self.limits.limits();
        if limits == SearchLimits::default() {
            limits.movetime = Some(Duration::from_millis(DEFAULT_MOVETIME));
        }
        limits.go()
    }
}

/// Whether the first engine misses a required position, or solves significantly fewer positions than another one.
fn is_regression(positions: &[(&str, &TacticsPosition)], columns: &[TacticsColumn]) -> bool {
    let [first, others @ ..] = columns else { return false };
    let misses_required = positions.iter().zip(&first.results).any(|((_, position), result)| {
        position.required && !result.as_ref().is_some_and(TacticsResult::is_solved)
    });
    let is_worse =
        |other: &TacticsColumn| TacticsComparison::of(&first.results, &other.results).is_regression();
    misses_required || others.iter().any(is_worse)
}
