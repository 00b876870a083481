//! A game as the collector of quiet positions sees it.

use referee::{GameResult, Side};
use uci::ScoreValue;

/// A game of standard chess that was played by engines or people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// Where it comes from and who played, for messages: `gauntlet, game 12: one - two`.
    pub title: String,
    /// Who had the white pieces, and who the black ones; `None` where nobody says.
    pub players: [Option<String>; 2],
    /// The first position as FEN; `None` is the usual start position.
    pub start_fen: Option<String>,
    /// How many of the moves were played for the players: those of an opening.
    pub book_plies: usize,
    /// All moves, those of the opening included.
    pub moves: Vec<ScoredMove>,
    /// How it ended.
    pub outcome: GameOutcome,
}

/// A move and what its player thought of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move in UCI notation.
    pub uci: String,
    /// The score that the player announced, as the player sees it.
    pub score: Option<ScoreValue>,
}

/// How a game ended, as far as it says something about its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOutcome {
    /// On the board, or by agreement, tables or adjudication.
    Decided(GameResult),
    /// By a crash, a time loss, an illegal move and the like: the result tells nothing of the positions.
    Fault,
    /// It has no result.
    Unfinished,
}

impl FinishedGame {
    /// The player of a side.
    pub fn player(&self, side: Side) -> Option<&str> {
        let [white, black] = &self.players;
        match side {
            Side::White => white.as_deref(),
            Side::Black => black.as_deref(),
        }
    }
}
