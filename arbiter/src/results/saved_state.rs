//! Reads a run's state from its journal, and from `state.json`, which saves frequent readers from counting games again.
//!
//! The saved state is only a shortcut. It is used only if the journal begins with the bytes that it was made from, by
//! checksum, and if this user's Arbiter wrote it. Otherwise the whole journal is read.

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

/// How many parsed events may wait to be counted: enough to keep both threads busy, in a few megabytes.
const EVENTS_AHEAD: usize = 64;

impl RunState {
    /// The run in a folder, from `events.jsonl` or `events.jsonl.gz`, with or without the facts for its page. Also
    /// returns its phase, and the number of the journal's last line if that line was cut off.
    pub fn read_folder(
        folder: &Path,
        with_facts: bool,
    ) -> Result<(RunState, RunPhase, Option<usize>), JournalError> {
        let RunJournal { config, started, mut events } = RunJournal::open(folder)?;
        let begun = RunState::begun(config.clone(), started);
        let mut state = if with_facts { begun.with_facts() } else { begun };
        // Checked before the journal is read, since a process that closes it later may have written more.
        let is_in_use = Journal::is_in_use(events.path());
        if !with_facts && let Some((saved, rest)) = read_saved(folder, &config) {
            (state, events) = (saved, rest);
        }
        state.read(&mut events, |_| {})?;
        let phase = state.phase(is_in_use);
        Ok((state, phase, events.torn_line()))
    }

    /// Counts the rest of a journal, whose lines a second thread parses. `news` gets every event that adds something new.
    pub fn read(
        &mut self,
        journal: &mut JournalReader<'_>,
        mut news: impl FnMut(&Event),
    ) -> Result<(), JournalError> {
        thread::scope(|scope| {
            let (sender, events) = sync_channel(EVENTS_AHEAD);
            let path = journal.path().to_owned();
            // The thread ends with the journal, or when the receiver is dropped.
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
    /// The end of the last journal line that was counted.
    place: JournalPlace,
    state: State,
}

/// The version of the format, which changes whenever something is counted differently.
const SCHEMA: u32 = 10;

/// Whether the journal has grown enough to save its state again: by more than can be read in some hundredths of a second,
/// and by more than a small part of the journal.
pub fn is_due(journal: u64, saved: JournalPlace) -> bool {
    const LEAST: u64 = 8 << 20;
    journal.saturating_sub(saved.bytes) > LEAST.max(journal / 64)
}

/// Saves the state of a run that has counted its journal up to the event `last`; `from` is an earlier place in the
/// journal. Returns the place of the state, or `None` if it was not saved, which only makes reading slower.
pub fn write(folder: &Path, state: &RunState, last: &Event, from: JournalPlace) -> Option<JournalPlace> {
    // With hundreds of engines, the state is longer than the journal of the first games.
    if state.games() < (state.config().engines.len() as u64).pow(2) {
        return None;
    }
    let mut journal = JournalReader::open_at(folder, from).ok().filter(|journal| !journal.is_packed)?;
    let line = journal.pass(state.events.checked_sub(from.lines)?)?;
    if serde_json::from_slice::<Event>(line).ok()? != *last {
        return None;
    }
    let place = journal.place();
    let saved = serde_json::to_string(&SavedState { schema: SCHEMA, place, state }).ok()?;
    write_whole(&folder.join(FILE), own_seal::sealed(&saved)?).ok()?;
    Some(place)
}

/// The state saved in a folder and the rest of its journal, if they belong together.
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
    use crate::results::test_games::{config, events_of, finished, game, state_after};

    /// A folder with a journal of these events, and the state after them.
    fn folder_with(events: &[Event]) -> (TempDir, RunState) {
        let folder = TempDir::new().unwrap();
        Journal::create(&folder.path().join(JOURNAL_FILE)).unwrap().append(events).unwrap();
        (folder, state_after(events))
    }

    fn beginning() -> JournalPlace {
        JournalPlace::beginning(2)
    }

    fn read_all(folder: &Path) -> (String, RunPhase, Option<usize>) {
        let (state, phase, torn) = RunState::read_folder(folder, false).unwrap();
        // Compared as JSON, in which all numbers appear and sets have no order.
        let mut state = serde_json::to_value(&state).unwrap();
        let known = state["schedule"]["pairings"]["known"].as_array_mut().unwrap();
        known.sort_by_key(serde_json::Value::as_u64);
        (state.to_string(), phase, torn)
    }

    /// What a folder says, which must be the same without its saved state.
    fn checked(folder: &Path) -> String {
        let quick = read_all(folder);
        let saved = fs::read(folder.join(FILE)).unwrap();
        fs::remove_file(folder.join(FILE)).unwrap();
        assert_eq!(quick, read_all(folder));
        fs::write(folder.join(FILE), saved).unwrap();
        quick.0
    }

    fn is_used(folder: &Path) -> bool {
        read_saved(folder, &config(&["new", "old"], true)).is_some()
    }

    fn played() -> Vec<Event> {
        let mut events = events_of("wdlwdlwddl");
        // One game twice, one that was cut short, and one in progress.
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

        // The run continues: later events are counted, and the next state starts where the last one ended.
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
        assert_eq!(written.lines, state.events);
        drop(journal);
        assert!(is_used(folder.path()));
        checked(folder.path());
    }

    #[test]
    fn a_journal_that_is_another_one_is_read_as_a_whole() {
        let events = played();
        let (folder, state) = folder_with(&events);
        let path = folder.path().join(JOURNAL_FILE);
        // Without checksums, so that edited lines are accepted.
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
