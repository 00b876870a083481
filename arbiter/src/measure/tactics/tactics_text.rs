//! The results of engines on tactical positions, as a table and a comparison.

use std::fmt;
use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use super::tactics_result::{TacticsComparison, TacticsResult};
use super::tactics_suite::TacticsPosition;
use crate::text::number_text::{probability, short_time, thousands};
use crate::text::{Table, Tone};

/// One engine's results, in the order of the positions; `None` where it failed.
#[derive(Clone, Debug)]
pub struct TacticsColumn {
    pub engine: String,
    pub results: Vec<Option<TacticsResult>>,
}

/// Shows the results of engines, and the comparison of the first with each other one.
#[derive(Clone, Debug)]
pub struct TacticsText<'a> {
    positions: &'a [(&'a str, &'a TacticsPosition)],
    columns: &'a [TacticsColumn],
    lists_all: bool,
    colour: bool,
}

/// Positions solved by one engine only that are listed without `--missed`.
const MAX_LISTED: usize = 5;

impl<'a> TacticsText<'a> {
    /// With all positions solved by one engine only (`lists_all`) or the first few; with or without colours.
    pub fn new(
        positions: &'a [(&'a str, &'a TacticsPosition)],
        columns: &'a [TacticsColumn],
        lists_all: bool,
        colour: bool,
    ) -> TacticsText<'a> {
        TacticsText { positions, columns, lists_all, colour }
    }

    fn row(&self, column: &TacticsColumn, with_points: bool) -> Vec<(String, Tone)> {
        let known: Vec<&TacticsResult> = column.results.iter().flatten().collect();
        let solutions: Vec<_> = known.iter().filter_map(|result| result.solution).collect();
        let both = || self.positions.iter().zip(&column.results);
        let required = both().filter(|((_, position), _)| position.required);
        let (met, wanted) = required.fold((0, 0), |(met, wanted), (_, result)| {
            (met + u32::from(result.as_ref().is_some_and(TacticsResult::is_solved)), wanted + 1)
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
        let comparison = TacticsComparison::of(&first.results, &other.results);
        let (found, lost) = (comparison.found.len(), comparison.lost.len());
        let test = comparison.test();
        let significance = if test.is_significant() { "significant" } else { "not significant" };
        let (one, two) = (&first.engine, &other.engine);
        writeln!(
            f,
            "\n  solved by {one} only: {found}; by {two} only: {lost} (McNemar's exact test: {}, {significance})",
            probability(test.p_value())
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
            "",
            "Solved",
            "Required",
            "Time to solution",
            "Depth",
            "Nodes/position",
            "Time/position",
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

    /// Adds a row; `result` is `None` when the engine failed.
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

    #[test]
    fn the_time_of_a_position_shows_what_an_engine_keeps_back() {
        let after = |millis| {
            let time = Duration::from_millis(millis);
            Some(TacticsResult { answer: "e1e2".to_owned(), solution: None, nodes: 1, time })
        };
        let column =
            TacticsColumn { engine: "careful".to_owned(), results: vec![after(39), None, after(41)] };
        let text = TacticsText::new(&[], &[column], false, false).to_string();
        assert!(text.contains("Time/position") && text.trim_end().ends_with("40.0 ms"), "{text}");
        let row: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(row[3..5], ["?", "?"], "nothing solved has neither time nor depth: {text}");
    }
}

#[cfg(test)]
mod tactics_csv_tests {
    use std::time::Duration;

    use super::*;
    use crate::measure::tactics::tactics_result::Solution;
    use crate::measure::tactics::tactics_suite::TacticsSuite;

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
