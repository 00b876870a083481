//! Whole and torn journals, compressed or not, and ones that are refused.

use std::io::Write;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;

use super::*;
use crate::RunConfig;

fn line(game: u32) -> String {
    let event = Event::GameStarted { game, white: 0, black: 1, at: Timestamp::UNIX_EPOCH };
    serde_json::to_string(&event).unwrap() + "\n"
}

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_compressed_journal_that_was_cut_off_is_an_error_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..500).map(line).collect();
    let whole = packed(&text);
    std::fs::write(folder.path().join("events.jsonl.gz"), &whole[..whole.len() / 2]).unwrap();
    let events: Vec<_> = JournalReader::open(folder.path()).unwrap().collect();
    let message = events.last().unwrap().as_ref().unwrap_err().to_string();
    let expected =
        format!("events.jsonl.gz, line {}: expected an event of a run, found the end", events.len());
    assert!(message.contains(&expected), "{message}");
}

#[test]
fn a_reader_goes_on_where_another_stopped_in_a_compressed_journal_as_in_a_plain_one() {
    let text: String = (0..5).map(line).collect();
    for (name, bytes) in [("events.jsonl", text.clone().into_bytes()), ("events.jsonl.gz", packed(&text))] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let mut first = JournalReader::open(folder.path()).unwrap();
        assert_eq!(first.by_ref().flatten().take(3).count(), 3);
        let mut second = JournalReader::open_at(folder.path(), first.place()).unwrap();
        assert_eq!(
            second.by_ref().map(Result::unwrap).collect::<Vec<_>>(),
            first.map(Result::unwrap).collect::<Vec<_>>()
        );
        assert_eq!(second.place().lines, 5, "{name}");
    }
}

#[test]
fn a_journal_that_grows_is_read_as_far_as_it_went_when_it_was_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(JOURNAL_FILE);
    std::fs::write(&path, line(0) + &line(1)).unwrap();
    let mut first = JournalReader::open(folder.path()).unwrap();
    std::fs::write(&path, (0..5).map(line).collect::<String>()).unwrap();
    assert_eq!(first.by_ref().map(Result::unwrap).count(), 2);
    let second = JournalReader::open_at(folder.path(), first.place()).unwrap();
    std::fs::write(&path, (0..9).map(line).collect::<String>()).unwrap();
    assert_eq!(second.map(Result::unwrap).count(), 3);
}

#[test]
fn a_torn_line_is_told_and_costs_no_other_and_one_without_end_is_refused() {
    let text: String = (0..3).map(line).collect();
    let torn = &text[..text.len() - 5];
    let mut reader = JournalReader::new("x".as_ref(), Box::new(torn.as_bytes()));
    assert_eq!(reader.by_ref().flatten().count(), 2);
    assert_eq!(reader.torn_line(), Some(3));
    let mut reader = JournalReader::new("x".as_ref(), Box::new(text.as_bytes()));
    assert_eq!(reader.by_ref().count(), 3);
    assert_eq!(reader.torn_line(), None);
    let source = BufReader::new(io::repeat(b' '));
    let mut reader = JournalReader::new("x".as_ref(), Box::new(source));
    let message = reader.next().unwrap().unwrap_err().to_string();
    assert!(message.ends_with("found a line of more than 67108864 bytes"), "{message}");
}

#[test]
fn a_game_of_an_engine_that_the_run_does_not_have_is_refused_with_its_line() {
    let text = start(2) + &line(0).replace("\"black\":1", "\"black\":2");
    let mut reader = JournalReader::new("x".as_ref(), Box::new(text.as_bytes()));
    assert!(reader.next().unwrap().is_ok());
    let message = reader.next().unwrap().unwrap_err().to_string();
    assert!(message.starts_with("x, line 2: ") && message.ends_with("has 2 engines"), "{message}");
    assert!(reader.next().is_none());
}

fn start(games: u32) -> String {
    let config = Arc::new(RunConfig::made_up(&["a", "b"], &format!("games = {games}\nbook.path = 'x'")));
    let start = Event::RunStarted { config, games, at: Timestamp::UNIX_EPOCH };
    serde_json::to_string(&start).unwrap() + "\n"
}

#[test]
fn a_run_that_cannot_be_and_a_second_one_are_refused_with_their_line() {
    let message = |text: &str| {
        let reader = JournalReader::new("x".as_ref(), Box::new(text.as_bytes()));
        reader.last().unwrap().unwrap_err().to_string()
    };
    let second = message(&(start(2) + &line(0) + &start(4)));
    assert!(second.starts_with("x, line 3: ") && second.ends_with("another run"), "{second}");
    for wrong in [start(3), start(0)] {
        let text = message(&wrong);
        assert!(text.starts_with("x, line 1: ") && text.contains("cannot be: games"), "{text}");
    }
}
