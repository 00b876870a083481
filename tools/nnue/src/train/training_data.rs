//! The positions of files of games: training and held-out.

use std::hash::Hasher;
use std::path::PathBuf;

use chess::{Color, Position, SplitMix, Square};
use rustc_hash::{FxHashSet, FxHasher};
use tarrasch::eval::{Evaluator, network_share};
use tarrasch::nnue::{Board, bucket, feature, is_mirrored};
use tarrasch::openings::{Chance, random_plies};

use super::batch::for_each;
use super::expectation::expectation;
use super::settings::Settings;
use crate::export::{BULLETFORMAT_BYTES, bulletformat_bytes, bulletformat_pieces};
use crate::game::{Filter, Game, GameResult};
use crate::viriformat::{GamesError, read_games};

/// One game in this many is held out.
const HELD_OUT: u64 = 50;

/// The positions, without duplicates.
#[derive(Debug, Default)]
pub struct TrainingData {
    pub training: Vec<TrainingPosition>,
    pub held_out: Vec<TrainingPosition>,
    /// The hand-written evaluation of the held-out positions, in centipawns for the side to move.
    pub hand_written: Vec<i16>,
    pub repeated: u64,
}

impl TrainingData {
    /// Reads the games of files. A hash of its start says whether a game is held out.
    pub fn read(files: &[PathBuf], filter: Filter) -> Result<TrainingData, GamesError> {
        let mut reader = Reader { filter, ..Reader::default() };
        for file in files {
            read_games(file, |game| {
                reader.add_game(game);
                Ok::<(), GamesError>(())
            })?;
        }
        Ok(reader.data)
    }

    /// The fingerprint of the positions and their order.
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.training.iter().chain(&self.held_out).for_each(|position| hasher.write(position.bytes()));
        hasher.finish()
    }
}

/// Whether a game is held out, by a hash of its start.
pub(super) fn is_held_out(game: &Game) -> bool {
    SplitMix::new(game.start.key().bits()).next().is_multiple_of(HELD_OUT)
}

#[derive(Default)]
struct Reader {
    data: TrainingData,
    filter: Filter,
    keys: FxHashSet<u64>,
    evaluator: Evaluator,
}

impl Reader {
    fn add_game(&mut self, game: &Game) {
        let data = &mut self.data;
        let is_held_out = is_held_out(game);
        for turn in game.turns().filter(|turn| self.filter.keeps(turn)) {
            if !self.keys.insert(turn.position.key().bits()) {
                data.repeated += 1;
                continue;
            }
            let position = TrainingPosition::new(&turn.position, turn.score, game.result);
            if is_held_out {
                data.held_out.push(position);
                data.hand_written.push(self.evaluator.evaluate(&turn.position).get() as i16);
            } else {
                data.training.push(position);
            }
        }
    }
}

/// The maximum number of random plies from a position of a game.
const MOST_PLIES: u32 = 3;
const GAMES: usize = 1024;

impl TrainingData {
    /// Plays random moves from each position of the games, [`Settings::distil`] times, and scores the new positions with the
    /// hand-written evaluation. Excludes positions in check or without a legal move.
    pub fn distilled(
        files: &[PathBuf],
        settings: &Settings,
        threads: usize,
    ) -> Result<TrainingData, GamesError> {
        let mut data = TrainingData::default();
        let mut waiting = Vec::new();
        for file in files {
            read_games(file, |game| {
                waiting.push((game.clone(), Vec::new()));
                if waiting.len() == GAMES {
                    data.add_near(&mut waiting, settings, threads);
                }
                Ok::<(), GamesError>(())
            })?;
        }
        data.add_near(&mut waiting, settings, threads);
        Ok(data)
    }

    fn add_near(
        &mut self,
        games: &mut Vec<(Game, Vec<TrainingPosition>)>,
        settings: &Settings,
        threads: usize,
    ) {
        for_each(games, threads, |_, (game, near)| *near = positions_near(game, settings));
        for (game, near) in games.drain(..) {
            if is_held_out(&game) {
                self.hand_written.extend(near.iter().map(TrainingPosition::score));
                self.held_out.extend(near);
            } else {
                self.training.extend(near);
            }
        }
    }
}

/// The positions after random moves from each position of a game. The moves depend on the seed and the game's start.
fn positions_near(game: &Game, settings: &Settings) -> Vec<TrainingPosition> {
    let mut chance = Chance::new(settings.seed.into(), game.start.key().bits());
    let mut evaluator = Evaluator::new();
    let mut near = Vec::new();
    for turn in game.turns() {
        for _ in 0..settings.distil {
            let plies = chance.below(MOST_PLIES + 1);
            let position = random_plies(turn.position.clone(), plies, &mut chance);
            if let Some(position) = position.filter(|position| !position.is_check()) {
                near.extend(scored(&position, &mut evaluator, game.result, settings.filter.max_score));
            }
        }
    }
    near
}

/// The position with the score of the hand-written evaluation, if that is below `max_score` for either side.
fn scored(
    position: &Position,
    evaluator: &mut Evaluator,
    result: GameResult,
    max_score: u16,
) -> Option<TrainingPosition> {
    let score = evaluator.evaluate(position).get() as i16;
    let for_white = if position.side_to_move() == Color::White { score } else { -score };
    (score.unsigned_abs() < max_score).then(|| TrainingPosition::new(position, for_white, result))
}

/// A position with its score and the result of its game, all for the side to move, whose pieces are white. Byte 29 is the
/// endgame factor of the output, of 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainingPosition([u8; BULLETFORMAT_BYTES]);

/// The index of the endgame factor.
const SHARE_AT: usize = 29;
const MOST_PIECES: usize = 32;

/// The active inputs of a position: for the side to move, then for its opponent.
#[derive(Clone, Copy, Debug)]
pub struct Inputs {
    pieces: usize,
    sides: [[u16; MOST_PIECES]; 2],
}

impl Inputs {
    pub const NONE: Inputs = Inputs { pieces: 0, sides: [[0; MOST_PIECES]; 2] };

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
        let mut bytes = bulletformat_bytes(position, score, result);
        let ahead = if score >= 0 { Color::White } else { Color::Black };
        bytes[SHARE_AT] = (network_share(position, ahead) * 255.0).round() as u8;
        TrainingPosition(bytes)
    }

    pub fn bytes(&self) -> &[u8; BULLETFORMAT_BYTES] {
        &self.0
    }

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

    /// The target in points: the game's result, weighted by `result_share`, plus the logistic function of `scale` times the
    /// score in centipawns, weighted by the rest.
    pub fn target(&self, result_share: f64, scale: f64) -> f64 {
        let by_score = expectation(scale * f64::from(self.score()));
        result_share * self.points() + (1.0 - result_share) * by_score
    }

    /// The inputs for a network that mirrors the board or does not.
    pub fn inputs(&self, mirrors: bool) -> Inputs {
        let mirrored = [27, 28].map(|at| mirrors && is_mirrored(Square::from_index(self.0[at].into())));
        let mut inputs = Inputs::NONE;
        for (square, piece) in bulletformat_pieces(&self.0) {
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
        bulletformat_pieces(&self.0)
            .fold(Board::default(), |board, (square, piece)| board.with(piece, square))
    }
}
