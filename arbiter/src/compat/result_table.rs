//! The result of a tournament of more than two engines.

use std::fmt::Write as _;

use runner::RunConfig;

use super::elo_text::{EloText, fixed};
use super::result_block::counts_text;
use super::scoreboard::{Score, Scoreboard};
use super::tournament::{Form, Tournament};

/// The columns of a name.
const NAME_COLUMNS: usize = 25;

/// The table, the best engine first, each line ended.
pub(super) fn result_table(tournament: &Tournament, config: &RunConfig, board: &Scoreboard) -> String {
    let penta = tournament.penta;
    let scores = (0..config.engines.len()).map(|engine| (engine, board.of(engine)));
    let mut rows: Vec<(usize, Score, EloText)> =
        scores.map(|(engine, score)| (engine, score, EloText::of(&score, penta))).collect();
    rows.sort_by(|a, b| {
        let worth = |elo: &EloText| if elo.elo.is_nan() { f64::NEG_INFINITY } else { elo.elo };
        worth(&b.2).total_cmp(&worth(&a.2))
    });
    let width = config.engines.iter().map(|engine| engine.name.len()).fold(NAME_COLUMNS, usize::max);
    let is_fastchess = tournament.output == Form::Fastchess;
    let last = if is_fastchess { format!(" {:>20}", "Ptnml(0-2)") } else { String::new() };
    let mut text = format!(
        "{:<4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}{last}\n",
        "Rank", "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"
    );
    for (rank, (engine, score, elo)) in rows.iter().enumerate() {
        let (games, pairs) = (score.games, score.pairs);
        let draws = if penta {
            pairs.counts()[2] as f64 / pairs.pairs() as f64
        } else {
            games.draws as f64 / games.games() as f64
        };
        let counts = if penta { counts_text(&pairs.counts()) } else { String::new() };
        let last = if is_fastchess { format!(" {counts:>20}") } else { String::new() };
        let _ = writeln!(
            text,
            "{:>4} {:<width$} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9}% {:>9}%{last}",
            rank + 1,
            config.engines[*engine].name,
            fixed(elo.elo, 2),
            fixed(elo.elo_error, 2),
            fixed(elo.nelo, 2),
            fixed(elo.nelo_error, 2),
            games.games(),
            fixed(games.points() / games.games() as f64 * 100.0, 1),
            fixed(draws * 100.0, 1),
        );
    }
    text
}
