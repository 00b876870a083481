//! `arbiter tactics ENGINE…`: engines solve positions with known best moves; their table, comparison and CSV.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::measurement::{TacticsComparison, TacticsSettings, TacticsTest};
use super::solver::{SolveError, TacticsResult};
use super::tactics_suite::{TacticsPosition, TacticsSuite};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console, stdout};
use crate::engines::{self, EngineSpec, session};
use crate::files::{new_file, suite_files};
use crate::options::MoveLimitArgs;
use crate::report::verdict::Judged;
use crate::text::number_text::{counted, short_time, thousands};
use crate::text::{Table, Tone};
use runner::EngineConfig;

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

    /// Refuse suites with lines that cannot be used, instead of skipping these
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    limits: MoveLimitArgs,
}

impl TacticsArgs {
    pub fn run(self) -> CliResult {
        let limits = self.limits.limits();
        let settings = TacticsSettings::new(self.suite.clone(), Some(usize::from(self.concurrency)), &limits);
        let test = settings.read().usage()?;
        let suites = || test.suites.iter().map(|suite| &suite.suite);
        suite_files::refuse_skipped(self.strict, suites().map(|suite| &suite.skipped)).usage()?;
        let engines = engines::resolve_all(&self.engines, &mut console::announce_build).usage()?;
        session::introduce_all(&engines).usage()?;
        let file = self.csv.as_deref().map(|path| new_file::create("--csv", path)).transpose().usage()?;
        let mut csv = file.map(TacticsCsv::new);
        let mut columns = Vec::new();
        for engine in &engines {
            let mut column = TacticsColumn { engine: engine.name.clone(), results: Vec::new() };
            for suite in suites() {
                column.results.extend(self.solve_suite(&test, engine, suite, csv.as_mut())?);
            }
            columns.push(column);
        }
        let positions: Vec<(&str, &TacticsPosition)> = suites()
            .flat_map(|suite| suite.positions.iter().map(|position| (suite.name.as_str(), position)))
            .collect();
        let mut out = stdout();
        let colour = console::wants_colour(&io::stdout());
        let text = TacticsText { positions: &positions, columns: &columns, lists_all: self.missed, colour };
        write!(out, "\n{text}").fault()?;
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
        test: &TacticsTest,
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
            if is_listed && !is_solved(result.as_ref()) {
                let answer = result.as_ref().map_or("no answer", |result| &result.answer);
                let mark = if position.required { ", required" } else { "" };
                let (id, line) = (&position.id, position.line);
                writeln!(stdout(), "  missed {id} ({}:{line}{mark}): played {answer}", suite.name).fault()?;
            }
            results[index] = result;
            Ok(())
        };
        let solved = test.solve(engine, suite, |index, result| {
            if written.is_ok() {
                written = report(index, result);
            }
        });
        written?;
        solved.usage()?;
        let both = || suite.positions.iter().zip(&results);
        let misses_required =
            both().any(|(position, result)| position.required && !is_solved(result.as_ref()));
        let faults = results.iter().filter(|result| result.is_none()).count();
        let verdict = if misses_required || faults > 0 { "✗" } else { "✓" };
        let faults =
            if faults > 0 { format!(", {}", counted(faults as u64, "engine fault")) } else { String::new() };
        let (solved, all) = (both().filter(|both| is_solved(both.1.as_ref())).count(), results.len());
        writeln!(stdout(), "{:<16} {:<24} {verdict} {solved}/{all}{faults}", engine.name, suite.name)
            .fault()?;
        Ok(results)
    }
}

fn is_solved(result: Option<&TacticsResult>) -> bool {
    result.is_some_and(TacticsResult::is_solved)
}

/// Whether the first engine misses a required position, or solves significantly fewer positions than another one.
fn is_regression(positions: &[(&str, &TacticsPosition)], columns: &[TacticsColumn]) -> bool {
    let [first, others @ ..] = columns else { return false };
    let misses_required = positions
        .iter()
        .zip(&first.results)
        .any(|((_, position), result)| position.required && !is_solved(result.as_ref()));
    let is_worse = |other: &TacticsColumn| first.compare(other).judged() == Judged::Worse;
    misses_required || others.iter().any(is_worse)
}

