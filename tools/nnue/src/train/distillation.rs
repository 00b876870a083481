//! Positions scored by the hand-written evaluation. A network first learns from them what that evaluation knows. They cost a
//! microsecond each, so there are enough of them to avoid overfitting.

use std::path::PathBuf;

use chess::{Color, MoveList, Position};
use tarrasch::eval::Evaluator;
use tarrasch::openings::Chance;

use super::parallel::for_each;
use super::settings::Settings;
use super::training_data::{TrainingData, is_held_out};
use super::training_position::TrainingPosition;
use crate::game::{Game, GameResult};
use crate::game_reader::{GamesError, read_games};

/// The maximum number of random plies from a position of a game.
const MOST_PLIES: u32 = 3;
/// The number of games in one unit of work.
const GAMES: usize = 1024;

impl TrainingData {
    /// Plays random moves from each position of the games, [`Settings::distil`] times, and scores the new positions with the
    /// hand-written evaluation. Excludes positions in check or without a legal move.
    ///
    /// # Errors
    /// A file cannot be read or is not a file of games.
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
            let position = after_random_plies(turn.position.clone(), &mut chance);
            if !position.is_check() && position.has_legal_move() {
                near.extend(scored(&position, &mut evaluator, game.result, settings.filter.max_score));
            }
        }
    }
    near
}

fn after_random_plies(mut position: Position, chance: &mut Chance) -> Position {
    for _ in 0..chance.below(MOST_PLIES + 1) {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[chance.below(moves.len() as u32) as usize]);
    }
    position
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
