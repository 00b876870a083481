//! `arbiter tactics ENGINE…`: engines solve positions with known best moves; prints a table and a comparison.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::mate_audit::MateAudit;
use super::measurement::{Solved, TacticsSettings, TacticsTest, ThemePoints};
use super::solver::TacticsResult;
use super::tactics_suite::{TacticsPosition, TacticsSuite};
use crate::cli::{CliError, CliResult, OrExitCode, answer, console, say};
use crate::engines::{self, EngineSpec, session};
use crate::files::{new_file, suite_files};
use crate::measure::{Judgement, MeasureError};
use crate::options::MoveLimitArgs;
use crate::report::verdict::Verdict;
use crate::text::number_text::{short_time, thousands};
use crate::text::{CsvRows, Document, Line, Table, Tone};
use runner::EngineConfig;

#[derive(Debug, Args)]
#[command(after_help = "Without a limit, each search takes 1000 ms.")]
pub struct TacticsArgs {
    /// Paths, names or NAME@REV; options follow a colon: ./new:Hash=64; the first is compared with each of the others
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

    /// Refuse suites with unusable lines instead of skipping them
    #[arg(long)]
    strict: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: MoveLimitArgs,
}

impl TacticsArgs {
    pub fn run(self) -> CliResult {
        let limits = self.limits.limits();
        let settings = TacticsSettings::new(self.suite.clone(), Some(usize::from(self.concurrency)), &limits);
        let test = TacticsTest { all_required: true, ..settings.read().usage()? };
        suite_files::refuse_skipped(self.strict, &test.suites).usage()?;
        let engines = engines::resolve_all(&self.engines, &mut console::announce_build).usage()?;
        session::introduce_all(&engines).usage()?;
        let file = self.csv.as_deref().map(|path| new_file::create("--csv", path)).transpose().usage()?;
        let mut csv = file.map(CsvRows::new);
        let mut solved = Vec::new();
        for engine in &engines {
            match self.solve(&test, engine, csv.as_mut())? {
                Ok(of_engine) => solved.push(of_engine),
                Err(error) => {
                    console::note(&format!("{}: {}", engine.name, error.engine_fault()?));
                    return Ok(Verdict::Broken.exit_code());
                }
            }
        }
        let (first, others) = solved.split_first().context("no engine").fault()?;
        let judgements = match others {
            [] => vec![first.judge(&[], "")],
            _ => others.iter().map(|other| first.judge(&other.known(), &other.engine)).collect(),
        };
        let worst = judgements.iter().map(|judgement| judgement.verdict).max().unwrap_or(Verdict::Same);
        let is_broken = solved.iter().any(|engine| engine.results.contains(&None));
        let rows = solved
            .iter()
            .flat_map(|engine| engine.positions().map(|found| TacticsRow::new(&engine.engine, found)));
        let mates = solved.iter().flat_map(|of| {
            of.mate_audits().into_iter().map(|(suite, audit)| EngineMates {
                engine: &of.engine,
                suite,
                audit,
            })
        });
        let report = TacticsReport {
            schema: 1,
            limit: test.go.to_string(),
            results: rows.collect(),
            themes: solved.iter().flat_map(Solved::themes).collect(),
            mates: mates.collect(),
            judgements,
        };
        answer(&report, self.json, |_| document(first, others, self.missed))?;
        Ok(if is_broken { Verdict::Broken } else { worst }.exit_code())
    }