/// One engine's results, in the order of the positions; `None` where it failed.
struct TacticsColumn {
    engine: String,
    results: Vec<Option<TacticsResult>>,
}

impl TacticsColumn {
    /// Compares with another engine, position by position. Where an engine failed, nothing is solved.
    pub fn compare(&self, other: &TacticsColumn) -> TacticsComparison {
        let first: Vec<bool> = self.results.iter().map(|result| is_solved(result.as_ref())).collect();
        let second: Vec<Option<bool>> =
            other.results.iter().map(|result| is_solved(result.as_ref())).map(Some).collect();
        TacticsComparison::of(&first, &second)
    }
}

struct TacticsText<'a> {
    positions: &'a [(&'a str, &'a TacticsPosition)],
    columns: &'a [TacticsColumn],
    lists_all: bool,
    colour: bool,
}

/// Positions solved by one engine only that are listed without `--missed`.
const MAX_LISTED: usize = 5;

impl TacticsText<'_> {
    fn row(&self, column: &TacticsColumn, with_points: bool) -> Vec<(String, Tone)> {
        let known: Vec<&TacticsResult> = column.results.iter().flatten().collect();
        let solutions: Vec<_> = known.iter().filter_map(|result| result.solution).collect();
        let both = || self.positions.iter().zip(&column.results);
        let required = both().filter(|((_, position), _)| position.required);
        let (met, wanted) = required.fold((0, 0), |(met, wanted), (_, result)| {
            (met + u32::from(is_solved(result.as_ref())), wanted + 1)
        });
        let time: Duration = solutions.iter().map(|solution| solution.time).sum();
        let per_solution = (!solutions.is_empty()).then(|| time / solutions.len() as u32);
        let depth: f64 = solutions.iter().map(|solution| f64::from(solution.depth)).sum();
        let mean_depth = (!solutions.is_empty()).then(|| depth / solutions.len() as f64);
        let nodes: u64 = known.iter().map(|result| result.nodes).sum();
        let all_time: Duration = known.iter().map(|result| result.time).sum();
        let plain = |text: String| (text, Tone::Plain);
        let mut row = vec![
            (column.engine.clone(), Tone::Strong),
            plain(format!("{}/{}", solutions.len(), self.positions.len())),
            (format!("{met}/{wanted}"), if met < wanted { Tone::Bad } else { Tone::Plain }),
            plain(per_solution.map_or_else(|| "?".to_owned(), short_time)),
            plain(mean_depth.map_or_else(|| "?".to_owned(), |depth| format!("{depth:.1}"))),
            plain(thousands(nodes / self.positions.len().max(1) as u64)),
            plain(short_time(all_time / known.len().max(1) as u32)),
        ];
        if with_points {
            let points: u32 = both()
                .filter_map(|((_, position), result)| Some(position.points_for(&result.as_ref()?.answer)))
                .sum();
            row.push(plain(format!("{points}/{}", self.max_points())));
        }
        row
    }

    fn max_points(&self) -> u32 {
        self.positions.iter().map(|(_, position)| position.max_points()).sum()
    }

    fn compare(
        &self,
        f: &mut fmt::Formatter<'_>,
        first: &TacticsColumn,
        other: &TacticsColumn,
    ) -> fmt::Result {
        let comparison = first.compare(other);
        let (found, lost) = (comparison.found.len(), comparison.lost.len());
        let (one, two) = (&first.engine, &other.engine);
        writeln!(
            f,
            "\n  solved by {one} only: {found}; by {two} only: {lost} (McNemar's exact test: {})",
            comparison.significance()
        )?;
        for (mark, tone, indices) in
            [("+", Tone::Good, &comparison.found), ("-", Tone::Bad, &comparison.lost)]
        {
            let listed = if self.lists_all { indices.len() } else { indices.len().min(MAX_LISTED) };
            for (suite, position) in indices[..listed].iter().filter_map(|index| self.positions.get(*index)) {
                let mark = tone.paint(mark, self.colour);
                writeln!(f, "    {mark} {} ({suite}:{})  {}", position.id, position.line, position.fen)?;
            }
            if listed < indices.len() {
                writeln!(f, "    {mark} … and {} more (list them with --missed)", indices.len() - listed)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for TacticsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with_points = self.max_points() > 0;
        let headings = [
            "", "Solved", "Required", "Time to solution", "Depth", "Nodes/position", "Time/position",
            "Points",
        ];
        let mut table = Table::new(&headings[..if with_points { 8 } else { 7 }]);
        self.columns.iter().for_each(|column| table.row(self.row(column, with_points)));
        write!(f, "{}", table.text(self.colour))?;
        match self.columns {
            [first, others @ ..] => others.iter().try_for_each(|other| self.compare(f, first, other)),
            [] => Ok(()),
        }
    }
}

/// Writes each row at once, so that an interruption loses nothing.
#[derive(Debug)]
pub struct TacticsCsv<W: Write> {
    writer: csv::Writer<W>,
}

/// One row. Fields without a value, as of an engine that failed, are empty.
#[derive(Serialize)]
struct Row<'a> {
    engine: &'a str,
    suite: &'a str,
    line: usize,
    id: &'a str,
    required: bool,
    solved: bool,
    answer: &'a str,
    solution_ms: Option<u128>,
    solution_nodes: Option<u64>,
    solution_depth: Option<u32>,
    nodes: Option<u64>,
    ms: Option<u128>,
}

