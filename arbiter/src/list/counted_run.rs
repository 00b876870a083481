//! A run as its list counts it, saved beside its journal as `counted.json`, so that later commands need not count it again.
//!
//! What was saved is used only if this user's Arbiter wrote it, and if the journal is the one that it counted, by checksum.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::files::{own_seal, write_whole};
use crate::rating::RatedGame;
use runner::untrusted_files::read_text;
use runner::{
    Event, FinishReason, Journal, JournalError, JournalPlace, JournalReader, RunJournal, Schedule,
    Termination,
};

const FILE: &str = "counted.json";

/// The version of the format, which changes whenever something is counted differently.
const SCHEMA: u32 = 1;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct CountedRun {
    schema: u32,
    /// The end of the journal.
    pub place: JournalPlace,
    pub games: u32,
    pub schedule: Schedule,
    /// The engine and the fault of each game that was lost by one.
    pub faults: Vec<(usize, Termination)>,
    /// Why the run ended last.
    pub last: Option<FinishReason>,
    pub rated: Vec<RatedGame>,
}

impl CountedRun {
    /// Counts a run, or reads what was counted before.
    pub fn read(folder: &Path) -> Result<CountedRun, JournalError> {
        if let Some(saved) = saved(folder) {
            return Ok(saved);
        }
        let RunJournal { config, mut events, .. } = RunJournal::open(folder)?;
        let is_in_use = Journal::is_in_use(events.path());
        let (mut schedule, mut games, mut faults, mut last) = (Schedule::new(&config), 0, Vec::new(), None);
        let rated = RatedGame::of_run(config, &mut events, true, |event| match event {
            Event::GameFinished(game) if game.is_counted() && schedule.add(game) => {
                games += 1;
                let offender = game.offender.filter(|_| game.termination.is_fault());
                faults.extend(offender.map(|offender| (game.engine(offender), game.termination)));
            }
            Event::RunFinished { reason, .. } => last = Some(reason.clone()),
            _ => {}
        })?;
        let counted =
            CountedRun { schema: SCHEMA, place: events.place(), games, schedule, faults, last, rated };
        if !is_in_use {
            // A folder that cannot be written to is only slower to read.
            let text = serde_json::to_string(&counted).ok().and_then(|text| own_seal::sealed(&text));
            let _ = text.map(|text| write_whole(&folder.join(FILE), text));
        }
        Ok(counted)
    }
}

/// What was saved in a folder, if its journal has not changed since.
fn saved(folder: &Path) -> Option<CountedRun> {
    let text = read_text(&folder.join(FILE)).ok()?;
    let saved: CountedRun = serde_json::from_str(own_seal::opened(&text)?).ok()?;
    let is_whole = || JournalReader::open_at(folder, saved.place).is_ok_and(|mut rest| rest.next().is_none());
    (saved.schema == SCHEMA && JournalReader::has(folder, saved.place) && is_whole()).then_some(saved)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use runner::JOURNAL_FILE;
    use tempfile::TempDir;

    use super::*;
    use crate::results::test_games::events_of;

    #[test]
    fn what_was_saved_is_used_only_for_the_journal_that_it_counted() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(JOURNAL_FILE);
        let mut journal = Journal::create(&path).unwrap();
        journal.append(&events_of("wdlwdl")).unwrap();
        // While somebody plays, nothing is saved.
        let first = CountedRun::read(folder.path()).unwrap();
        assert_eq!((first.games, saved(folder.path())), (6, None));
        drop(journal);
        assert_eq!(CountedRun::read(folder.path()).unwrap(), first);
        assert_eq!(saved(folder.path()).as_ref(), Some(&first));
        // Games that were played later, and a line that was changed.
        let more = events_of("wdlwdlww").split_off(events_of("wdlwdl").len());
        Journal::open_for_resume(&path).unwrap().0.append(&more).unwrap();
        assert_eq!(saved(folder.path()), None);
        assert_eq!(CountedRun::read(folder.path()).unwrap().games, 8);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen("\"1-0\"", "\"0-1\"", 1)).unwrap();
        assert_eq!(saved(folder.path()), None);
    }
}