    /// Searches the positions. Prints the missed ones as they occur, if wanted, and then a line for each suite.
    fn solve<'a>(
        &self,
        test: &'a TacticsTest,
        engine: &EngineConfig,
        mut csv: Option<&mut CsvRows<File>>,
    ) -> Result<Result<Solved<'a>, MeasureError>, CliError> {
        let mut said = Ok(());
        let mut report = |suite: &TacticsSuite,
                          position: &TacticsPosition,
                          result: Option<&TacticsResult>| {
            if let Some(csv) = &mut csv {
                csv.write(TacticsRow::new(&engine.name, (&suite.name, position, result))).fault()?;
            }
            let is_listed = self.missed || position.required;
            let missed = (is_listed && !result.is_some_and(TacticsResult::is_solved)).then(|| {
                let answer = result.map_or("no answer", |result| &result.answer);
                let mark = if position.required { ", required" } else { "" };
                format!("missed {} ({}:{}{mark}): played {answer}", position.id, suite.name, position.line)
            });
            say(self.json, missed)
        };
        let solved = test.measure(engine, |suite, position, result| {
            if let Err(error) = result {
                console::note(&format!("{}: {error}", position.id));
            }
            if said.is_ok() {
                said = report(suite, position, result.as_ref().ok());
            }
        });
        said?;
        let solved = match solved {
            Ok(solved) => solved,
            Err(error) => return Ok(Err(error)),
        };
        say(self.json, solved.suite_lines())?;
        let audits = solved.mate_audits();
        for (suite, audit) in &audits {
            say(self.json, (audits.len() > 1).then(|| format!("{suite}:")))?;
            say(self.json, audit.lines())?;
        }
        Ok(Ok(solved))
    }
}

#[derive(Serialize)]
struct TacticsReport<'a> {
    schema: u32,
    limit: String,
    results: Vec<TacticsRow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    themes: Vec<ThemePoints<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mates: Vec<EngineMates<'a>>,
    judgements: Vec<Judgement>,
}

#[derive(Serialize)]
struct EngineMates<'a> {
    engine: &'a str,
    suite: &'a str,
    #[serde(flatten)]
    audit: MateAudit,
}

/// The number of positions solved by only one engine that are listed without `--missed`.
const MAX_LISTED: usize = 5;

fn document(first: &Solved<'_>, others: &[Solved<'_>], lists_all: bool) -> Document {
    let with_points = first.positions().any(|(_, position, _)| position.max_points() > 0);
    let headings =
        ["", "Solved", "Required", "Time to solution", "Depth", "Nodes/position", "Time/position", "Points"];
    let mut table = Table::new(&headings[..if with_points { 8 } else { 7 }]);
    let mut document = Document::default();
    document.gap();
    [first].into_iter().chain(others).for_each(|engine| table.row(row(engine, with_points)));
    document.table(table);
    let themes: Vec<_> = [first].into_iter().chain(others).flat_map(Solved::themes).collect();
    if themes.len() > 1 + others.len() {
        let mut table = Table::new(["", "Theme", "Points"]).left(&[1]);
        for ThemePoints { engine, theme, points, most, .. } in themes {
            table.plain([engine.to_owned(), theme.to_owned(), format!("{points}/{most}")]);
        }
        document.gap();
        document.table(table);
    }
    for engine in [first].into_iter().chain(others) {
        document.lines(engine.doubts().into_iter().map(|doubt| format!("warning: {doubt}")));
    }
    for other in others {
        compare(&mut document, first, other, lists_all);
    }
    document
}

fn row(engine: &Solved<'_>, with_points: bool) -> Vec<(String, Tone)> {
    let all = engine.results.len();
    let known: Vec<&TacticsResult> = engine.results.iter().flatten().collect();
    let solutions: Vec<_> = known.iter().filter_map(|result| result.solution).collect();
    let wanted = engine.positions().filter(|(_, position, _)| position.required).count();
    let met = wanted - engine.missed_of_marked().len();
    let time: Duration = solutions.iter().map(|solution| solution.time).sum();
    let per_solution = (!solutions.is_empty()).then(|| time / solutions.len() as u32);
    let depth: f64 = solutions.iter().map(|solution| f64::from(solution.depth)).sum();
    let mean_depth = (!solutions.is_empty()).then(|| depth / solutions.len() as f64);
    let nodes: u64 = known.iter().map(|result| result.nodes).sum();
    let all_time: Duration = known.iter().map(|result| result.time).sum();
    let plain = |text: String| (text, Tone::Plain);
    let mut row = vec![
        (engine.engine.clone(), Tone::Strong),
        plain(format!("{}/{all}", solutions.len())),
        (format!("{met}/{wanted}"), if met < wanted { Tone::Bad } else { Tone::Plain }),
        plain(per_solution.map_or_else(|| "?".to_owned(), short_time)),
        plain(mean_depth.map_or_else(|| "?".to_owned(), |depth| format!("{depth:.1}"))),
        plain(thousands(nodes / all.max(1) as u64)),
        plain(short_time(all_time / known.len().max(1) as u32)),
    ];
    if with_points {
        let points = engine.positions().map(|(_, position, result)| position.points_and_most(result));
        let [points, most] = points.fold([0; 2], |sum, next| [sum[0] + next[0], sum[1] + next[1]]);
        row.push(plain(format!("{points}/{most}")));
    }
    row
}

