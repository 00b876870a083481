//! The suite that is made: its positions, each once, and its file.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::mined_position::MinedPosition;
use super::mining_recipe::{MiningKind, MiningRecipe};
use super::mining_tally::{MiningTally, Rejection};
use crate::text::number_text::{counted, thousands};
use crate::text::wrapped::wrapped;

/// What one game has for a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinedGame {
    /// The positions with an only move, in the order of the game.
    pub positions: Vec<MinedPosition>,
    pub tally: MiningTally,
}

/// The positions found so far, each once, up to a limit.
#[derive(Clone, Debug)]
pub struct MinedSuite {
    limit: usize,
    positions: Vec<MinedPosition>,
    boards: HashSet<String>,
    tally: MiningTally,
}

impl MinedSuite {
    pub fn new(limit: usize) -> MinedSuite {
        MinedSuite { limit, positions: Vec::new(), boards: HashSet::new(), tally: MiningTally::default() }
    }

    /// Adds the positions of the next game. Games must come in the order of their source, so that the suite does not
    /// depend on which game was finished first.
    pub fn add(&mut self, game: MinedGame) {
        self.tally.add(&game.tally);
        for position in game.positions {
            if self.is_full() {
                return;
            }
            if self.boards.insert(position.board.clone()) {
                self.positions.push(position);
            } else {
                self.tally.reject(Rejection::Duplicate);
            }
        }
    }

    pub fn is_full(&self) -> bool {
        self.positions.len() >= self.limit
    }

    pub fn positions(&self) -> &[MinedPosition] {
        &self.positions
    }

    pub fn tally(&self) -> &MiningTally {
        &self.tally
    }
}

/// Width of a comment, in columns.
const COMMENT_WIDTH: usize = 110;

/// Shows a suite as the text of its file.
#[derive(Clone, Copy, Debug)]
pub struct MinedEpd<'a> {
    pub suite: &'a MinedSuite,
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

    fn game(boards: &[&str]) -> MinedGame {
        let position = |board: &&str| MinedPosition {
            board: (*board).to_owned(),
            solution: "e4".to_owned(),
            source: String::new(),
            achieves: "wins".to_owned(),
            solution_depth: 2,
            verification: String::new(),
        };
        let tally = MiningTally { positions: 10, ..MiningTally::default() };
        MinedGame { positions: boards.iter().map(position).collect(), tally }
    }

    #[test]
    fn a_position_of_two_games_counts_once() {
        let mut suite = MinedSuite::new(10);
        suite.add(game(&["a", "b"]));
        suite.add(game(&["b", "c"]));
        let boards: Vec<&str> = suite.positions().iter().map(|position| position.board.as_str()).collect();
        assert_eq!(boards, ["a", "b", "c"]);
        assert_eq!(suite.tally().rejected[&Rejection::Duplicate], 1);
        assert_eq!(suite.tally().positions, 20);
    }

    #[test]
    fn a_full_suite_takes_no_more() {
        let mut suite = MinedSuite::new(2);
        suite.add(game(&["a"]));
        assert!(!suite.is_full());
        suite.add(game(&["b", "c"]));
        assert!(suite.is_full());
        assert_eq!(suite.positions().len(), 2);
    }
}
