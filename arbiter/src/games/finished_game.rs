//! A finished game, from a journal or a PGN.

use referee::{FenError, GameResult, IllegalMove, PlayedMove, Referee, Side, Variant};
use runner::MoveScore;
use thiserror::Error;

/// A game of standard chess or of Chess960.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// Source and players, for messages: `gauntlet, game 12: one - two`.
    pub title: String,
    /// The players of White and Black; `None` where unknown.
    pub players: [Option<String>; 2],
    pub variant: Variant,
    /// The first position as FEN; `None` is the start position.
    pub start_fen: Option<String>,
    pub book_plies: usize,
    /// All moves, book moves included.
    pub moves: Vec<ScoredMove>,
    pub outcome: GameOutcome,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    pub uci: String,
    /// The score by the player, for the player.
    pub score: Option<MoveScore>,
}

/// Whether the result of a game says something about its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameOutcome {
    /// Decided on the board, by agreement, tablebases or adjudication.
    Decided(GameResult),
    /// Ended by a disconnect, time loss, illegal move or the like: the result says nothing about the positions.
    Fault,
    Unfinished,
}

impl FinishedGame {
    /// The referee at the first position.
    pub fn start(&self) -> Result<Referee, GameError> {
        let error = |source| GameError::Position { title: self.title.clone(), source };
        let start = self.start_fen.as_deref().map(|fen| Referee::from_fen(fen, self.variant)).transpose();
        Ok(start.map_err(error)?.unwrap_or_else(|| Referee::new(self.variant)))
    }

    /// Plays one of its moves.
    pub fn play(&self, referee: &mut Referee, played: &ScoredMove) -> Result<PlayedMove, GameError> {
        let error = |source| GameError::Move { title: self.title.clone(), source };
        referee.play(&played.uci).map_err(error)
    }

    pub fn player(&self, side: Side) -> Option<&str> {
        let [white, black] = &self.players;
        match side {
            Side::White => white.as_deref(),
            Side::Black => black.as_deref(),
        }
    }
}

/// Why the moves of a game cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    #[error("{title}: {source}")]
    Position { title: String, source: FenError },
    #[error("{title}: {source}")]
    Move { title: String, source: IllegalMove },
}
