//! A position of the suite, and its line of EPD.

use std::fmt;

use referee::{Epd, EpdOperation, FenError, IllegalMove, Referee, Side, Variant};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use uci::ScoreValue;

use super::command::{MinedSuite, MiningKind, MiningRecipe};
use super::mining_log::MiningTally;
use crate::text::number_text::{counted, thousands};
use crate::text::wrapped::wrapped;

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
    fn to_epd(&self, id: &str, engine: &str) -> Epd {
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

/// Plies before and after a position whose scores make its swing.
const SWING_PLIES: usize = 2;

/// Scores count up to this many centipawns; beyond that the game is decided.
const DECIDED: i32 = 600;

/// A game of standard chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceGame {
    /// Source and players: `gauntlet, game 12: one - two`.
    pub title: String,
    /// The first position as FEN; `None` is the start position.
    pub start_fen: Option<String>,
    pub moves: Vec<String>,
    /// The score of each move by its player, in centipawns for that player. The list may be shorter than the game.
    pub scores: Vec<Option<i32>>,
}

/// A position in which a move was to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePosition {
    /// The first four fields of the FEN.
    pub board: String,
    pub ply: usize,
    /// The move number, as in `23.` or `23...`.
    pub number: String,
    /// Pieces and pawns on the board, kings included.
    pub pieces: usize,
    pub legal_moves: usize,
    /// The square of the capture that led to this position, if one did.
    pub captured_on: Option<String>,
    /// How much the players' scores changed around this position, in centipawns; `None` where they are unknown.
    pub swing: Option<i32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SourceGameError {
    #[error("{title}: {source}")]
    Position { title: String, source: FenError },
    #[error("{title}: {source}")]
    Move { title: String, source: IllegalMove },
}

impl SourceGame {
    /// The positions in which a move was to be made, in the order of the game.
    pub fn positions(&self) -> Result<Vec<GamePosition>, SourceGameError> {
        let fen_error = |source| SourceGameError::Position { title: self.title.clone(), source };
        let mut referee = match &self.start_fen {
            Some(fen) => Referee::from_fen(fen, Variant::Standard).map_err(fen_error)?,
            None => Referee::new(Variant::Standard),
        };
        let mut positions = Vec::with_capacity(self.moves.len() + 1);
        positions.extend(GamePosition::of(&referee, None, self.swing(0)));
        for text in &self.moves {
            let move_error = |source| SourceGameError::Move { title: self.title.clone(), source };
            let played = referee.play(text).map_err(move_error)?;
            let captured_on = played.san().contains('x').then(|| played.uci()[2..4].to_owned());
            positions.extend(GamePosition::of(&referee, captured_on, self.swing(referee.ply())));
        }
        Ok(positions)
    }

    /// The difference between the highest and the lowest score around `ply`, all for the player of that ply. It is large
    /// where a player missed or did not expect a move.
    fn swing(&self, ply: usize) -> Option<i32> {
        let around = ply.saturating_sub(SWING_PLIES)..=ply + SWING_PLIES;
        let scores = around.filter_map(|other| {
            let score = self.scores.get(other).copied().flatten()?.clamp(-DECIDED, DECIDED);
            Some(if other.abs_diff(ply).is_multiple_of(2) { score } else { -score })
        });
        let scores: Vec<i32> = scores.collect();
        Some(scores.iter().max()? - scores.iter().min()?)
    }
}

impl GamePosition {
    /// The current position; `None` when the game is over.
    fn of(referee: &Referee, captured_on: Option<String>, swing: Option<i32>) -> Option<GamePosition> {
        if referee.outcome().is_some() {
            return None;
        }
        let fen = referee.fen();
        let board = fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let pieces =
            board.chars().take_while(|letter| *letter != ' ').filter(char::is_ascii_alphabetic).count();
        let dots = if referee.turn() == Side::White { "." } else { "..." };
        Some(GamePosition {
            board,
            ply: referee.ply(),
            number: format!("{}{dots}", referee.move_number()),
            pieces,
            legal_moves: referee.legal_moves().len(),
            captured_on,
            swing,
        })
    }

    /// The position for the search, without the moves before it, as a reader of the suite searches it.
    pub fn fen(&self) -> String {
        format!("{} 0 1", self.board)
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

    fn game(start_fen: Option<&str>, moves: &[&str]) -> SourceGame {
        SourceGame {
            title: "a game".to_owned(),
            start_fen: start_fen.map(str::to_owned),
            moves: moves.iter().map(|text| (*text).to_owned()).collect(),
            scores: Vec::new(),
        }
    }

    #[test]
    fn each_position_has_its_number_its_pieces_and_the_last_capture() {
        let positions = game(None, &["e2e4", "d7d5", "e4d5"]).positions().unwrap();
        let numbers: Vec<&str> = positions.iter().map(|position| position.number.as_str()).collect();
        assert_eq!(numbers, ["1.", "1...", "2.", "2..."]);
        let last = &positions[3];
        assert_eq!((last.ply, last.pieces, last.legal_moves), (3, 31, 28));
        assert_eq!(last.captured_on.as_deref(), Some("d5"));
        assert_eq!(positions[2].captured_on, None);
        assert_eq!(last.fen(), "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    }

    #[test]
    fn scores_swing_where_a_player_was_surprised() {
        let mut played = game(None, &["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]);
        let swings = |game: &SourceGame| -> Vec<Option<i32>> {
            game.positions().unwrap().iter().map(|position| position.swing).collect()
        };
        assert_eq!(swings(&played), [None; 7]);
        // White sees a loss of 300 with its third move, Black a gain with its third.
        played.scores = vec![None, Some(-20), Some(20), Some(-20), Some(-280), Some(5000)];
        assert_eq!(swings(&played)[..4], [Some(0), Some(0), Some(300), Some(620)]);
        assert_eq!(swings(&played)[6], Some(320));
    }

    #[test]
    fn a_position_in_which_the_game_is_over_is_none() {
        let positions = game(None, &["f2f3", "e7e5", "g2g4", "d8h4"]).positions().unwrap();
        assert_eq!(positions.len(), 4);
        let bare = game(Some("8/8/8/3k4/8/4K3/3p4/8 w - - 0 1"), &["e3d2"]).positions().unwrap();
        assert_eq!(bare.len(), 1);
    }

    #[test]
    fn a_game_that_cannot_be_followed_is_named() {
        let message = |game: SourceGame| game.positions().unwrap_err().to_string();
        assert!(message(game(None, &["e2e5"])).starts_with("a game: move \"e2e5\" is not legal"));
        assert!(message(game(Some("8/8/8/8/8/8/8/8 w - - 0 1"), &[])).starts_with("a game: FEN"));
    }
}
