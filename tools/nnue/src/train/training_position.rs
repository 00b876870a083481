//! A training position, in 32 bytes.

use chess::{Color, Position, Square};
use tarrasch::eval::network_share;
use tarrasch::nnue::{Board, bucket, feature, is_mirrored};
use tune::expectation;

use crate::bulletformat::{self, BYTES};
use crate::game::GameResult;

/// A position with its score and the result of its game, all for the side to move, whose pieces are white. Byte 29 is the
/// endgame factor of the output, of 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingPosition([u8; BYTES]);

/// The index of the endgame factor.
const SHARE_AT: usize = 29;
/// The maximum number of pieces.
const MOST_PIECES: usize = 32;

/// The active inputs of a position: for the side to move, then for its opponent.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    pieces: usize,
    sides: [[u16; MOST_PIECES]; 2],
}

impl Inputs {
    /// No pieces.
    pub const NONE: Inputs = Inputs { pieces: 0, sides: [[0; MOST_PIECES]; 2] };

    /// The output bucket.
    #[inline]
    pub fn bucket(&self) -> usize {
        bucket(self.pieces)
    }

    /// The inputs of the side to move (0) or of its opponent (1).
    #[inline]
    pub fn of_side(&self, side: usize) -> &[u16] {
        &self.sides[side][..self.pieces]
    }
}

impl TrainingPosition {
    /// Packs a position with its score, in centipawns for White, and the result of its game.
    pub fn new(position: &Position, score: i16, result: GameResult) -> TrainingPosition {
        let mut bytes = bulletformat::encode(position, score, result);
        let ahead = if score >= 0 { Color::White } else { Color::Black };
        bytes[SHARE_AT] = (network_share(position, ahead) * 255.0).round() as u8;
        TrainingPosition(bytes)
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8; BYTES] {
        &self.0
    }

    /// The score in centipawns.
    pub fn score(&self) -> i16 {
        i16::from_le_bytes([self.0[24], self.0[25]])
    }

    /// The endgame factor of the output, from 0 to 1.
    pub fn share(&self) -> f32 {
        f32::from(self.0[SHARE_AT]) / 255.0
    }

    /// The result of the game: 0, ½ or 1 point.
    pub fn points(&self) -> f64 {
        f64::from(self.0[26]) / 2.0
    }

    /// The target in points: `result_share` of the result, plus the rest of the logistic function of `scale` times the score in
    /// centipawns.
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
