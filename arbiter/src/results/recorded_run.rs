//! A run as its folder tells it.

use std::path::{Path, PathBuf};

use super::run_phase::RunPhase;
use super::state::RunState;
use runner::{Journal, JournalError, RunJournal};

/// What a run folder holds, whether the run is over or not.
#[derive(Clone, Debug)]
pub struct RecordedRun {
    /// The folder as it was given.
    pub folder: PathBuf,
    /// What the events come to.
    pub state: RunState,
    /// Whether the run is going on, and if not, why.
    pub phase: RunPhase,
    /// The number of the journal's last line if that was cut off. The game in it is not counted.
    pub torn_line: Option<usize>,
}

impl RecordedRun {
    /// Reads the journal of a folder, `events.jsonl`, or `events.jsonl.gz` in its place.
    ///
    /// # Errors
    /// There is no journal, or a line of it cannot be read, or it does not begin with the start of a run, or it has a
    /// game of engines that are not those of the run.
    pub fn read(folder: &Path) -> Result<RecordedRun, JournalError> {
        RecordedRun::read_into(folder, |state| state)
    }

    /// The same with what the page about the run shows.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with_facts(folder: &Path) -> Result<RecordedRun, JournalError> {
        RecordedRun::read_into(folder, RunState::with_facts)
    }

    fn read_into(
        folder: &Path,
        prepare: impl FnOnce(RunState) -> RunState,
    ) -> Result<RecordedRun, JournalError> {
        let RunJournal { config, started, mut events } = RunJournal::open(folder)?;
        let mut state = prepare(RunState::begun(&config, started));
        let is_in_use = Journal::is_in_use(events.path());
        state.read(&mut events, |_| {})?;
        let phase = state.phase(is_in_use);
        Ok(RecordedRun { folder: folder.to_owned(), state, phase, torn_line: events.torn_line() })
    }

    /// A run that was played just now, and whose folder was written by us.
    pub fn just_played(state: RunState, folder: &Path) -> RecordedRun {
        let phase = state.left_as().clone();
        RecordedRun { folder: folder.to_owned(), state, phase, torn_line: None }
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
    use crate::results::made_up_games::{config, two_engine_match};
    use runner::{Event, FinishReason};

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
        assert_eq!(read.state.summary(), plain.state.summary());
        assert_eq!(read.phase, RunPhase::Finished { reason: FinishReason::AllGamesPlayed });
    }

    #[test]
    fn a_journal_that_ends_with_a_game_is_one_of_an_interrupted_run() {
        let place = tempfile::tempdir().unwrap();
        let whole = journal("wdl");
        let cut = whole.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n";
        std::fs::write(place.path().join("events.jsonl"), cut).unwrap();
        let read = RecordedRun::read(place.path()).unwrap();
        assert_eq!(read.phase, RunPhase::Interrupted { reason: None });
        assert_eq!(read.state.summary().games, 3);
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
