//! A fixed piece of work: its node count is the fingerprint of the search, its time the speed.

use std::io::{self, Write};
use std::time::Instant;

use super::search::history::History;
use super::search::{Outcome, Searcher};
use super::{Depth, Limits, Nodes, SearchControl, TranspositionTable};
use crate::chess::Position;

/// The depth of the usual bench.
pub const BENCH_DEPTH: Depth = Depth::new(12);
/// The size of its transposition table, whatever the options say.
const BENCH_HASH_MB: usize = 16;

/// The positions, one FEN a line, with their source.
const POSITIONS: &str = include_str!("bench_positions.fen");

/// Searches every position to `depth`, writes what each took, and returns the sum of nodes. The count depends on
/// nothing but the program; the time does.
///
/// # Errors
/// When `output` cannot be written.
pub fn bench(depth: Depth, output: &mut dyn Write) -> io::Result<Nodes> {
    let start = Instant::now();
    let (mut table, mut history) = (table(), History::new());
    let mut total = Nodes::default();
    for (index, fen) in bench_positions().enumerate() {
        let outcome = search(fen, depth, &mut table, &mut history);
        total += outcome.nodes;
        let best = outcome.line.first().map(ToString::to_string).unwrap_or_default();
        writeln!(
            output,
            "{:>2}  {best:<5} {:>6} cp {:>10} nodes  {fen}",
            index + 1,
            outcome.value.get(),
            outcome.nodes
        )?;
    }
    let time = start.elapsed();
    writeln!(output, "\nDepth           : {}", depth.get())?;
    writeln!(output, "Total time (ms) : {}", time.as_millis())?;
    writeln!(output, "Nodes searched  : {total}")?;
    writeln!(output, "Nodes/second    : {}", total.per_second(time))?;
    Ok(total)
}

/// The positions of the bench.
pub fn bench_positions() -> impl Iterator<Item = &'static str> {
    POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[expect(clippy::expect_used, reason = "16 MB and a fixed list are there or nothing works")]
fn table() -> TranspositionTable {
    TranspositionTable::new(BENCH_HASH_MB).expect("a bench needs 16 MB")
}

fn search(fen: &str, depth: Depth, table: &mut TranspositionTable, history: &mut History) -> Outcome {
    let position = Position::from_fen(fen).expect("the bench positions are legal");
    table.age();
    let (limits, control) = (Limits::depth(depth), SearchControl::new(Instant::now(), false));
    Searcher::new(&position, &[], &limits, &control, table, history).run(&position, &mut |_| {})
}
