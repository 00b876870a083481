//! A game of the engine against itself, and the way through its positions.

use chess::{Color, Move, Position};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the results")]
pub enum GameResult {
    BlackWins,
    Draw,
    WhiteWins,
}

impl GameResult {
    /// The results in the order of White's points.
    pub const ALL: [GameResult; 3] = [GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins];

    /// The win of a side.
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

/// A move and what the search that chose it found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub mv: Move,
    /// The score of the position before it, in centipawns for White.
    pub score: i16,
}

/// A whole game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The position after the random moves of the opening.
    pub start: Position,
    /// The moves that were searched, each legal.
    pub moves: Vec<ScoredMove>,
    /// How it ended.
    pub result: GameResult,
    /// How many games directly before it are missing because their starts had been played already.
    pub skipped: u8,
}

/// A position of a game with what was found there.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The position.
    pub position: Position,
    /// The best move, which was played.
    pub mv: Move,
    /// The score in centipawns for White.
    pub score: i16,
}

impl Game {
    /// The positions in their order, with their moves and scores. The last position of the game, from which nothing was
    /// played, is not among them.
    pub fn turns(&self) -> impl Iterator<Item = Turn> + '_ {
        let mut position = self.start.clone();
        self.moves.iter().map(move |&ScoredMove { mv, score }| {
            let after = position.play(mv);
            Turn { position: std::mem::replace(&mut position, after), mv, score }
        })
    }
}

/// How many plies after the initial position a position stands, by its move number.
pub fn ply_of(position: &Position) -> u32 {
    let black = u32::from(position.side_to_move() == Color::Black);
    2 * u32::from(position.fullmove_number().saturating_sub(1)) + black
}