fn compare(document: &mut Document, first: &Solved<'_>, other: &Solved<'_>, lists_all: bool) {
    let comparison = first.comparison(&other.known());
    let (found, lost) = (comparison.found.len(), comparison.lost.len());
    let (one, two) = (&first.engine, &other.engine);
    document.gap();
    document.line(format!(
        "solved by {one} only: {found}; by {two} only: {lost} (McNemar's exact test: {})",
        comparison.significance()
    ));
    let positions: Vec<_> = first.positions().collect();
    for (mark, tone, indices) in
        [("  +", Tone::Good, &comparison.found), ("  -", Tone::Bad, &comparison.lost)]
    {
        let marked = |text: String| Line::default().and(mark, tone).and(text, Tone::Plain);
        let listed = if lists_all { indices.len() } else { indices.len().min(MAX_LISTED) };
        document.lines(indices[..listed].iter().map(|index| {
            let (suite, TacticsPosition { id, line, fen, .. }, _) = positions[*index];
            marked(format!(" {id} ({suite}:{line})  {fen}"))
        }));
        if listed < indices.len() {
            let rest = indices.len() - listed;
            document.line(marked(format!(" … and {rest} more (list them with --missed)")));
        }
    }
}

/// One row. Fields without a value, such as those of an engine that failed, are empty.
#[derive(Debug, Serialize)]
pub struct TacticsRow<'a> {
    engine: &'a str,
    suite: &'a str,
    line: usize,
    id: &'a str,
    required: bool,
    solved: bool,
    answer: &'a str,
    solution_ms: Option<u64>,
    solution_nodes: Option<u64>,
    solution_depth: Option<u32>,
    nodes: Option<u64>,
    ms: Option<u64>,
    points: Option<u32>,
    most_points: Option<u32>,
    /// The mate that the last score claims, and the shortest known one.
    mate: Option<i32>,
    known_mate: Option<i32>,
}

impl<'a> TacticsRow<'a> {
    pub fn new(
        engine: &'a str,
        (suite, position, result): (&'a str, &'a TacticsPosition, Option<&'a TacticsResult>),
    ) -> TacticsRow<'a> {
        let solution = result.and_then(|result| result.solution);
        let [points, most] = position.points_and_most(result);
        let has_points = most > 0;
        TacticsRow {
            engine,
            suite,
            line: position.line,
            id: &position.id,
            required: position.required,
            solved: solution.is_some(),
            answer: result.map_or("", |result| &result.answer),
            solution_ms: solution.map(|solution| solution.time.as_millis() as u64),
            solution_nodes: solution.map(|solution| solution.nodes),
            solution_depth: solution.map(|solution| solution.depth),
            nodes: result.map(|result| result.nodes),
            ms: result.map(|result| result.time.as_millis() as u64),
            points: has_points.then_some(points),
            most_points: has_points.then_some(most),
            mate: result.and_then(|result| result.mates.last),
            known_mate: position.mate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_position_shows_what_an_engine_keeps_back() {
        let after = |millis| {
            let time = Duration::from_millis(millis);
            Some(TacticsResult { answer: "e1e2".to_owned(), nodes: 1, time, ..TacticsResult::default() })
        };
        let test = TacticsSettings::default().read().unwrap();
        let results = vec![after(39), None, after(41)];
        let solved = Solved { engine: "careful".to_owned(), test: &test, results, unsteady: Vec::new() };
        let text = document(&solved, &[], false).terminal(false);
        assert!(text.contains("Time/position") && text.trim_end().ends_with("40.0 ms"), "{text}");
        let row: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(row[3..5], ["?", "?"], "nothing solved has neither time nor depth: {text}");
    }
}
