//! What engines made of tactical positions, as a table and a comparison.

use std::fmt;
use std::time::Duration;

use super::tactics_comparison::TacticsComparison;
use super::tactics_result::TacticsResult;
use super::tactics_suite::TacticsPosition;
use crate::text::number_text::{probability, short_time, thousands};
use crate::text::{Table, Tone};

/// One engine's results, in the order of the positions; `None` where it broke.
#[derive(Clone, Debug)]
pub struct TacticsColumn {
    /// What the engine is called.
    pub engine: String,
    /// Its results.
    pub results: Vec<Option<TacticsResult>>,
}

/// Shows the results of some engines, the first compared with each of the others.
#[derive(Clone, Debug)]
pub struct TacticsText<'a> {
    /// Suite and position.
    positions: &'a [(&'a str, &'a TacticsPosition)],
    columns: &'a [TacticsColumn],
    lists_all: bool,
    colour: bool,
}

/// How many positions are listed that one engine solves and the other does not, where not all are wanted.
const FEW: usize = 5;

impl<'a> TacticsText<'a> {
    /// With all positions that only one engine solves, or with a few; with or without colours.
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
        let nodes: u64 = known.iter().map(|result| result.nodes).sum();
        let plain = |text: String| (text, Tone::Plain);
        let mut row = vec![
            (column.engine.clone(), Tone::Strong),
            plain(format!("{}/{}", solutions.len(), self.positions.len())),
            (format!("{met}/{wanted}"), if met < wanted { Tone::Bad } else { Tone::Plain }),
            plain(per_solution.map_or_else(|| "?".to_owned(), short_time)),
            plain(format!("{:.1}", depth / solutions.len().max(1) as f64)),
            plain(thousands(nodes / self.positions.len().max(1) as u64)),
        ];
        if with_points {
            let points: u32 = both()
                .filter_map(|((_, position), result)| Some(position.points_for(&result.as_ref()?.answer)))
                .sum();
            row.push(plain(format!("{points}/{}", self.most_points())));
        }
        row
    }

    fn most_points(&self) -> u32 {
        self.positions.iter().map(|(_, position)| position.most_points()).sum()
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
        let chance = if test.is_significant() { "more than chance" } else { "may be chance" };
        let (one, two) = (&first.engine, &other.engine);
        writeln!(
            f,
            "\n  {one} solves {found} that {two} does not, and misses {lost} that {two} solves \
             (McNemar's exact test: {}, {chance})",
            probability(test.p_value())
        )?;
        for (word, tone, indices) in
            [("found", Tone::Good, &comparison.found), ("lost", Tone::Bad, &comparison.lost)]
        {
            let listed = if self.lists_all { indices.len() } else { indices.len().min(FEW) };
            for (suite, position) in indices[..listed].iter().filter_map(|index| self.positions.get(*index)) {
                let word = tone.paint(&format!("{word:<5}"), self.colour);
                writeln!(f, "    {word}  {} ({suite}:{})  {}", position.id, position.line, position.fen)?;
            }
            if listed < indices.len() {
                writeln!(f, "    {word:<5}  {} more, which --missed lists", indices.len() - listed)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for TacticsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let with_points = self.most_points() > 0;
        let headings = ["", "Solved", "Required", "Time to solution", "at depth", "Nodes/position", "Points"];
        let mut table = Table::new(&headings[..if with_points { 7 } else { 6 }]);
        self.columns.iter().for_each(|column| table.row(self.row(column, with_points)));
        write!(f, "{}", table.text(self.colour))?;
        match self.columns {
            [first, others @ ..] => others.iter().try_for_each(|other| self.compare(f, first, other)),
            [] => Ok(()),
        }
    }
}
