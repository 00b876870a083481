//! A fixed piece of work: its node count is the fingerprint of the search.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use chess::Position;
use uci::Go;
use uci::server::{self, Nodes, SearchBudget, SearchControl, write_totals};

use crate::evaluation::evaluate;
use crate::hash_table::HashTable;
use crate::search::{Outcome, Search};
use crate::technique::Techniques;

/// The depth of the usual bench, in plies.
pub const USUAL_DEPTH: u32 = 6;
/// The size of the hash table, whatever the options say.
const HASH_MB: usize = 16;

/// The positions of the document's figures 1 to 3 and 10.
const POSITIONS: [&str; 9] = [
    "r1bn1rk1/pp2b2p/1q2pnp1/2pp2N1/3P1N2/2PB4/PPQ2PPP/R1B2RK1 w - - 0 14",
    "8/2n2kq1/3p1pbb/1ppP4/2P3Q1/1PB2NPP/4R1K1/8 w - - 0 1",
    "rnbqk1nr/ppp2ppp/3b4/8/8/2N5/PPPPP1PP/R1BQKBNR b KQkq - 1 4",
    Position::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/3K4/2p5/p2b2r1/5k2/8/8/1q6 b - - 1 67",
    "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
];

/// Searches every position to `depth`, writes what each took, and returns the sum of nodes.
///
/// # Errors
/// When `output` cannot be written, or there is no memory for the table.
pub fn run(depth: u32, output: &mut dyn Write) -> io::Result<u64> {
    let start = Instant::now();
    let mut total = 0;
    for (index, fen) in POSITIONS.into_iter().enumerate() {
        let outcome = search(fen, depth)?;
        total += outcome.nodes;
        let best = outcome.best.map(|mv| mv.to_uci(false)).unwrap_or_default();
        writeln!(output, "{:>2}  {best:<5} {:>10} nodes  {fen}", index + 1, outcome.nodes)?;
    }
    writeln!(output, "\nDepth           : {depth}")?;
    write_totals(Nodes::new(total), start.elapsed(), output)?;
    Ok(total)
}

/// Searches one position with an empty table.
///
/// # Panics
/// Never: the positions are legal.
fn search(fen: &str, depth: u32) -> io::Result<Outcome> {
    let position = Position::from_fen(fen).expect("the positions of the bench are legal");
    let control = SearchControl::new(Instant::now(), false);
    let go = Go { depth: Some(depth), ..Go::default() };
    let budget = SearchBudget::new(&go, server::Color::White, Duration::ZERO, &control);
    let mut table = HashTable::new(HASH_MB)?;
    let search = Search::new(Techniques::EVERY, evaluate, &budget, &mut table, &[]);
    Ok(search.run(&position, None, &mut |_| {}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bench_takes_the_same_nodes_every_time() {
        let mut text = Vec::new();
        let nodes = run(2, &mut text).unwrap();
        assert_eq!(run(2, &mut Vec::new()).unwrap(), nodes);
        assert!(String::from_utf8(text).unwrap().contains(&format!("Nodes searched  : {nodes}\n")));
    }
}
