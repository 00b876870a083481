//! The protocol log: the lines sent to and received from an engine in the current game.

use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// The most text that is kept, in bytes; older lines are dropped. This holds the last search of any engine.
const TEXT_CAP: usize = 128 * 1024;

/// The limit for a game that is logged as a whole: a hundred moves, each with a thousand lines.
const WHOLE_CAP: usize = 32 * 1024 * 1024;

/// The step by which the text grows, in bytes, and the list of entries, in entries.
const TEXT_AT_ONCE: usize = 4 * 1024;
const ENTRIES_AT_ONCE: usize = 64;

/// The most that is kept of a received line, in bytes.
const LINE_CAP: usize = 8 * 1024;

/// A bounded record of timestamped lines.
///
/// Each `position` repeats all moves of the game, so a sent text is kept only from the point where it differs from the
/// previous one. Otherwise, with hundreds of games at once, most of the memory would hold these repetitions.
#[derive(Debug)]
pub(super) struct ProtocolLog {
    begin: Instant,
    text: Vec<u8>,
    entries: Vec<Entry>,
    /// Whether the log of the whole game is kept.
    is_whole: bool,
    forgotten: usize,
    /// The last text sent, in full.
    sent: Vec<u8>,
    /// The last text sent before the first entry, in full.
    sent_before: Vec<u8>,
    tap: Option<Tapped>,
}

/// Gets every line to and from the engines of a run as it passes, on the thread that sends or receives it.
#[derive(Clone)]
pub struct WireTap {
    hear: Arc<dyn Fn(WireLine<'_>) + Send + Sync>,
    processes: Arc<AtomicU32>,
}

/// A line to or from an engine.
#[derive(Clone, Copy, Debug)]
pub struct WireLine<'a> {
    /// The name of the engine.
    pub engine: &'a str,
    /// The number of the engine process in the run, from 0.
    pub process: u32,
    /// Whether it was sent to the engine.
    pub is_sent: bool,
    /// The line without its line break.
    pub text: &'a str,
}

#[derive(Debug)]
struct Tapped {
    tap: WireTap,
    engine: String,
    process: u32,
}

impl WireTap {
    /// A tap that shows each line to `hear`.
    pub fn new(hear: impl Fn(WireLine<'_>) + Send + Sync + 'static) -> WireTap {
        WireTap { hear: Arc::new(hear), processes: Arc::default() }
    }
}

impl fmt::Debug for WireTap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireTap").finish_non_exhaustive()
    }
}

/// A sent or received line; its text lies between the end of the entry before it and its own end.
///
/// It is kept small: with hundreds of games at once there are a hundred thousand entries.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Microseconds since the game began.
    at: u64,
    /// How many bytes at the beginning are the same as in the text sent before.
    repeated: u32,
    end: u32,
    direction: Direction,
}

impl Entry {
    fn end(self) -> usize {
        self.end as usize
    }

    fn repeated(self) -> usize {
        self.repeated as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Sent,
    Received,
    Note,
}

impl ProtocolLog {
    pub(super) fn new() -> ProtocolLog {
        ProtocolLog {
            begin: Instant::now(),
            text: Vec::new(),
            entries: Vec::new(),
            is_whole: false,
            forgotten: 0,
            sent: Vec::new(),
            sent_before: Vec::new(),
            tap: None,
        }
    }

    pub(super) fn listen(&mut self, tap: &WireTap, engine: &str) {
        let process = tap.processes.fetch_add(1, Ordering::Relaxed);
        self.tap = Some(Tapped { tap: tap.clone(), engine: engine.to_owned(), process });
    }

    pub(super) fn keep_whole(&mut self, is_whole: bool) {
        self.is_whole = is_whole;
    }

    pub(super) fn clear(&mut self) {
        self.begin = Instant::now();
        self.text.clear();
        self.entries.clear();
        self.text.shrink_to(TEXT_CAP);
        self.forgotten = 0;
        self.sent.clear();
        self.sent_before.clear();
    }

    pub(super) fn add(&mut self, at: Instant, direction: Direction, line: &[u8]) {
        if let (Some(Tapped { tap, engine, process }), true) = (&self.tap, direction != Direction::Note) {
            for text in String::from_utf8_lossy(line).lines().filter(|text| !text.is_empty()) {
                let is_sent = direction == Direction::Sent;
                (tap.hear)(WireLine { engine, process: *process, is_sent, text });
            }
        }
        let (repeated, kept) = match direction {
            Direction::Sent => {
                let repeated = common_prefix(&self.sent, line);
                replace_end(&mut self.sent, repeated, &line[repeated..]);
                (repeated, &line[repeated..])
            }
            Direction::Received | Direction::Note => (0, &line[..line.len().min(LINE_CAP)]),
        };
        if self.text.len() + kept.len() > if self.is_whole { WHOLE_CAP } else { TEXT_CAP } {
            self.forget_half();
        }
        // Doubling would leave a third of the memory unused.
        if !self.is_whole && self.text.capacity() < self.text.len() + kept.len() {
            self.text.reserve_exact(kept.len() + TEXT_AT_ONCE);
        }
        if self.entries.len() == self.entries.capacity() {
            self.entries.reserve_exact(ENTRIES_AT_ONCE);
        }
        self.text.extend_from_slice(kept);
        let at = at.saturating_duration_since(self.begin).as_micros() as u64;
        self.entries.push(Entry { at, direction, repeated: repeated as u32, end: self.text.len() as u32 });
    }

