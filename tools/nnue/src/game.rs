//! A game of the engine against itself, and its positions.

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

/// A move and its score.
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
    /// The number of games skipped directly before it, because their starts had been played.
    pub skipped: u8,
}

/// A position of a game with its best move and score.
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
