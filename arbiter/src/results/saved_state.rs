//! The state of a run by its folder: from its journal, and `state.json` beside it, so that who asks for it often need not read again what was counted.
//!
//! It is only ever a shortcut. It holds for a journal that begins with the bytes that it was made from, by their checksum, and
//! only if this user's Arbiter wrote it: what somebody else made is not looked at, and all is read.

use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use serde::{Deserialize, Serialize};

use super::run_phase::RunPhase;
use super::state::RunState;
use crate::files::{own_seal, write_whole};
use runner::untrusted_files::read_text;
use runner::{Event, Journal, JournalError, JournalPlace, JournalReader, RunConfig, RunJournal};

const FILE: &str = "state.json";

/// How many events may be parsed and not taken in yet: enough to keep both threads busy, and few megabytes.
const EVENTS_AHEAD: usize = 64;

impl RunState {
    /// The run of a folder, by its journal, `events.jsonl`, or `events.jsonl.gz` in its place; with or without what the
    /// page shows. Also whether it goes on, and the number of the journal's last line if that was cut off.
    pub fn read_folder(
        folder: &Path,
        with_facts: bool,
    ) -> Result<(RunState, RunPhase, Option<usize>), JournalError> {
        let RunJournal { config, started, mut events } = RunJournal::open(folder)?;
        let begun = RunState::begun(config.clone(), started);
        let mut state = if with_facts { begun.with_facts() } else { begun };
        // Looked up before the journal is read: who closes it later may have written more.
        let is_in_use = Journal::is_in_use(events.path());
        if !with_facts && let Some((saved, rest)) = read_saved(folder, &config) {
            (state, events) = (saved, rest);
        }
        state.read(&mut events, |_| {})?;
        let phase = state.phase(is_in_use);
        Ok((state, phase, events.torn_line()))
    }

