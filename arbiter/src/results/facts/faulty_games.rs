//! The games that ended by a fault.

use std::path::Path;

use super::log_excerpt::LogExcerpt;
use crate::results::ending::ending;
use runner::GameRecord;
use runner::foreign_folder::refuse_link;

/// The most games that are listed, and the most with the end of their log.
const TOLD: usize = 200;
const WITH_LOG: usize = 40;

/// Games in which an engine misbehaved.
#[derive(Clone, Debug, Default)]
pub struct FaultyGames {
    /// The number of such games.
    pub count: u64,
    /// The first of them.
    pub games: Vec<FaultyGameWithLog>,
}

/// A game that ended by a fault, with the end of its log.
#[derive(Clone, Debug)]
pub struct FaultyGameWithLog {
    /// Its number, from 1.
    pub number: u32,
    /// Index of the engine with the white pieces.
    pub white: usize,
    /// Index of the engine with the black pieces.
    pub black: usize,
    /// What happened.
    pub ending: String,
    /// The end of its protocol log, if there is one.
    pub log: Option<LogExcerpt>,
}

impl FaultyGames {
    /// Adds a game if it ended by a fault.
    pub fn add(&mut self, game: &GameRecord) {
        if !game.termination.is_fault() {
            return;
        }
        self.count += 1;
        if self.games.len() < TOLD {
            let (white, black, ending) = (game.white, game.black, ending(game));
            self.games.push(FaultyGameWithLog { number: game.game + 1, white, black, ending, log: None });
        }
    }

    /// Reads the ends of the logs. Missing logs are skipped, because a user may have deleted them.
    pub fn read_logs(&mut self, bad_games: &Path) {
        if refuse_link(bad_games).is_err() {
            return;
        }
        for game in self.games.iter_mut().take(WITH_LOG) {
            game.log = LogExcerpt::read(&bad_games.join(format!("{}.log", game.number))).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::{game, lost_by};
    use referee::Side;
    use runner::Termination;

    #[test]
    fn a_fault_is_told_with_the_log_of_its_game_and_a_usual_game_is_not() {
        let mut odd = FaultyGames::default();
        odd.add(&game(0, (0, 1), None));
        for index in 1..=3 {
            odd.add(&lost_by(index, (0, 1), Side::Black, Termination::Crash));
        }
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("3.log"), "the last words\n").unwrap();
        odd.read_logs(place.path());
        let listed: Vec<(u32, bool)> =
            odd.games.iter().map(|game| (game.number, game.log.is_some())).collect();
        assert_eq!((odd.count, listed), (3, vec![(2, false), (3, true), (4, false)]));
    }
}
