//! The lengths of games.

use runner::GameRecord;

/// Longer games count as this long.
const LONGEST: usize = 600;

/// About the number of bins in a histogram.
const BINS: usize = 24;

/// The lengths of games in full moves, those of the opening included.
#[derive(Clone, Debug, Default)]
pub struct GameLengths {
    /// By the number of moves.
    counts: Vec<u64>,
    moves: u64,
}

impl GameLengths {
    /// Counts a game.
    pub fn add(&mut self, game: &GameRecord) {
        let moves = (game.opening.moves.len() + game.moves.len()).div_ceil(2);
        self.moves += moves as u64;
        let place = moves.min(LONGEST);
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
    }

    /// The mean length in moves; `None` without games.
    pub fn mean(&self) -> Option<f64> {
        let games: u64 = self.counts.iter().sum();
        (games > 0).then(|| self.moves as f64 / games as f64)
    }

    /// The width of a bin in moves, and the counts of the bins.
    pub fn bins(&self) -> (usize, Vec<u64>) {
        let width =
            [1, 2, 5, 10, 20, 50].into_iter().find(|width| self.counts.len() <= width * BINS).unwrap_or(50);
        (width, self.counts.chunks(width).map(|bin| bin.iter().sum()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::game;

    #[test]
    fn bins_are_as_wide_as_the_longest_game_asks_for() {
        let mut lengths = GameLengths::default();
        assert_eq!(lengths.mean(), None);
        let mut record = game(0, (0, 1), None);
        lengths.add(&record);
        record.moves = vec![record.moves[0].clone(); 197];
        lengths.add(&record);
        let (width, bins) = lengths.bins();
        assert_eq!((width, bins.len(), bins[0], bins[20]), (5, 21, 1, 1));
        assert_eq!(lengths.mean(), Some(51.0));
    }
}
