use std::{fmt, str::FromStr};

use shakmaty::Color;
use thiserror::Error;

/// The score of a game as PGN writes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: still going on, abandoned, or not known.
    #[default]
    Unfinished,
}

impl GameResult {
    /// The result of a game that `winner` won, or that nobody did.
    pub const fn from_winner(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::WhiteWins,
            Some(Color::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }

    /// The PGN termination marker.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unfinished => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A text that is none of the four PGN termination markers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("result {0:?}: expected 1-0, 0-1, 1/2-1/2 or *")]
pub struct GameResultError(String);

impl FromStr for GameResult {
    type Err = GameResultError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unfinished]
            .into_iter()
            .find(|result| result.as_str() == text)
            .ok_or_else(|| GameResultError(text.to_owned()))
    }
}
