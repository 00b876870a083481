//! What was said between us and an engine in the current game.

use std::fmt::Write as _;
use std::time::Instant;

/// How much text is kept at most; older lines give way. It holds the last search of any engine, and with hundreds of games
/// at once it decides how much memory the runner takes.
const TEXT_CAP: usize = 64 * 1024;

/// How much of a single line is kept.
const LINE_CAP: usize = 8 * 1024;

/// A bounded record of timestamped lines. Adding a line copies it and allocates nothing once the buffer has grown.
#[derive(Debug)]
pub(super) struct ProtocolLog {
    begin: Instant,
    text: Vec<u8>,
    entries: Vec<Entry>,
    forgotten: usize,
}

/// A line that was sent or received; its text lies between the end of the entry before it and its own.
#[derive(Clone, Copy, Debug)]
struct Entry {
    at: Instant,
    direction: Direction,
    end: usize,
}

/// Who spoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// We to the engine.
    Sent,
    /// The engine to us.
    Received,
    /// A remark of ours.
    Note,
}

impl ProtocolLog {
    pub(super) fn new() -> ProtocolLog {
        ProtocolLog { begin: Instant::now(), text: Vec::new(), entries: Vec::new(), forgotten: 0 }
    }

    /// Begins anew with another game.
    pub(super) fn clear(&mut self) {
        self.begin = Instant::now();
        self.text.clear();
        self.entries.clear();
        self.forgotten = 0;
    }

    /// Adds one line, or several that were sent at once.
    pub(super) fn add(&mut self, at: Instant, direction: Direction, line: &[u8]) {
        if self.text.len() + LINE_CAP > TEXT_CAP {
            self.forget_half();
        }
        self.text.extend_from_slice(&line[..line.len().min(LINE_CAP)]);
        self.entries.push(Entry { at, direction, end: self.text.len() });
    }

    fn forget_half(&mut self) {
        let count = self.entries.partition_point(|entry| entry.end < TEXT_CAP / 2);
        let end = self.entries.get(count.wrapping_sub(1)).map_or(0, |entry| entry.end);
        self.text.drain(..end);
        self.entries.drain(..count);
        for entry in &mut self.entries {
            entry.end -= end;
        }
        self.forgotten += count;
    }

    /// The log as text: seconds since the game began, `>` for what we sent and `<` for what we read.
    pub(super) fn render(&self) -> String {
        let mut out = String::with_capacity(self.text.len() + self.entries.len() * 16);
        if self.forgotten > 0 {
            let _ = writeln!(out, "({} earlier entries are not kept)", self.forgotten);
        }
        let mut start = 0;
        for entry in &self.entries {
            let seconds = entry.at.saturating_duration_since(self.begin).as_secs_f64();
            let mark = match entry.direction {
                Direction::Sent => '>',
                Direction::Received => '<',
                Direction::Note => '#',
            };
            for line in String::from_utf8_lossy(&self.text[start..entry.end]).lines() {
                let _ = writeln!(out, "{seconds:12.6} {mark} {line}");
            }
            start = entry.end;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_shows_who_said_what() {
        let mut log = ProtocolLog::new();
        log.add(Instant::now(), Direction::Sent, b"position startpos\ngo depth 1\n");
        log.add(Instant::now(), Direction::Received, b"bestmove e2e4");
        let marks: Vec<String> = log
            .render()
            .lines()
            .map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(marks, ["> position startpos", "> go depth 1", "< bestmove e2e4"]);
    }

    #[test]
    fn a_flood_does_not_grow_the_log_and_the_latest_line_is_kept() {
        let mut log = ProtocolLog::new();
        for number in 0..100_000 {
            log.add(Instant::now(), Direction::Received, format!("info nodes {number}").as_bytes());
        }
        assert!(log.text.len() <= TEXT_CAP);
        let text = log.render();
        assert!(text.ends_with("info nodes 99999\n"));
        assert!(text.starts_with('('));
    }
}
