//! What the chances depend on besides the score.

use clap::ValueEnum;
use referee::Referee;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What comes later in a game does not count, as in Stockfish's `WDL_model`.
pub const LAST_MOVE: u32 = 120;

/// How far a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameStage {
    /// What both sides have: a pawn 1, a knight or bishop 3, a rook 5, a queen 9
    Material,
    /// The number of the move
    Move,
}

impl GameStage {
    /// The stages that count, and to which others are moved when the model is used.
    pub const fn range(self) -> [u8; 2] {
        match self {
            GameStage::Material => [17, 78],
            GameStage::Move => [8, LAST_MOVE as u8],
        }
    }

    /// The stage whose score of one pawn is 50% wins, by which stages are divided.
    pub const fn target(self) -> u8 {
        match self {
            GameStage::Material => 58,
            GameStage::Move => 32,
        }
    }

    pub fn of(self, referee: &Referee) -> u32 {
        if self == GameStage::Move {
            return referee.move_number();
        }
        let worth = |piece: char| match piece.to_ascii_lowercase() {
            'p' => 1,
            'n' | 'b' => 3,
            'r' => 5,
            'q' => 9,
            _ => 0,
        };
        referee.fen().chars().take_while(|letter| *letter != ' ').map(worth).sum()
    }
}
