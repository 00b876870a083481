//! `games.csv`, a row for each game, and `final.epd`, the final position of each game.

use std::io;

use crate::results::GameAverages;
use crate::text::csv_cell;
use referee::{Epd, EpdOperation, GameResult, Side};
use runner::{GameRecord, MoveRecord, RunConfig};

const COLUMNS: [&str; 26] = [
    "game", "pair", "white", "black", "result", "termination", "offender", "detail", "opening",
    "opening_fen", "plies", "final_fen", "started", "duration_s", "white_moves", "white_depth",
    "white_nodes", "white_time_s", "white_nps", "white_latency_max_ms", "black_moves", "black_depth",
    "black_nodes", "black_time_s", "black_nps", "black_latency_max_ms",
];

pub(super) fn header() -> io::Result<Vec<u8>> {
    row(COLUMNS.map(str::to_owned))
}

/// A game as a row of the table.
///
/// Games, pairs and openings are numbered from 1. Unknown fields are empty, such as the result of an abandoned game
/// or the depth if an engine reports none. Column names end with their unit.
pub(super) fn row_of(config: &RunConfig, record: &GameRecord) -> io::Result<Vec<u8>> {
    let name = |side| config.engines[record.engine(side)].name.clone();
    let game = [
        (record.game + 1).to_string(),
        (record.pair + 1).to_string(),
        name(Side::White),
        name(Side::Black),
        text(record.result),
        record.termination.to_string(),
        record.offender.map(name).unwrap_or_default(),
        record.detail.clone().unwrap_or_default(),
        (record.opening.index + 1).to_string(),
        record.opening.fen.clone(),
        (record.opening.moves.len() + record.moves.len()).to_string(),
        record.final_fen.clone(),
        record.started.to_string(),
        format!("{:.3}", record.duration.as_secs_f64()),
    ];
    let players = [Side::White, Side::Black].into_iter().flat_map(|side| player(record, side));
    row(game.into_iter().chain(players))
}

fn player(record: &GameRecord, side: Side) -> [String; 6] {
    let averages = GameAverages::of(record.moves_of(side));
    let latency = record.moves_of(side).filter_map(MoveRecord::latency).max();
    [
        averages.moves.to_string(),
        text(averages.mean_depth().map(|depth| format!("{depth:.2}"))),
        averages.nodes.to_string(),
        format!("{:.6}", averages.time.as_secs_f64()),
        text(averages.nodes_per_second()),
        text(latency.map(|latency| format!("{:.3}", latency.as_secs_f64() * 1000.0))),
    ]
}

fn text(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn row(fields: impl IntoIterator<Item = String>) -> io::Result<Vec<u8>> {
    let mut row = csv::Writer::from_writer(Vec::new());
    row.write_record(fields.into_iter().map(|field| csv_cell(&field).into_owned()))?;
    row.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// The final position of a game as a line of EPD.
///
/// A line has the position, its half-move clock and move number (`hmvc`, `fmvn`), the number of the game as in the
/// other files (`id`), the result (`c0`), how the game ended (`c1`), and who played White (`c2`) and Black (`c3`).
pub(super) fn final_epd(config: &RunConfig, record: &GameRecord) -> Epd {
    let fields: Vec<&str> = record.final_fen.split_whitespace().collect();
    let (position, clocks) = fields.split_at(fields.len().min(4));
    let mut operations = Vec::new();
    let mut add = |opcode: &str, operand: &str| {
        // An EPD string cannot contain double quotes.
        let operands = vec![operand.replace('"', "'")];
        operations.push(EpdOperation { opcode: opcode.to_owned(), operands });
    };
    for (opcode, clock) in ["hmvc", "fmvn"].into_iter().zip(clocks) {
        add(opcode, clock);
    }
    add("id", &(record.game + 1).to_string());
    add("c0", record.result.map_or("*", GameResult::as_str));
    add("c1", &record.termination.to_string());
    for (opcode, side) in [("c2", Side::White), ("c3", Side::Black)] {
        add(opcode, &config.engines[record.engine(side)].name);
    }
    Epd { fen: position.join(" "), operations }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{config, game, lost_by};
    use referee::GameResult;
    use runner::Termination;

    fn text_of(games: &[GameRecord]) -> String {
        let config = config(&["new", "old"], false);
        let rows = games.iter().map(|game| row_of(&config, game).unwrap());
        let text: Vec<u8> = [header().unwrap()].into_iter().chain(rows).flatten().collect();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn games_are_rows() {
        let mut illegal = lost_by(1, (1, 0), Side::Black, Termination::IllegalMove);
        illegal.detail = Some("`e1e9`, \"no move\"".to_owned());
        let games = [game(0, (0, 1), Some(GameResult::Draw)), illegal, game(2, (0, 1), None)];
        insta::assert_snapshot!(text_of(&games));
    }

    #[test]
    fn a_line_has_the_position_and_how_the_game_ended() {
        let config = config(&["new", "the \"old\" one"], false);
        let drawn = game(6, (0, 1), Some(GameResult::Draw));
        assert_eq!(
            final_epd(&config, &drawn).to_string(),
            "r1bqkbnr/pppp1ppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - hmvc 2; fmvn 3; id \"7\"; \
             c0 \"1/2-1/2\"; c1 \"threefold_repetition\"; c2 \"new\"; c3 \"the 'old' one\";"
        );
        assert!(
            final_epd(&config, &game(0, (0, 1), None)).to_string().contains("c0 \"*\"; c1 \"abandoned\";")
        );
    }
}
