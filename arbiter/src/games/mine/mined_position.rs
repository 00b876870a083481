//! A position of the suite, and its line of EPD.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::mining_log::MiningTally;
use super::recipe::{MinedSuite, MiningKind, MiningRecipe};
use crate::text::number_text::{counted, thousands};
use crate::text::wrapped::wrapped;
use referee::{Epd, EpdOperation};
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

/// Width of a comment, in columns.
const COMMENT_WIDTH: usize = 110;

/// Shows a suite as the text of its file.
#[derive(Clone, Copy, Debug)]
pub struct MinedEpd<'a> {
    pub suite: &'a MinedSuite,
    /// The conditions for the positions.
    pub recipe: &'a MiningRecipe,
    /// The name that the engine gives itself.
    pub engine: &'a str,
    /// Its UCI options, each `Name=value`.
    pub options: &'a [String],
    /// The number of games read, and of games needed for the suite.
    pub games: (usize, usize),
    /// The command line, without the program.
    pub command: &'a str,
    /// The start of the ids of the positions.
    pub name: &'a str,
}

impl MinedEpd<'_> {
    /// The paragraphs of the header.
    fn header(&self) -> Vec<String> {
        let MiningRecipe { winning, equal, swing, scan_nodes, ref verify_nodes, endgame_pieces, kind } =
            *self.recipe;
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        let (what, pieces) = match kind {
            MiningKind::Tactical => ("tactical position", format!("more than {endgame_pieces} pieces")),
            MiningKind::Endgame => ("endgame position", format!("at most {endgame_pieces} pieces")),
        };
        let (read, needed) = self.games;
        let nodes: Vec<String> = verify_nodes.iter().map(|nodes| thousands(*nodes)).collect();
        let options = match self.options {
            [] => String::new(),
            options => format!(" ({})", options.join(", ")),
        };
        let swing = match swing {
            0 => String::new(),
            swing => format!(" around which the players' scores changed by at least {:.2}", pawns(swing)),
        };
        let MiningTally { positions, rejected } = self.suite.tally();
        let reasons: Vec<String> =
            rejected.iter().map(|(reason, count)| format!("{} {reason}", thousands(*count))).collect();
        let rejected =
            if reasons.is_empty() { String::new() } else { format!(" Rejected: {}.", reasons.join(", ")) };
        vec![
            format!(
                "{}, mined from games by Arbiter {}:",
                counted(self.suite.positions().len() as u64, what),
                env!("CARGO_PKG_VERSION")
            ),
            format!("arbiter {}", self.command),
            String::new(),
            format!(
                "Each position has {pieces} and an only move: it wins (score at least {:+.2}, second move at most \
                 {:+.2}) or holds (score at least {:+.2}, second move at most {:+.2}).",
                pawns(winning),
                pawns(equal),
                pawns(-equal),
                pawns(-winning)
            ),
            format!(
                "Configuration: {}{options} searched every position{swing} with {} nodes and MultiPV 2, from the end of \
                 each game to its beginning. Searches of {} nodes, each with an empty hash table, confirmed the only \
                 move; the last one is the verification.",
                self.engine,
                thousands(scan_nodes),
                nodes.join(", then ")
            ),
            format!(
                "The first {} of {} games have {} positions.{rejected}",
                thousands(needed as u64),
                thousands(read as u64),
                thousands(*positions)
            ),
            "To check a line: set MultiPV to 2, \"position fen FEN 0 1\", \"go nodes N\" with the nodes of c1, and \
             compare."
                .to_owned(),
            String::new(),
            "Format: EPD. bm: the solution. id: the name of the position. c0: the game and the move. c1: the \
             verification, with the scores of the best two moves for the side to move. c2: what the solution does, and \
             the depth in plies from which it was the best move to the end of the verification."
                .to_owned(),
        ]
    }
}

impl fmt::Display for MinedEpd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for paragraph in self.header() {
            // The command stays on one line.
            if paragraph.starts_with("arbiter ") || paragraph.is_empty() {
                writeln!(f, "{}", format!("# {paragraph}").trim_end())?;
                continue;
            }
            for line in wrapped(&paragraph, COMMENT_WIDTH).lines() {
                writeln!(f, "# {line}")?;
            }
        }
        writeln!(f)?;
        let digits = self.suite.positions().len().to_string().len().max(3);
        for (index, position) in self.suite.positions().iter().enumerate() {
            let id = format!("{}-{:0digits$}", self.name, index + 1);
            writeln!(f, "{}", position.to_epd(&id, self.engine))?;
        }
        Ok(())
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
