//! The results of engines on tactical positions, as a table and a comparison.

use std::fmt;
use std::time::Duration;

use super::tactics_comparison::TacticsComparison;
use super::tactics_result::TacticsResult;
use super::tactics_suite::TacticsPosition;
use crate::text::number_text::{probability, short_time, thousands};
use crate::text::{Table, Tone};

/// One engine's results, in the order of the positions; `None` where it failed.
#[derive(Clone, Debug)]
pub struct TacticsColumn {
    /// The engine's name.
    pub engine: String,
    /// Its results.
    pub results: Vec<Option<TacticsResult>>,
}

/// Shows the results of engines, and the comparison of the first with each other one.
#[derive(Clone, Debug)]
pub struct TacticsText<'a> {
    /// Suite and position.
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
