//! The score of a game.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Side;

/// Who won. Written as PGN writes it: `1-0`, `0-1`, `1/2-1/2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    /// One point for White.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// One point for Black.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Half a point each.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// The result of a game that `side` won.
    pub const fn won_by(side: Side) -> GameResult {
        match side {
            Side::White => GameResult::WhiteWins,
            Side::Black => GameResult::BlackWins,
        }
    }

    /// The side that won, `None` for a draw.
    pub const fn winner(self) -> Option<Side> {
        match self {
            GameResult::WhiteWins => Some(Side::White),
            GameResult::BlackWins => Some(Side::Black),
            GameResult::Draw => None,
        }
    }

    /// The half points that `side` got: 2, 1 or 0.
    pub fn half_points(self, side: Side) -> u8 {
        match self.winner() {
            None => 1,
            Some(winner) if winner == side => 2,
            Some(_) => 0,
        }
    }

    /// The result that PGN writes so; `None` for `*` and everything else.
    pub fn from_pgn(text: impl AsRef<[u8]>) -> Option<GameResult> {
        let all = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];
        all.into_iter().find(|result| result.as_str().as_bytes() == text.as_ref())
    }

    /// The text that PGN uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
