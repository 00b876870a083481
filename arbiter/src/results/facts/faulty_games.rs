//! The games that ended by a fault.

use std::path::Path;

use super::log_excerpt::{LogExcerpt, last_words, log_of};
use crate::results::ending::ending;
use referee::Side;
use runner::foreign_folder::refuse_link;
use runner::{BAD_GAMES_FOLDER, GameRecord};

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
    /// The side at fault.
    pub offender: Option<Side>,
    /// What happened.
    pub ending: String,
    /// The end of its protocol log, if there is one.
    pub log: Option<LogExcerpt>,
    /// What the engine at fault wrote to its error output last.
    pub last_words: Vec<String>,
}

impl FaultyGames {
    /// Adds a game if it ended by a fault.
    pub fn add(&mut self, game: &GameRecord) {
        if !game.termination.is_fault() {
            return;
        }
        self.count += 1;
        if self.games.len() < TOLD {
            self.games.push(FaultyGameWithLog {
                number: game.game + 1,
                white: game.white,
                black: game.black,
                offender: game.offender,
                ending: ending(game),
                log: None,
                last_words: Vec::new(),
            });
        }
    }

    /// Reads the ends of the logs. Missing logs are skipped, because a user may have deleted them.
    pub fn read_logs(&mut self, run: &Path) {
        if refuse_link(&run.join(BAD_GAMES_FOLDER)).is_err() {
            return;
        }
        for game in self.games.iter_mut().take(WITH_LOG) {
            game.log = LogExcerpt::read(&log_of(run, game.number)).ok();
            if let Some(side) = game.offender {
                game.last_words = last_words(run, game.number, side);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::{game, lost_by};
    use runner::Termination;

    #[test]
    fn a_fault_is_told_with_the_log_of_its_game_and_a_usual_game_is_not() {
        let mut odd = FaultyGames::default();
        odd.add(&game(0, (0, 1), None));
        for index in 1..=3 {
            odd.add(&lost_by(index, (0, 1), Side::Black, Termination::Crash));
        }
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join(BAD_GAMES_FOLDER)).unwrap();
        std::fs::write(log_of(place.path(), 3), "# White\n# Black\n# error output:\n# it broke\n").unwrap();
        odd.read_logs(place.path());
        let listed: Vec<(u32, bool)> =
            odd.games.iter().map(|game| (game.number, game.log.is_some())).collect();
        assert_eq!((odd.count, listed), (3, vec![(2, false), (3, true), (4, false)]));
        assert_eq!(odd.games[1].last_words, ["it broke"]);
    }
}
