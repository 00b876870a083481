//! A suite of mined positions as EPD, with a header that says how it was made.

use std::fmt;

use super::mined_suite::MinedSuite;
use super::recipe::{MiningKind, MiningRecipe};
use super::tally::MiningTally;
use crate::text::number_text::thousands;
use crate::text::wrapped::wrapped;

/// How wide the text of a comment gets.
const COMMENT_WIDTH: usize = 110;

/// Shows a suite as a file.
#[derive(Clone, Copy, Debug)]
pub struct MinedEpd<'a> {
    /// The positions.
    pub suite: &'a MinedSuite,
    /// What was looked for.
    pub recipe: &'a MiningRecipe,
    /// What the engine calls itself.
    pub engine: &'a str,
    /// The UCI options that it was given, each `Name=value`.
    pub options: &'a [String],
    /// How many games were read, and how many of them the suite needed.
    pub games: (usize, usize),
    /// The command line, without the program.
    pub command: &'a str,
    /// What the names of the positions begin with.
    pub name: &'a str,
}

impl MinedEpd<'_> {
    /// The paragraphs of the header.
    fn header(&self) -> Vec<String> {
        let MiningRecipe { winning, level, swing, scan_nodes, ref verify_nodes, endgame_men, kind } =
            *self.recipe;
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        let (what, men) = match kind {
            MiningKind::Tactical => ("tactical positions", format!("more than {endgame_men} men")),
            MiningKind::Endgame => ("endgame positions", format!("at most {endgame_men} men")),
        };
        let (read, needed) = self.games;
        let nodes: Vec<String> = verify_nodes.iter().map(|nodes| thousands(*nodes)).collect();
        let options = match self.options {
            [] => String::new(),
            options => format!(" ({})", options.join(", ")),
        };
        let swing = match swing {
            0 => String::new(),
            swing => format!(" around which the players' scores moved by at least {:.2}", pawns(swing)),
        };
        let MiningTally { positions, rejected } = self.suite.tally();
        let sieves: Vec<String> =
            rejected.iter().map(|(reason, count)| format!("{} {reason}", thousands(*count))).collect();
        vec![
            format!(
                "{} {what}, mined from games by Arbiter {}:",
                self.suite.positions().len(),
                env!("CARGO_PKG_VERSION")
            ),
            format!("arbiter {}", self.command),
            String::new(),
            format!(
                "In each, with {men}, one move alone wins (at least {:+.2}, the next at most {:+.2}) or one move alone \
                 holds (at least {:+.2}, the next at most {:+.2}).",
                pawns(winning),
                pawns(level),
                pawns(-level),
                pawns(-winning)
            ),
            format!(
                "How it was made: {}{options} searched every position{swing} with {} nodes and two lines (MultiPV 2), from the \
                 end of each game to its beginning. Searches of {} nodes, each from an empty table, confirmed the move \
                 and what is at stake; the last one is the verification.",
                self.engine,
                thousands(scan_nodes),
                nodes.join(", then ")
            ),
            format!(
                "The first {} of {} games have {} positions. Left out were {}.",
                thousands(needed as u64),
                thousands(read as u64),
                thousands(*positions),
                sieves.join(", ")
            ),
            "To check a line: set MultiPV to 2, \"position fen FEN 0 1\", \"go nodes N\" with the nodes of c1, and \
             compare."
                .to_owned(),
            String::new(),
            "Format: EPD. bm the solution; id name of the position; c0 the game and its move; c1 the verification, with \
             the scores of the best and the second move for the side to move; c2 what the solution does, and the depth \
             in plies at which it appeared and stayed in that search."
                .to_owned(),
        ]
    }
}

impl fmt::Display for MinedEpd<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for paragraph in self.header() {
            // A command line is one line, however long.
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
