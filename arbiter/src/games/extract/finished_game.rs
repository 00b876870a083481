//! A finished game with the scores of its moves.

use referee::{GameResult, Side};
use uci::ScoreValue;

/// A game of standard chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// Source and players, for messages: `gauntlet, game 12: one - two`.
    pub title: String,
    /// The players of White and Black; `None` where unknown.
    pub players: [Option<String>; 2],
    /// The first position as FEN; `None` is the start position.
    pub start_fen: Option<String>,
    /// Number of moves from the book.
    pub book_plies: usize,
    /// All moves, book moves included.
    pub moves: Vec<ScoredMove>,
    /// How it ended.
    pub outcome: GameOutcome,
}

/// A move and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move in UCI notation.
    pub uci: String,
    /// The score by the player, for the player.
    pub score: Option<ScoreValue>,
}

/// Whether the result of a game says something about its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOutcome {
    /// Decided on the board, by agreement, tablebases or adjudication.
    Decided(GameResult),
    /// Ended by a disconnect, time loss, illegal move or the like: the result says nothing about the positions.
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
