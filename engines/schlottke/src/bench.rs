//! A fixed piece of work, for comparing builds: the node count depends on nothing but the program.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use uci::Go;
use uci::server::{Color, Nodes, SearchBudget, SearchControl, bench_positions, write_totals};

use super::material_search::Horizon;
use super::position::Position;
use super::second_look::GameSoFar;
use super::thinking::think;
use super::uci_moves;

/// Searches Arbiter's bench positions and writes what each took.
pub fn bench(horizon: Horizon, output: &mut dyn Write) -> io::Result<()> {
    let control = SearchControl::new(Instant::now(), false);
    let budget = SearchBudget::new(&Go::default(), Color::White, Duration::ZERO, &control);
    let mut total = 0;
    for (index, fen) in bench_positions().enumerate() {
        let Ok(position) = Position::from_fen(fen) else { continue };
        let game = GameSoFar { start: &position.board, half_moves: 0 };
        let moves = position.legal_moves();
        let Some(decision) = think(&position, &moves, game, horizon, &budget, &mut |_| {}) else { continue };
        total += decision.nodes;
        let best = uci_moves::write(&position, decision.best);
        writeln!(output, "{:>2}  {best:<5} {:>10} nodes  {fen}", index + 1, decision.nodes)?;
    }
    writeln!(output, "\nDepth           : {} to {}", horizon.minimum, horizon.maximum)?;
    write_totals(Nodes::new(total), control.elapsed(), output)
}
