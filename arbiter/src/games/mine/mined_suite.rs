//! The mined suite: its recipe, its positions without duplicates, and its file.

use std::collections::HashSet;
use std::fmt::Write as _;

use clap::ValueEnum;
use referee::{Epd, EpdOperation};
use serde::{Deserialize, Serialize};
use uci::ScoreValue;

use crate::text::number_text::{counted, thousands};
use crate::text::wrapped::wrapped;
use crate::text::{Tally, labelled};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum MiningKind {
    /// Positions with more than --endgame-pieces pieces
    Tactical,
    /// Positions with at most --endgame-pieces pieces
    Endgame,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MiningRecipe {
    pub kind: MiningKind,
    /// Maximum number of pieces in an endgame, kings and pawns included.
    pub endgame_pieces: usize,
    /// Minimum score of a winning move, in centipawns.
    pub winning: i32,
    /// Maximum distance of an equal score from 0, in centipawns.
    pub equal: i32,
    /// Minimum change of the players' scores around a position, in centipawns, if the scores are known.
    pub swing: i32,
    /// Nodes of the first search of every position.
    pub scan_nodes: u64,
    /// Nodes of the searches that must confirm the result, ascending.
    pub verify_nodes: Vec<u64>,
}

impl MiningRecipe {
    /// Whether the recipe asks for positions with this number of pieces.
    pub fn wants(&self, pieces: usize) -> bool {
        match self.kind {
            MiningKind::Tactical => pieces > self.endgame_pieces,
            MiningKind::Endgame => pieces <= self.endgame_pieces,
        }
    }
}

/// All that determines the result; it is the first line of the mining log.
#[derive(Serialize)]
pub struct MiningTask<'a> {
    /// The engine's `id name`.
    pub engine: &'a str,
    pub program: Option<&'a str>,
    /// The engine's UCI options, each `Name=value`.
    pub options: &'a [String],
    pub recipe: &'a MiningRecipe,
    pub games: usize,
    pub games_sha256: String,
}

labelled! {
    /// The reasons for not taking a position, in the order of the filters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Rejection {
        OtherKind = "of the other kind",
        Forced = "with one legal move",
        Repeated = "repeated in the game",
        NoSwing = "without a swing of the players' scores",
        NoOnlyMove = "without an only move",
        Recapture = "solved by a recapture",
        SameSolution = "with the same solution as a few plies earlier",
        Obvious = "solved at depth 1",
        Unconfirmed = "not confirmed by longer searches",
        Duplicate = "duplicates of an earlier game",
    }
}

/// A position with exactly one good move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinedPosition {
    /// The first four fields of the FEN.
    pub board: String,
    /// The solution in standard algebraic notation.
    pub solution: String,
    /// The game and the move number: `gauntlet, game 12: one - two, 23.`.
    pub source: String,
    /// Whether the solution `wins` or `holds`.
    pub achieves: String,
    /// The depth in plies from which the solution stayed the best move to the end of the search.
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

/// The contribution of one game to a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinedGame {
    /// The positions with an only move, in the order of the game.
    pub positions: Vec<MinedPosition>,
    pub tally: Tally<Rejection>,
}

/// The positions found so far, without duplicates, up to a limit.
#[derive(Clone, Debug)]
pub struct MinedSuite {
    limit: usize,
    pub positions: Vec<MinedPosition>,
    boards: HashSet<String>,
    tally: Tally<Rejection>,
}

/// Width of a comment, in columns.
const COMMENT_WIDTH: usize = 110;

impl MinedSuite {
    pub fn new(limit: usize) -> MinedSuite {
        MinedSuite { limit, positions: Vec::new(), boards: HashSet::new(), tally: Tally::default() }
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

    /// How many positions were seen, and how many were rejected for each reason.
    pub fn tally_text(&self) -> String {
        let reasons = if self.tally.rejected.is_empty() { "" } else { ": " };
        format!("{} positions in the games{reasons}{}", thousands(self.tally.seen), self.tally)
    }

    /// The paragraphs of the header. All positions are from the first `needed` games; `command` is the command line,
    /// without the program.
    fn header(&self, task: &MiningTask<'_>, needed: usize, command: &str) -> Vec<String> {
        let MiningRecipe { winning, equal, swing, scan_nodes, ref verify_nodes, endgame_pieces, kind } =
            *task.recipe;
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        let (what, pieces) = match kind {
            MiningKind::Tactical => ("tactical position", format!("more than {endgame_pieces} pieces")),
            MiningKind::Endgame => ("endgame position", format!("at most {endgame_pieces} pieces")),
        };
        let nodes: Vec<String> = verify_nodes.iter().map(|nodes| thousands(*nodes)).collect();
        let options = match task.options {
            [] => String::new(),
            options => format!(" ({})", options.join(", ")),
        };
        let swing = match swing {
            0 => String::new(),
            swing => format!(" around which the players' scores changed by at least {:.2}", pawns(swing)),
        };
        let tally = &self.tally;
        let rejected = if tally.rejected.is_empty() { String::new() } else { format!(" Rejected: {tally}.") };
        vec![
            format!(
                "{}, mined from games by Arbiter {}:",
                counted(self.positions.len() as u64, what),
                env!("CARGO_PKG_VERSION")
            ),
            format!("arbiter {command}"),
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
                task.engine,
                thousands(scan_nodes),
                nodes.join(", then ")
            ),
            format!(
                "The first {} of {} games have {} positions.{rejected}",
                thousands(needed as u64),
                thousands(task.games as u64),
                thousands(tally.seen)
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

    /// The text of the file; `name` is the prefix of the ids of the positions.
    pub fn text(&self, task: &MiningTask<'_>, needed: usize, command: &str, name: &str) -> String {
        let mut text = String::new();
        for paragraph in self.header(task, needed, command) {
            // The command stays on one line.
            let width = if paragraph.starts_with("arbiter ") { usize::MAX } else { COMMENT_WIDTH };
            for line in wrapped(&paragraph, width).split('\n') {
                text += format!("# {line}").trim_end();
                text.push('\n');
            }
        }
        text.push('\n');
        let digits = self.positions.len().to_string().len().max(3);
        for (number, position) in (1..).zip(&self.positions) {
            let id = format!("{name}-{number:0digits$}");
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", position.to_epd(&id, task.engine));
        }
        text
    }
}
