//! The journal of a run, torn, spliced, or with bits flipped; the first byte says whether it is compressed.

use std::fs;

use arbiter::live::status::RunStatus;
use arbiter::report::SummaryText;
use arbiter::report::page::RunReport;
use arbiter::results::RecordedRun;
use arbiter::results::RunOutcome;
use runner::{Event, Journal, JournalReader};

use super::scratch;

/// The most bytes of a journal of which a page is made: it takes milliseconds.
const SMALL: usize = 4096;

/// Whatever can be read is reported without a panic. A plain journal cut off anywhere has the events of its whole lines,
/// in their order, and is continued behind the last of them.
pub fn run(bytes: &[u8]) {
    let Some((kind, content)) = bytes.split_first() else { return };
    let is_packed = kind % 2 == 1;
    let (folder, file) = scratch::file(if is_packed { "events.jsonl.gz" } else { "events.jsonl" }, content);
    report(folder.path(), content.len() <= SMALL);
    if is_packed {
        return;
    }
    let whole = events(folder.path());
    let cut = content.len() * usize::from(*kind) / 256;
    fs::write(&file, &content[..cut]).expect("a file");
    let part = events(folder.path());
    if let (Some(whole), Some(part)) = (&whole, &part) {
        assert!(whole.starts_with(part), "a cut at {cut} changed the events before it");
    }
    if let Ok((journal, events)) = Journal::open_for_resume(&file) {
        drop(journal);
        assert_eq!(Some(&events), part.as_ref());
        let kept = fs::read(&file).expect("the journal");
        assert!(content.starts_with(&kept) && kept.last().is_none_or(|last| *last == b'\n'));
    }
}

fn report(folder: &std::path::Path, with_page: bool) {
    if let Ok(run) = RecordedRun::read(folder) {
        let summary = run.state.summary();
        let _ = SummaryText::new(&summary, false).to_string();
        let _ = serde_json::to_string(&RunStatus::new(&run.state, run.phase));
    }
    if let Ok(outcome) = RunOutcome::read(folder) {
        let _ = arbiter::report::markdown::markdown(&[outcome]);
    }
    if with_page && let Ok(page) = RunReport::of_folder(folder) {
        let _ = page.html();
    }
}

/// All events, if every whole line is one.
fn events(folder: &std::path::Path) -> Option<Vec<Event>> {
    JournalReader::open(folder).ok()?.collect::<Result<_, _>>().ok()
}
