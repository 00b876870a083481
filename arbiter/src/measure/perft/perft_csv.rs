//! `arbiter perft --csv`: a row per counter, position and depth.

use std::io::Write;

use serde::Serialize;

use super::perft_check::PerftCheck;
use super::perft_suite::PerftPosition;

/// Writes each row at once, so that an interruption loses nothing.
#[derive(Debug)]
pub struct PerftCsv<W: Write> {
    writer: csv::Writer<W>,
}

/// One row. A skipped depth has no count; the last five fields describe a wrong count.
#[derive(Default, Serialize)]
struct Row<'a> {
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

impl<W: Write> PerftCsv<W> {
    pub fn new(output: W) -> PerftCsv<W> {
        PerftCsv { writer: csv::Writer::from_writer(output) }
    }

    /// Adds the rows of a position, one per depth of the suite. A depth is `skipped` because of a limit, an earlier wrong
    /// count, or a failed engine.
    pub fn write(
        &mut self,
        counter: &str,
        suite: &str,
        position: &PerftPosition,
        check: &PerftCheck,
    ) -> csv::Result<()> {
        for &(depth, expected) in &position.counts {
            let mut row = Row {
                counter,
                suite,
                line: position.line,
                position: &position.name,
                fen: &position.fen,
                depth,
                expected,
                verdict: "skipped",
                ..Row::default()
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
            self.writer.serialize(row)?;
        }
        Ok(self.writer.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::measure::perft::perft_check::{PerftCount, PerftMismatch};
    use crate::measure::perft::perft_difference::PerftDifference;
    use crate::measure::perft::perft_suite::PerftSuite;

    #[test]
    fn right_wrong_and_skipped_have_a_row_each() {
        let fen = "7k/8/8/8/8/8/8/K7 w - - 0 1";
        let suite = PerftSuite::parse("x.epd", &format!("{fen} ;D1 3 ;D2 9 ;D3 54")).unwrap();
        let time = Duration::from_millis(7);
        let count =
            |depth, expected, found| PerftCount { depth, expected, found, is_right: found == expected, time };
        let difference = PerftDifference {
            fen: "7k/8/8/8/8/8/1K6/8 b - - 1 1".to_owned(),
            path: vec!["a1b2".to_owned()],
            missing: vec!["h8g8".to_owned(), "h8h7".to_owned()],
            extra: Vec::new(),
            repeated: Vec::new(),
            by_moves_only: false,
        };
        let check = PerftCheck {
            nodes: 10,
            time: 2 * time,
            counts: vec![count(1, 3, 3), count(2, 9, 7)],
            mismatch: Some(PerftMismatch { depth: 2, expected: 9, found: 7, difference: Some(difference) }),
        };
        let mut text = Vec::new();
        PerftCsv::new(&mut text).write("engine", &suite.name, &suite.positions[0], &check).unwrap();
        let expected = format!(
            "counter,suite,line,position,fen,depth,expected,found,verdict,ms,differs_at,path,missing,illegal,repeated\n\
             engine,x.epd,1,line 1,{fen},1,3,3,right,7,,,,,\n\
             engine,x.epd,1,line 1,{fen},2,9,7,wrong,7,7k/8/8/8/8/8/1K6/8 b - - 1 1,a1b2,h8g8 h8h7,,\n\
             engine,x.epd,1,line 1,{fen},3,54,,skipped,,,,,,\n"
        );
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
