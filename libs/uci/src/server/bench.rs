//! The bench of all engines: its positions and its last lines.

use std::io::{self, Write};
use std::time::Duration;

use super::Nodes;

/// The positions, one FEN per line, with their source.
const POSITIONS: &str = include_str!("bench_positions.fen");

/// Writes the last lines of a bench, which are the same for all engines: the totals.
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
