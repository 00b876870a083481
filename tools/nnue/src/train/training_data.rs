//! The positions of files of games: training and held-out.

use std::hash::Hasher;
use std::path::PathBuf;

use chess::SplitMix;
use rustc_hash::{FxHashSet, FxHasher};
use tarrasch::eval::Evaluator;

use super::training_position::TrainingPosition;
use crate::filter::Filter;
use crate::game::Game;
use crate::game_reader::{GamesError, read_games};

/// One game in this many is held out.
const HELD_OUT: u64 = 50;

/// The positions, without duplicates.
#[derive(Debug, Default)]
pub struct TrainingData {
    /// The training positions.
    pub training: Vec<TrainingPosition>,
    /// The positions of held-out games.
    pub held_out: Vec<TrainingPosition>,
    /// The hand-written evaluation of the held-out positions, in centipawns for the side to move.
    pub hand_written: Vec<i16>,
    /// The number of duplicates.
    pub repeated: u64,
}

impl TrainingData {
    /// Reads the games of files. A hash of its start says whether a game is held out.
    ///
    /// # Errors
    /// A file cannot be read or is not a file of games.
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

/// The state of reading.
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
