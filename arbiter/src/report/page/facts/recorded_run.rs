//! A run as its folder tells it.

use std::path::Path;

use super::run_facts::RunFacts;
use crate::run_folder::{GamesCsvCheck, ReportError};
use crate::status::RunState;
use runner::{BAD_GAMES_FOLDER, Event, Journal, JournalReader};

/// What a run folder holds, read from its journal, whether the run is over or not.
#[derive(Clone, Debug)]
pub struct RecordedRun {
    /// Whether the run is going on, and if not, why.
    pub state: RunState,
    /// The sums over its games.
    pub facts: RunFacts,
    /// What `games.csv` says otherwise than the journal, in words. Nobody looks while the run goes on.
    pub odd_table: Option<String>,
}

impl RecordedRun {
    /// Reads the journal of a folder, `events.jsonl`, or `events.jsonl.gz` in its place.
    ///
    /// # Errors
    /// There is no journal, or a line of it cannot be read, or it does not begin with the start of a run, or it has a
    /// game of engines that are not those of the run.
    pub fn read(folder: &Path) -> Result<RecordedRun, ReportError> {
        let mut journal = JournalReader::open(folder)
            .map_err(|source| ReportError::NoJournal { folder: folder.to_owned(), source })?;
        let mut facts: Option<(RunFacts, GamesCsvCheck)> = None;
        let mut last = None;
        for event in journal.by_ref() {
            match (event?, &mut facts) {
                (Event::RunStarted { config, .. }, facts @ None) => {
                    let table = GamesCsvCheck::new(&config);
                    *facts = Some((RunFacts::new(*config), table));
                }
                (Event::GameFinished(game), Some((facts, table))) => {
                    table.add(&game);
                    facts.add(*game);
                    last = None;
                }
                (event, _) => last = Some(event),
            }
        }
        let path = journal.path().to_owned();
        let (mut facts, table) = facts.ok_or_else(|| ReportError::NoStart(path.clone()))?;
        facts.odd_games.read_logs(&folder.join(BAD_GAMES_FOLDER));
        let state =
            if Journal::is_in_use(&path) { RunState::Running } else { RunState::left_by(last.as_ref()) };
        let odd_table = if state == RunState::Running { None } else { table.trouble(folder) };
        Ok(RecordedRun { state, facts, odd_table })
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use jiff::Timestamp;

    use super::*;
    use crate::run_state::made_up_games::{config, two_engine_match};
    use runner::FinishReason;

    fn journal(results: &str) -> String {
        let at = Timestamp::UNIX_EPOCH;
        let config = Box::new(config(&["new", "old"], false));
        let mut events = vec![Event::RunStarted { config, games: 100, at }];
        events.extend(two_engine_match(results).into_iter().map(|game| Event::GameFinished(Box::new(game))));
        events.push(Event::RunFinished { reason: FinishReason::AllGamesPlayed, at });
        events.iter().map(|event| serde_json::to_string(event).unwrap() + "\n").collect()
    }

    #[test]
    fn a_journal_reads_the_same_packed_and_not() {
        let place = tempfile::tempdir().unwrap();
        let file = File::create(place.path().join("events.jsonl.gz")).unwrap();
        let mut packed = GzEncoder::new(file, Compression::default());
        packed.write_all(journal("wdl").as_bytes()).unwrap();
        packed.finish().unwrap();
        let read = RecordedRun::read(place.path()).unwrap();
        std::fs::write(place.path().join("events.jsonl"), journal("wdl")).unwrap();
        let plain = RecordedRun::read(place.path()).unwrap();
        assert_eq!(read.facts.summary(), plain.facts.summary());
        assert_eq!(read.state, RunState::Finished { reason: FinishReason::AllGamesPlayed });
    }

    #[test]
    fn a_journal_that_ends_with_a_game_is_one_of_an_interrupted_run() {
        let place = tempfile::tempdir().unwrap();
        let whole = journal("wdl");
        let cut = whole.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n";
        std::fs::write(place.path().join("events.jsonl"), cut).unwrap();
        let read = RecordedRun::read(place.path()).unwrap();
        assert_eq!(read.state, RunState::Interrupted { reason: None });
        assert_eq!(read.facts.summary().games, 3);
    }

    #[test]
    fn a_game_of_an_engine_that_the_run_does_not_have_is_refused_with_its_line() {
        let place = tempfile::tempdir().unwrap();
        let changed = journal("wdl").replacen("\"white\":1", "\"white\":7", 1);
        std::fs::write(place.path().join("events.jsonl"), changed).unwrap();
        let message = RecordedRun::read(place.path()).unwrap_err().to_string();
        assert!(
            message.contains("events.jsonl, line 3: expected an event of a run, found one of engine 7"),
            "{message}"
        );
    }

    #[test]
    fn a_folder_without_a_run_is_told() {
        let place = tempfile::tempdir().unwrap();
        let message = RecordedRun::read(place.path()).unwrap_err().to_string();
        assert!(message.contains("expected a run folder with a journal"), "{message}");
        std::fs::write(place.path().join("events.jsonl"), "").unwrap();
        let message = RecordedRun::read(place.path()).unwrap_err().to_string();
        assert!(message.contains("line 1: expected the start of a run"), "{message}");
    }
}
