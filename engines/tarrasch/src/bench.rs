//! The bench, a search of a fixed set of positions.

use std::io::{self, Write};
use std::time::Instant;

use super::search::{Outcome, ThreadPool};
use super::{Depth, Limits, Nodes, SearchControl, TranspositionTable};
use chess::Position;
use uci::server::{bench_positions, write_totals};

/// The default depth of the bench, whose node count identifies the search.
pub const BENCH_DEPTH: Depth = Depth::new(12);

/// The setup of a bench. The UCI options do not change it.
#[derive(Clone, Copy, Debug)]
pub struct BenchSetup {
    pub depth: Depth,
    /// The number of threads. With more than one, the node count varies from run to run.
    pub threads: usize,
    /// The size of the transposition table in MiB.
    pub hash_mb: usize,
}

impl Default for BenchSetup {
    fn default() -> BenchSetup {
        BenchSetup { depth: BENCH_DEPTH, threads: 1, hash_mb: 16 }
    }
}

/// Runs the default bench at this depth, and returns the number of nodes. It is the same on every machine.
pub fn bench(depth: Depth, output: &mut dyn Write) -> io::Result<Nodes> {
    bench_with(BenchSetup { depth, ..BenchSetup::default() }, output)
}

/// Runs the bench with this setup, and returns the number of nodes.
pub fn bench_with(setup: BenchSetup, output: &mut dyn Write) -> io::Result<Nodes> {
    let mut tt = TranspositionTable::new(setup.hash_mb)?;
    tt.clear(setup.threads);
    let mut threads = ThreadPool::default();
    threads.resize(setup.threads);
    let start = Instant::now();
    let mut total = Nodes::default();
    for (index, fen) in bench_positions().enumerate() {
        let outcome = search_position(fen, setup.depth, &mut tt, &mut threads);
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
    writeln!(output, "\nDepth           : {}", setup.depth.get())?;
    write_totals(total, time, output)?;
    Ok(total)
}

/// Searches one position. TT and histories keep the data of earlier positions.
fn search_position(
    fen: &str,
    depth: Depth,
    tt: &mut TranspositionTable,
    threads: &mut ThreadPool,
) -> Outcome {
    let position = Position::from_fen(fen).expect("the bench positions are legal");
    let (limits, control) = (Limits::depth(depth), SearchControl::new(Instant::now(), false));
    threads.search(&position, &[], &limits, &control, tt.begin_search(), &mut |_| {})
}