impl<W: Write> TacticsCsv<W> {
    pub fn new(output: W) -> TacticsCsv<W> {
        TacticsCsv { writer: csv::Writer::from_writer(output) }
    }

    pub fn write(
        &mut self,
        engine: &str,
        suite: &str,
        position: &TacticsPosition,
        result: Option<&TacticsResult>,
    ) -> csv::Result<()> {
        let solution = result.and_then(|result| result.solution);
        self.writer.serialize(Row {
            engine,
            suite,
            line: position.line,
            id: &position.id,
            required: position.required,
            solved: solution.is_some(),
            answer: result.map_or("", |result| &result.answer),
            solution_ms: solution.map(|solution| solution.time.as_millis()),
            solution_nodes: solution.map(|solution| solution.nodes),
            solution_depth: solution.map(|solution| solution.depth),
            nodes: result.map(|result| result.nodes),
            ms: result.map(|result| result.time.as_millis()),
        })?;
        Ok(self.writer.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::tactics::solver::Solution;
    use crate::measure::tactics::tactics_suite::TacticsSuite;

    #[test]
    fn the_time_of_a_position_shows_what_an_engine_keeps_back() {
        let after = |millis| {
            let time = Duration::from_millis(millis);
            Some(TacticsResult { answer: "e1e2".to_owned(), solution: None, nodes: 1, time })
        };
        let column =
            TacticsColumn { engine: "careful".to_owned(), results: vec![after(39), None, after(41)] };
        let text =
            TacticsText { positions: &[], columns: &[column], lists_all: false, colour: false }.to_string();
        assert!(text.contains("Time/position") && text.trim_end().ends_with("40.0 ms"), "{text}");
        let row: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(row[3..5], ["?", "?"], "nothing solved has neither time nor depth: {text}");
    }

    #[test]
    fn solved_missed_and_failed_have_a_row_each() {
        let suite =
            TacticsSuite::parse("x.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\";").unwrap();
        let position = &suite.positions[0];
        let time = Duration::from_millis(7);
        let solution = Some(Solution { time, nodes: 42, depth: 3 });
        let solved = TacticsResult { answer: "a1a8".to_owned(), solution, nodes: 50, time };
        let missed = TacticsResult { answer: "e1e2".to_owned(), solution: None, nodes: 50, time };
        let mut text = Vec::new();
        let mut csv = TacticsCsv::new(&mut text);
        for result in [Some(&solved), Some(&missed), None] {
            csv.write("engine", &suite.name, position, result).unwrap();
        }
        drop(csv);
        let expected = "engine,suite,line,id,required,solved,answer,solution_ms,solution_nodes,solution_depth,nodes,ms\n\
                        engine,x.epd,1,back rank,false,true,a1a8,7,42,3,50,7\n\
                        engine,x.epd,1,back rank,false,false,e1e2,,,,50,7\n\
                        engine,x.epd,1,back rank,false,false,,,,,,\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
