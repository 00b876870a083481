//! A mined suite as EPD, with a header that says how it was made.

use std::fmt;

use super::mined_suite::MinedSuite;
use super::recipe::{MiningKind, MiningRecipe};
use super::tally::MiningTally;
use crate::text::number_text::{counted, thousands};
use crate::text::wrapped::wrapped;

/// Width of a comment, in columns.
const COMMENT_WIDTH: usize = 110;

/// Shows a suite as the text of its file.
#[derive(Clone, Copy, Debug)]
pub struct MinedEpd<'a> {
    /// The positions.
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
