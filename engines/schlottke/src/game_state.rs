//! The function `EtatJeu` (section II, note 3): how the game stands. Repetition and the fifty moves are left to the
//! referee, as the article leaves them to the players (note 5).

use std::fmt;

use super::position::Position;

/// The four states, with the article's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameState {
    /// The game goes on.
    InProgress = 0,
    /// It goes on, and the side to move is in check.
    Check = 1,
    /// No legal move, and no check.
    Stalemate = 2,
    /// No legal move, and check.
    Mate = 3,
}

impl GameState {
    /// How the game stands in `position`.
    pub fn of(position: &Position) -> GameState {
        match (position.legal_moves().is_empty(), position.is_check()) {
            (false, false) => GameState::InProgress,
            (false, true) => GameState::Check,
            (true, false) => GameState::Stalemate,
            (true, true) => GameState::Mate,
        }
    }
}

impl fmt::Display for GameState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameState::InProgress => "in progress",
            GameState::Check => "check",
            GameState::Stalemate => "stalemate",
            GameState::Mate => "mate",
        })
    }
}
