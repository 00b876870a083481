//! A position to learn from, in 32 bytes.

use chess::{Color, Square};
use tarrasch::nnue::{Board, feature, is_mirrored};
use tune::expectation;

use crate::bulletformat::{self, BYTES};
use crate::game::{GameResult, Turn};

/// A position with its score and the result of its game, all for the side to move, whose pieces are white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingPosition([u8; BYTES]);

/// The most pieces of a position.
const MOST_PIECES: usize = 32;

/// The inputs that are set for a position: those of the side to move, then those of its opponent.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    pieces: usize,
    sides: [[u16; MOST_PIECES]; 2],
}

impl Inputs {
    /// No pieces.
    pub const NONE: Inputs = Inputs { pieces: 0, sides: [[0; MOST_PIECES]; 2] };

    /// The inputs of the side to move (0) or of its opponent (1).
    #[inline]
    pub fn of_side(&self, side: usize) -> &[u16] {
        &self.sides[side][..self.pieces]
    }
}

impl TrainingPosition {
    /// Packs a position of a game.
    pub fn new(turn: &Turn, result: GameResult) -> TrainingPosition {
        TrainingPosition(bulletformat::encode(turn, result))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8; BYTES] {
        &self.0
    }

    /// The score in centipawns.
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[24], self.0[25]])
    }

    /// What came of the game: 0, ½ or 1 point.
    pub fn points(&self) -> f64 {
        f64::from(self.0[26]) / 2.0
    }

    /// The points that the network is to expect: `result_share` of what came of the game, and the rest of what the score
    /// promises, the logistic function of `scale` times the centipawns.
    pub fn target(&self, result_share: f64, scale: f64) -> f64 {
        let by_score = expectation(scale * f64::from(self.score()));
        result_share * self.points() + (1.0 - result_share) * by_score
    }

    /// The inputs for a network that mirrors the board or does not.
    pub fn inputs(&self, mirrors: bool) -> Inputs {
        let mirrored = [27, 28].map(|at| mirrors && is_mirrored(Square::from_index(self.0[at].into())));
        let mut inputs = Inputs::NONE;
        for (square, piece) in bulletformat::pieces(&self.0) {
            for perspective in Color::ALL {
                let side = perspective.index();
                let input = feature(perspective, mirrored[side], piece, square);
                inputs.sides[side][inputs.pieces] = input as u16;
            }
            inputs.pieces += 1;
        }
        inputs
    }

    /// The board; White is to move.
    pub fn board(&self) -> Board {
        bulletformat::pieces(&self.0)
            .fold(Board::default(), |board, (square, piece)| board.with(piece, square))
    }
}
