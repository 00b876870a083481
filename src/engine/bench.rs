//! A fixed piece of work: its node count is the fingerprint of the search, its time the speed.

use std::io::{self, Write};
use std::time::{Duration, Instant};

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
/// When `output` cannot be written, or there are no 16 MB of memory for the table.
pub fn bench(depth: Depth, output: &mut dyn Write) -> io::Result<Nodes> {
    let start = Instant::now();
    let mut table = TranspositionTable::new(BENCH_HASH_MB)?;
    let mut history = History::new();
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
    write_totals(total, time, output)?;
    Ok(total)
}

/// Writes the last lines of a bench, which are the same for all engines: what it took in all.
///
/// # Errors
/// When `output` cannot be written.
pub fn write_totals(nodes: Nodes, time: Duration, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "Total time (ms) : {}", time.as_millis())?;
    writeln!(output, "Nodes searched  : {nodes}")?;
    writeln!(output, "Nodes/second    : {}", nodes.per_second(time))
}

/// The positions of the bench.
pub fn bench_positions() -> impl Iterator<Item = &'static str> {
    POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Searches one position with what the ones before it left in the table and the history.
///
/// # Panics
/// Never: the positions are legal.
fn search(fen: &str, depth: Depth, table: &mut TranspositionTable, history: &mut History) -> Outcome {
    let position = Position::from_fen(fen).expect("the bench positions are legal");
    table.age();
    let (limits, control) = (Limits::depth(depth), SearchControl::new(Instant::now(), false));
    Searcher::new(&position, &[], &limits, &control, table, history).run(&position, &mut |_| {})
}
