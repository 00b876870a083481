//! A position that was found, and its line of EPD.

use serde::{Deserialize, Serialize};

use referee::{Epd, EpdOperation};
use uci::ScoreValue;

/// A position with exactly one good move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinedPosition {
    /// The board, the side to move, castling rights and en passant.
    pub board: String,
    /// The solution in standard algebraic notation.
    pub solution: String,
    /// The game it is from and the number of the move: `gauntlet, game 12: one - two, 23.`.
    pub source: String,
    /// What the solution does: `wins` or `holds`.
    pub stake: String,
    /// The depth at which the solution appeared and stayed, in plies.
    pub grade: u32,
    /// How it was verified: `1000000 nodes, depth 21: Rxe7 +3.45, Qd2 +0.12`.
    pub verification: String,
}

impl MinedPosition {
    /// The line of a suite: `bm` the solution, `id`, the source in `c0`, the verification by `engine` in `c1`, and what
    /// the solution does and how deep it lies in `c2`.
    pub fn to_epd(&self, id: &str, engine: &str) -> Epd {
        let operation = |opcode: &str, text: String| {
            // A string of EPD cannot hold the quotes that bound it.
            EpdOperation { opcode: opcode.to_owned(), operands: vec![text.replace('"', "'")] }
        };
        let operations = vec![
            operation("bm", self.solution.clone()),
            operation("id", id.to_owned()),
            operation("c0", format!("{}{}", self.source, self.solution)),
            operation("c1", format!("{engine}, {}", self.verification)),
            operation("c2", format!("{}, depth {}", self.stake, self.grade)),
        ];
        Epd { fen: self.board.clone(), operations }
    }
}

/// A score as people write it: pawns, or moves to mate.
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
            stake: "wins".to_owned(),
            grade: 4,
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
