//! A game of the engine against itself, its positions, and which of them a network is trained on.

use chess::{Color, Move, Position};
use clap::Args;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    BlackWins,
    Draw,
    WhiteWins,
}

impl GameResult {
    pub const ALL: [GameResult; 3] = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];

    pub const fn win_of(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// White's points in halves: 0, 1 or 2.
    pub const fn half_points(self) -> u8 {
        self as u8
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    pub mv: Move,
    /// The score of the position before it, in centipawns for White.
    pub score: i16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The position after the random moves of the opening.
    pub start: Position,
    /// The moves that were searched, each legal.
    pub moves: Vec<ScoredMove>,
    pub result: GameResult,
    /// The number of games skipped directly before it, because their starts had been played.
    pub skipped: u8,
}

/// A position of a game with its best move and score.
#[derive(Clone, Debug)]
pub struct Turn {
    pub position: Position,
    /// The best move, which was played.
    pub mv: Move,
    /// The score in centipawns for White.
    pub score: i16,
}

impl Game {
    /// The positions in order, with moves and scores, except the last one.
    pub fn turns(&self) -> impl Iterator<Item = Turn> + '_ {
        let mut position = self.start.clone();
        self.moves.iter().map(move |&ScoredMove { mv, score }| {
            let after = position.play(mv);
            Turn { position: std::mem::replace(&mut position, after), mv, score }
        })
    }
}

/// The plies from the initial position to this one, by the move number.
pub fn ply_of(position: &Position) -> u32 {
    let black = u32::from(position.side_to_move() == Color::Black);
    2 * u32::from(position.fullmove_number().saturating_sub(1)) + black
}

/// Chooses training positions. By default it excludes positions in check or with a capture or promotion as the best move,
/// because a static evaluation cannot see their consequences.
#[derive(Args, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// Skip the first N plies of a game, opening included
    #[arg(long, value_name = "PLIES", default_value_t = Filter::default().min_ply)]
    pub min_ply: u32,

    /// Skip positions with at least this score, in centipawns for either side
    #[arg(long, value_name = "CP", default_value_t = Filter::default().max_score)]
    pub max_score: u16,

    /// Keep positions in check
    #[arg(long = "keep-checks")]
    pub keeps_checks: bool,

    /// Keep positions whose best move is a capture or promotion
    #[arg(long = "keep-tactical")]
    pub keeps_tactical: bool,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { min_ply: 16, max_score: 2500, keeps_checks: false, keeps_tactical: false }
    }
}

impl Filter {
    pub fn keeps(self, turn: &Turn) -> bool {
        let Turn { position, mv, score } = turn;
        let is_tactical = || position.is_capture(*mv) || mv.promotion().is_some();
        ply_of(position) >= self.min_ply
            && score.unsigned_abs() < self.max_score
            && (self.keeps_checks || !position.is_check())
            && (self.keeps_tactical || !is_tactical())
    }
}
