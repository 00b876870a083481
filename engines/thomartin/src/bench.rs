//! A fixed piece of work, for comparing builds: the node count depends on nothing but the program.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use uci::Go;
use uci::server::{Color, Nodes, SearchBudget, SearchControl, bench_positions, write_totals};

use super::hash_table::HashTable;
use super::phase::Phase;
use super::thinking::think;

/// The size of the table, whatever the options say.
const HASH_MB: usize = 16;

/// Searches Arbiter's bench positions, each to the depth of its phase or to `depth`, and writes what each took.
pub fn bench(depth: Option<u32>, output: &mut dyn Write) -> io::Result<()> {
    let control = SearchControl::new(Instant::now(), false);
    let budget = SearchBudget::new(&Go::default(), Color::White, Duration::ZERO, &control);
    let mut table = HashTable::new(HASH_MB)?;
    let mut total = 0;
    for (index, fen) in bench_positions().enumerate() {
        let position = fen.parse::<Fen>().ok().and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
        let Some(position): Option<Chess> = position else { continue };
        let depth = depth.unwrap_or_else(|| Phase::of(position.board()).depth(position.board()));
        table.clear();
        let moves = position.legal_moves();
        let Some(thought) = think(&position, &moves, depth, &budget, &mut table, &mut |_| {}) else {
            continue;
        };
        total += thought.nodes;
        let best = thought.best.to_uci(CastlingMode::Standard).to_string();
        let number = index + 1;
        writeln!(
            output,
            "{number:>2}  {best:<5} depth {:>2} {:>10} nodes  {fen}",
            thought.depth, thought.nodes
        )?;
    }
    writeln!(output)?;
    write_totals(Nodes::new(total), control.elapsed(), output)
}
