//! A position of the suite, and its line of EPD.

use referee::{Epd, EpdOperation};
use serde::{Deserialize, Serialize};
use uci::ScoreValue;

/// A position with exactly one good move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinedPosition {
    /// The first four fields of the FEN.
    pub board: String,
    /// The solution in standard algebraic notation.
    pub solution: String,
    /// The game and the move number: `gauntlet, game 12: one - two, 23.`.
    pub source: String,
    /// What the solution does: `wins` or `holds`.
    pub achieves: String,
    /// The depth in plies from which the solution was the best move to the end of the search.
    pub solution_depth: u32,
    /// The last confirming search: `1000000 nodes, depth 21: Rxe7 +3.45, Qd2 +0.12`.
    pub verification: String,
}

impl MinedPosition {
    /// The line of the suite: the solution in `bm`, the `id`, the source in `c0`, the verification by `engine` in `c1`,
    /// what the solution does and its depth in `c2`.
    pub fn to_epd(&self, id: &str, engine: &str) -> Epd {
        let operation = |opcode: &str, text: String| {
            // A string in EPD cannot contain double quotes.
            EpdOperation { opcode: opcode.to_owned(), operands: vec![text.replace('"', "'")] }
        };
        let operations = vec![
            operation("bm", self.solution.clone()),
            operation("id", id.to_owned()),
            operation("c0", format!("{}{}", self.source, self.solution)),
            operation("c1", format!("{engine}, {}", self.verification)),
            operation("c2", format!("{}, depth {}", self.achieves, self.solution_depth)),
        ];
        Epd { fen: self.board.clone(), operations }
    }
}

/// A score in pawns, or in moves to mate: `+3.45`, `mate in 2`.
pub fn score_text(score: ScoreValue) -> String {
    match score {
        ScoreValue::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        ScoreValue::Mate(moves) if moves > 0 => format!("mate in {moves}"),
        ScoreValue::Mate(moves) => format!("mated in {}", moves.unsigned_abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_reads_back_with_everything_in_its_place() {
        let mined = MinedPosition {
            board: "6k1/5ppp/8/8/8/8/8/R3K3 w Q -".to_owned(),
            solution: "Ra8#".to_owned(),
            source: "run, game 1: the \"old\" one - two, 30.".to_owned(),
            achieves: "wins".to_owned(),
            solution_depth: 4,
            verification: "2000 nodes, depth 9: Ra8# mate in 1, Kd2 +1.00".to_owned(),
        };
        let line = mined.to_epd("mined-001", "Tarrasch 0.1").to_string();
        assert_eq!(
            line,
            "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"mined-001\"; \
             c0 \"run, game 1: the 'old' one - two, 30.Ra8#\"; \
             c1 \"Tarrasch 0.1, 2000 nodes, depth 9: Ra8# mate in 1, Kd2 +1.00\"; c2 \"wins, depth 4\";"
        );
        assert_eq!(Epd::parse(&line).unwrap().id(), Some("mined-001"));
    }

    #[test]
    fn scores_are_in_pawns_or_moves_to_mate() {
        let texts = [
            ScoreValue::Centipawns(-5),
            ScoreValue::Centipawns(345),
            ScoreValue::Mate(2),
            ScoreValue::Mate(-3),
        ]
        .map(score_text);
        assert_eq!(texts, ["-0.05", "+3.45", "mate in 2", "mated in 3"]);
    }
}
