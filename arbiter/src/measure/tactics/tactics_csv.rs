//! `arbiter tactics --csv`: a row per engine and position.

use std::io::Write;

use serde::Serialize;

use super::tactics_result::TacticsResult;
use super::tactics_suite::TacticsPosition;

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
    /// A table without rows.
    pub fn new(output: W) -> TacticsCsv<W> {
        TacticsCsv { writer: csv::Writer::from_writer(output) }
    }

    /// Adds a row; `result` is `None` when the engine failed.
    ///
    /// # Errors
    /// The row cannot be written.
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
