//! `final.epd`: the last position of every game.

use referee::{Epd, EpdOperation, GameResult, Side};
use runner::{GameRecord, RunConfig};

/// Turns records of games into lines of EPD.
///
/// A line has the position, its half-move clock and move number (`hmvc`, `fmvn`), the number of the game as in the
/// other files (`id`), the result (`c0`), how the game ended (`c1`), and who played White (`c2`) and Black (`c3`).
#[derive(Clone, Debug)]
pub struct FinalEpd {
    names: Vec<String>,
}

impl FinalEpd {
    /// For the games of this run.
    pub fn new(config: &RunConfig) -> FinalEpd {
        FinalEpd { names: config.engines.iter().map(|engine| engine.name.clone()).collect() }
    }

    /// The line of one game.
    pub fn line(&self, record: &GameRecord) -> Epd {
        let fields: Vec<&str> = record.final_fen.split_whitespace().collect();
        let (position, clocks) = fields.split_at(fields.len().min(4));
        let mut operations = Vec::new();
        let mut add = |opcode: &str, operand: &str| {
            // A string of EPD cannot hold the quotes that bound it.
            let operands = vec![operand.replace('"', "'")];
            operations.push(EpdOperation { opcode: opcode.to_owned(), operands });
        };
        for (opcode, clock) in ["hmvc", "fmvn"].into_iter().zip(clocks) {
            add(opcode, clock);
        }
        add("id", &(record.game + 1).to_string());
        add("c0", record.result.map_or("*", GameResult::as_str));
        add("c1", record.termination.as_str());
        for (opcode, side) in [("c2", Side::White), ("c3", Side::Black)] {
            add(opcode, self.names.get(record.engine(side)).map_or("?", String::as_str));
        }
        Epd { fen: position.join(" "), operations }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::{config, game};

    #[test]
    fn a_line_has_the_position_and_how_the_game_ended() {
        let epd = FinalEpd::new(&config(&["new", "the \"old\" one"], false));
        let drawn = game(6, (0, 1), Some(GameResult::Draw));
        assert_eq!(
            epd.line(&drawn).to_string(),
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - hmvc 2; fmvn 3; id \"7\"; \
             c0 \"1/2-1/2\"; c1 \"threefold_repetition\"; c2 \"new\"; c3 \"the 'old' one\";"
        );
        assert!(epd.line(&game(0, (0, 1), None)).to_string().contains("c0 \"*\"; c1 \"abandoned\";"));
    }

    #[test]
    fn lines_read_back_to_the_last_position() {
        let record = game(0, (0, 1), Some(GameResult::WhiteWins));
        let line = FinalEpd::new(&config(&["new", "old"], false)).line(&record).to_string();
        let read = Epd::parse(&line).unwrap();
        assert_eq!((read.fen.as_str(), read.id()), (record.final_fen.as_str(), Some("1")));
    }
}
