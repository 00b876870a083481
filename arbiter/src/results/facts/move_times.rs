//! The time per move, by move number.

use std::time::Duration;

use referee::Side;
use runner::GameRecord;

/// The most moves of a game that are counted.
const MOVES: usize = 200;

/// A mean needs at least this share of the games.
const LEAST_SHARE: f64 = 0.05;

/// The time that one engine took for each of its moves after the opening.
#[derive(Clone, Debug, Default)]
pub struct MoveTimes {
    sums: Vec<(u64, Duration)>,
}

impl MoveTimes {
    /// Counts the moves of the engine that played `side`.
    pub fn add(&mut self, game: &GameRecord, side: Side) {
        for (place, played) in game.moves_of(side).take(MOVES).enumerate() {
            if self.sums.len() == place {
                self.sums.push((0, Duration::ZERO));
            }
            let (count, time) = &mut self.sums[place];
            *count += 1;
            *time += played.time;
        }
    }

    /// The mean time of each move in seconds, while enough games last.
    pub fn means(&self) -> impl Iterator<Item = f64> {
        let games = self.sums.first().map_or(0, |(count, _)| *count);
        let enough = (games as f64 * LEAST_SHARE).max(1.0);
        let lasting = self.sums.iter().take_while(move |(count, _)| *count as f64 >= enough);
        lasting.map(|(count, time)| time.as_secs_f64() / *count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::game;

    #[test]
    fn a_move_that_hardly_any_game_has_is_left_out() {
        let mut times = MoveTimes::default();
        let mut record = game(0, (0, 1), None);
        (0..99).for_each(|_| times.add(&record, Side::White));
        record.moves = vec![record.moves[0].clone(); 4];
        times.add(&record, Side::White);
        assert_eq!(times.means().collect::<Vec<_>>(), [0.52]);
    }
}