    /// Takes in what is left of a journal, whose lines a second thread parses. `news` sees every event that says anything
    /// that was not known.
    pub fn read(
        &mut self,
        journal: &mut JournalReader<'_>,
        mut news: impl FnMut(&Event),
    ) -> Result<(), JournalError> {
        thread::scope(|scope| {
            let (sender, events) = sync_channel(EVENTS_AHEAD);
            let path = journal.path().to_owned();
            // It ends with the journal, or when the receiver is gone.
            let parse =
                move || journal.map(|event| sender.send(event)).take_while(Result::is_ok).for_each(drop);
            let parser = thread::Builder::new().name("journal".to_owned()).spawn_scoped(scope, parse);
            parser.map_err(|source| JournalError::file(&path, &source))?;
            for event in events {
                let event = event?;
                if self.update(&event) {
                    news(&event);
                }
            }
            Ok(())
        })
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct SavedState<State> {
    schema: u32,
    /// Behind the last line of the journal that was counted.
    place: JournalPlace,
    state: State,
}

/// The version of the format. It changes whenever something is counted in another way.
const SCHEMA: u32 = 9;

/// How far a journal has to grow before its state is saved again, in bytes: what is read in some hundredths of a second, or
/// a small part of it all.
pub fn is_due(journal: u64, saved: JournalPlace) -> bool {
    const LEAST: u64 = 8 << 20;
    journal.saturating_sub(saved.bytes) > LEAST.max(journal / 64)
}

/// Writes the state of a run that has counted the lines of its journal up to `last`; `from` is an earlier place in it.
/// Returns the place of the state. `None` if it was not written, on which only the speed of reading depends.
pub fn write(folder: &Path, state: &RunState, last: &Event, from: JournalPlace) -> Option<JournalPlace> {
    // The state of a tournament of hundreds of engines is longer than its first games.
    if state.games() < (state.config().engines.len() as u64).pow(2) {
        return None;
    }
    let mut journal = JournalReader::open_at(folder, from).ok().filter(|journal| !journal.is_packed())?;
    let line = journal.pass(state.events().checked_sub(from.lines)?)?;
    if serde_json::from_slice::<Event>(line).ok()? != *last {
        return None;
    }
    let place = journal.place();
    let saved = serde_json::to_string(&SavedState { schema: SCHEMA, place, state }).ok()?;
    write_whole(&folder.join(FILE), own_seal::sealed(&saved)?).ok()?;
    Some(place)
}

/// The state that was saved in a folder, and its journal from there on, if they belong together.
fn read_saved(folder: &Path, config: &RunConfig) -> Option<(RunState, JournalReader<'static>)> {
    let text = read_text(&folder.join(FILE)).ok()?;
    let saved: SavedState<RunState> = serde_json::from_str(own_seal::opened(&text)?).ok()?;
    let belongs = saved.schema == SCHEMA
        && **saved.state.config() == *config
        && JournalReader::has(folder, saved.place);
    let rest = JournalReader::open_at(folder, saved.place).ok()?;
    belongs.then_some((saved.state, rest))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use runner::JOURNAL_FILE;
    use tempfile::TempDir;

    use super::*;
    use crate::results::test_games::{config, events_of, finished, game};

    /// A folder with this journal, and the state that was fed with it.
    fn folder_with(events: &[Event]) -> (TempDir, RunState) {
        let folder = TempDir::new().unwrap();
        Journal::create(&folder.path().join(JOURNAL_FILE)).unwrap().append(events).unwrap();
        let mut state = RunState::new(config(&["new", "old"], false));
        for event in events {
            state.update(event);
        }
        (folder, state)
    }

    fn beginning() -> JournalPlace {
        JournalPlace::beginning(2)
    }

    fn read_all(folder: &Path) -> (String, RunPhase, Option<usize>) {
        let (state, phase, torn) = RunState::read_folder(folder, false).unwrap();
        // Written as JSON, a state has every number; a set has no order.
        let mut state = serde_json::to_value(&state).unwrap();
        let known = state["schedule"]["pairings"]["known"].as_array_mut().unwrap();
        known.sort_by_key(serde_json::Value::as_u64);
        (state.to_string(), phase, torn)
    }

    /// What a folder says, which has to be the same without the state that was saved.
    fn checked(folder: &Path) -> String {
        let quick = read_all(folder);
        let saved = fs::read(folder.join(FILE)).unwrap();
        fs::remove_file(folder.join(FILE)).unwrap();
        assert_eq!(quick, read_all(folder));
        fs::write(folder.join(FILE), saved).unwrap();
        quick.0
    }

    fn is_used(folder: &Path) -> bool {
        read_saved(folder, &config(&["new", "old"], false)).is_some()
    }

    fn played() -> Vec<Event> {
        let mut events = events_of("wdlwdlwddl");
        // A game twice, one that was cut short, and one that goes on.
        events.push(events[4].clone());
        events.push(finished(game(10, (0, 1), None)));
        events.push(Event::GameStarted { game: 11, white: 1, black: 0, at: jiff::Timestamp::UNIX_EPOCH });
        events
    }

    #[test]
    fn a_state_that_was_saved_says_what_the_whole_journal_says() {
        let events = played();
        let (folder, state) = folder_with(&events);
        write(folder.path(), &state, events.last().unwrap(), beginning()).unwrap();
        assert!(is_used(folder.path()));
        checked(folder.path());

        // The run goes on: what follows is counted, and the next state begins where the last one ended.
        let (mut journal, _) = Journal::open_for_resume(&folder.path().join(JOURNAL_FILE)).unwrap();
        let more = events_of("wdlwdlwddlww").split_off(events_of("wdlwdlwddl").len());
        journal.append(&more).unwrap();
        assert!(is_used(folder.path()));
        checked(folder.path());
        let mut state = state;
        for event in &more {
            state.update(event);
        }
        let written = write(folder.path(), &state, more.last().unwrap(), beginning()).unwrap();
        assert_eq!(written.lines, state.events());
        drop(journal);
        assert!(is_used(folder.path()));
        checked(folder.path());
    }

    #[test]
    fn a_journal_that_is_another_one_is_read_as_a_whole() {
        let events = played();
        let (folder, state) = folder_with(&events);
        let path = folder.path().join(JOURNAL_FILE);
        // Without checksums, which would refuse what is edited.
        let lines = events.iter().map(|event| serde_json::to_string(event).unwrap() + "\n");
        let text = lines.collect::<String>();
        let edited = text.replacen("\"1-0\"", "\"0-1\"", 1);
        assert!(edited != text);
        let more = text.lines().nth(3).unwrap();
        let changes = [
            (edited, false),
            (text[..text.len() - 9].to_owned(), false),
            (text.clone() + "{\"event\":\"game_", true),
            // A run that was killed had written more.
            (format!("{text}{more}\n"), true),
        ];
        for (changed, is_read_on) in changes {
            fs::write(&path, &text).unwrap();
            write(folder.path(), &state, events.last().unwrap(), beginning()).unwrap();
            assert!(is_used(folder.path()));
            let when = fs::metadata(&path).unwrap().modified().unwrap();
            fs::write(&path, changed).unwrap();
            fs::File::options().append(true).open(&path).unwrap().set_modified(when).unwrap();
            assert_eq!(is_used(folder.path()), is_read_on);
            checked(folder.path());
        }
    }

    #[test]
    fn a_state_that_has_not_counted_the_journal_is_not_saved() {
        let events = played();
        let (folder, state) = folder_with(&events);
        assert_eq!(write(folder.path(), &state, &events[1], beginning()), None);
        assert!(!folder.path().join(FILE).exists());
    }
}