    fn forget_half(&mut self) {
        let half = self.text.len() / 2;
        let count = self.entries.partition_point(|entry| entry.end() <= half).max(1).min(self.entries.len());
        let mut start = 0;
        for entry in self.entries.drain(..count) {
            if entry.direction == Direction::Sent {
                replace_end(&mut self.sent_before, entry.repeated(), &self.text[start..entry.end()]);
            }
            start = entry.end();
        }
        self.text.drain(..start);
        for entry in &mut self.entries {
            entry.end -= start as u32;
        }
        self.forgotten += count;
    }

    /// The log as text: seconds since the game began, `>` for sent lines and `<` for received lines.
    pub(super) fn render(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + self.entries.len() * 16);
        if self.forgotten > 0 {
            let _ = writeln!(out, "({} earlier entries are not kept)", self.forgotten);
        }
        let mut sent = self.sent_before.clone();
        let mut start = 0;
        for entry in &self.entries {
            let kept = &self.text[start..entry.end()];
            let (mark, text) = match entry.direction {
                Direction::Sent => {
                    replace_end(&mut sent, entry.repeated(), kept);
                    ('>', sent.as_slice())
                }
                Direction::Received => ('<', kept),
                Direction::Note => ('#', kept),
            };
            let seconds = entry.at as f64 / 1e6;
            for line in String::from_utf8_lossy(text).lines() {
                let _ = writeln!(out, "{seconds:12.6} {mark} {line}");
            }
            start = entry.end();
        }
        out
    }
}

/// How many bytes at the beginning are the same in both. The prefix is long in a long game, so blocks are compared.
fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let same = |(one, other): &(&[u8], &[u8])| one == other;
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK)).take_while(same).count();
    let start = blocks * BLOCK;
    start + one[start..].iter().zip(&other[start..]).take_while(|(one, other)| one == other).count()
}

/// Replaces what follows the first `kept` bytes by `end`.
fn replace_end(text: &mut Vec<u8>, kept: usize, end: &[u8]) {
    text.truncate(kept);
    text.extend_from_slice(end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_shows_who_said_what_and_what_is_longer_than_it_goes_with_the_next_line() {
        let mut log = ProtocolLog::new();
        log.add(Instant::now(), Direction::Sent, b"position startpos\ngo depth 1\n");
        log.add(Instant::now(), Direction::Received, b"bestmove e2e4");
        let marks: Vec<String> = log
            .render()
            .lines()
            .map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(marks, ["> position startpos", "> go depth 1", "< bestmove e2e4"]);
        let mut log = ProtocolLog::new();
        log.add(Instant::now(), Direction::Sent, &vec![b'x'; 2 * TEXT_CAP]);
        log.add(Instant::now(), Direction::Received, b"readyok");
        assert_eq!(log.render().lines().count(), 2);
    }

    #[test]
    fn a_flood_does_not_grow_the_log_unless_it_is_that_of_a_whole_game() {
        let mut log = ProtocolLog::new();
        for number in 0..100_000 {
            log.add(Instant::now(), Direction::Received, format!("info nodes {number}").as_bytes());
        }
        assert!(log.text.len() <= TEXT_CAP);
        let text = log.render();
        assert!(text.ends_with("info nodes 99999\n"));
        assert!(text.starts_with('('));
        let mut log = ProtocolLog::new();
        log.keep_whole(true);
        log.clear();
        for number in 0..20_000 {
            log.add(Instant::now(), Direction::Received, format!("info nodes {number}").as_bytes());
        }
        assert!(log.text.len() > TEXT_CAP);
        assert!(log.render().lines().next().unwrap().ends_with("< info nodes 0"));
        log.clear();
        assert!(log.text.capacity() <= TEXT_CAP);
    }

    #[test]
    fn a_position_that_grows_is_shown_whole_also_when_its_beginning_is_forgotten() {
        let (mut log, mut position) = (ProtocolLog::new(), "position startpos moves".to_owned());
        for ply in 0..3000 {
            position += if ply % 2 == 0 { " g1f3" } else { " g8f6" };
            log.add(Instant::now(), Direction::Sent, format!("{position}\ngo nodes {ply}\n").as_bytes());
            log.add(
                Instant::now(),
                Direction::Received,
                format!("info string {}", "x".repeat(100)).as_bytes(),
            );
        }
        assert!(log.forgotten > 0 && log.text.len() <= TEXT_CAP);
        let text = log.render();
        let last = text.lines().rfind(|line| line.contains("> position")).unwrap();
        assert!(last.ends_with(&format!("> {position}")));
        let first = text.lines().find(|line| line.contains("> position")).unwrap();
        assert!(first.contains("> position startpos moves g1f3 g8f6 "), "{first}");
    }
}
