//! The journal of a run folder, opened and with the start of the run read.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use super::{JournalError, JournalReader};
use crate::RunConfig;
use crate::record::{Event, GameRecord};

/// The journal of a run folder, opened to be read: the first step of every reader of finished games.
#[derive(Debug)]
pub struct RunJournal {
    /// The configuration with which the run was started, from the first line.
    pub config: Arc<RunConfig>,
    /// When the run began.
    pub started: Timestamp,
    /// The remaining events, up to the end or to an incomplete last line.
    pub events: JournalReader<'static>,
}

impl RunJournal {
    /// Opens the journal of a run folder, compressed or not, and reads its first line.
    ///
    /// # Errors
    /// There is no journal, its first line is not the start of a run, or it cannot be read.
    pub fn open(folder: &Path) -> Result<RunJournal, JournalError> {
        let mut events = JournalReader::open(folder)?;
        match events.next().transpose()? {
            Some(Event::RunStarted { config, at, .. }) => Ok(RunJournal { config, started: at, events }),
            _ => Err(JournalError::no_start(events.path())),
        }
    }
}

impl<'a> JournalReader<'a> {
    /// The games that count, in the order in which they ended. A game that was recorded twice, as after a crash, comes
    /// once.
    pub fn finished_games(self) -> impl Iterator<Item = Result<GameRecord, JournalError>> + use<'a> {
        let mut seen = HashSet::new();
        self.filter_map(move |event| match event {
            Ok(Event::GameFinished(game)) => {
                (game.is_counted() && seen.insert(game.game)).then_some(Ok(*game))
            }
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
    }

    /// Every game by its number: what `keep` returns for the record that counts, or for the last one if none has a result.
    ///
    /// # Errors
    /// A line cannot be read.
    pub fn games_by_number<G>(
        mut self,
        keep: impl FnMut(GameRecord) -> G,
    ) -> Result<BTreeMap<u32, G>, JournalError> {
        self.games_seen_by_number(|_| (), keep)
    }

    /// As [`games_by_number`](JournalReader::games_by_number); `see` gets every event first.
    ///
    /// # Errors
    /// A line cannot be read.
    pub fn games_seen_by_number<G>(
        &mut self,
        mut see: impl FnMut(&Event),
        mut keep: impl FnMut(GameRecord) -> G,
    ) -> Result<BTreeMap<u32, G>, JournalError> {
        let (mut games, mut counted) = (BTreeMap::new(), HashSet::new());
        for event in self {
            let event = event?;
            see(&event);
            if let Event::GameFinished(game) = event
                && !counted.contains(&game.game)
            {
                counted.extend(game.is_counted().then_some(game.game));
                games.insert(game.game, keep(*game));
            }
        }
        Ok(games)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{JOURNAL_FILE, Termination};
    use referee::GameResult;

    fn start() -> Event {
        let config = Arc::new(RunConfig::made_up(&["a", "b"], "games = 8\nbook.path = 'x'"));
        Event::RunStarted { config, games: 8, at: Timestamp::UNIX_EPOCH }
    }

    fn game(number: u32, result: Option<GameResult>, seconds: u64) -> Event {
        Event::GameFinished(Box::new(GameRecord {
            game: number,
            pair: number / 2,
            result,
            termination: if result.is_some() { Termination::Checkmate } else { Termination::Abandoned },
            duration: Duration::from_secs(seconds),
            ..GameRecord::made_up()
        }))
    }

    fn folder_with(events: &[Event]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let lines = events.iter().map(|event| serde_json::to_string(event).unwrap() + "\n");
        std::fs::write(folder.path().join(JOURNAL_FILE), lines.collect::<String>()).unwrap();
        folder
    }

    /// Game 2 is interrupted and replayed, game 1 is recorded twice, and game 3 has no result.
    fn played() -> Vec<Event> {
        let won = Some(GameResult::WhiteWins);
        vec![
            start(),
            game(2, None, 1),
            game(1, won, 2),
            game(1, Some(GameResult::Draw), 3),
            game(2, won, 4),
            game(3, None, 5),
            game(0, won, 6),
        ]
    }

    #[test]
    fn games_come_once_in_the_order_in_which_they_ended_or_by_number_even_without_a_result() {
        let folder = folder_with(&played());
        let journal = RunJournal::open(folder.path()).unwrap();
        assert_eq!((journal.config.games, journal.started), (8, Timestamp::UNIX_EPOCH));
        let games: Vec<GameRecord> = journal.events.finished_games().map(Result::unwrap).collect();
        let told: Vec<(u32, u64)> = games.iter().map(|game| (game.game, game.duration.as_secs())).collect();
        assert_eq!(told, [(1, 2), (2, 4), (0, 6)]);
        let games = RunJournal::open(folder.path()).unwrap().events.games_by_number(|game| game).unwrap();
        let told: Vec<(u32, u64)> = games.values().map(|game| (game.game, game.duration.as_secs())).collect();
        assert_eq!(told, [(0, 6), (1, 2), (2, 4), (3, 5)]);
    }
}
