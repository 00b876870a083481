//! Lines of a stream that may be anything: endless, binary, or cut anywhere.

use std::io;
use std::ops::Range;

use regex_lite::Regex;
use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest line that is kept, in bytes. The longest reasonable line, a long `info … pv`, has a few kilobytes.
pub(super) const LINE_CAP: usize = 64 * 1024;

const CHUNK: usize = 16 * 1024;

/// Cuts a byte stream into lines without ever losing a part of one: a cancelled read continues later.
///
/// If a line is longer than [`LINE_CAP`], only its beginning is kept.
#[derive(Debug)]
pub(super) struct LineReader<R> {
    source: R,
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// The end of the part that is known to have no line break.
    searched: usize,
    /// Whether the current line is too long, so that the rest of it is dropped.
    overlong: bool,
    /// The number of lines that were cut.
    pub(super) cut: u64,
    ended: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(super) fn new(source: R) -> LineReader<R> {
        LineReader {
            source,
            buffer: Vec::with_capacity(CHUNK),
            start: 0,
            searched: 0,
            overlong: false,
            cut: 0,
            ended: false,
        }
    }

    /// The next line without its line break, or `None` at the end of the stream. Text after the last line break is a
    /// line too. The line stays readable through [`text`](Self::text) until the next call.
    pub(super) async fn next(&mut self) -> io::Result<Option<Range<usize>>> {
        loop {
            if let Some(line) = self.take_line() {
                return Ok(Some(line));
            }
            if self.ended {
                return Ok(self.take_rest());
            }
            self.make_room();
            if self.source.read_buf(&mut self.buffer).await? == 0 {
                self.ended = true;
            }
        }
    }

    /// The bytes of the line that [`next`](Self::next) returned last.
    pub(super) fn text(&self, line: Range<usize>) -> &[u8] {
        &self.buffer[line]
    }

    fn take_line(&mut self) -> Option<Range<usize>> {
        let length = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n');
        let Some(length) = length else {
            self.searched = self.buffer.len();
            return None;
        };
        let end = self.searched + length;
        let line = self.start..end;
        self.start = end + 1;
        self.searched = self.start;
        self.overlong = false;
        Some(line)
    }

    fn take_rest(&mut self) -> Option<Range<usize>> {
        let line = self.start..self.buffer.len();
        self.start = self.buffer.len();
        self.searched = self.start;
        (!line.is_empty()).then_some(line)
    }

    /// Drops the lines that were read and the excess of a line that is too long.
    fn make_room(&mut self) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        if self.buffer.len() >= LINE_CAP {
            self.buffer.truncate(LINE_CAP);
            self.searched = LINE_CAP;
            self.cut += u64::from(!self.overlong);
            self.overlong = true;
        }
        self.buffer.reserve(CHUNK);
    }
}

/// For each pattern, the last line of the current search that matches it.
#[derive(Debug, Default)]
pub(super) struct LineMatches(Vec<(Regex, Option<String>)>);

impl LineMatches {
    /// Watches for these patterns; an invalid regular expression matches nothing.
    pub(super) fn new(patterns: &[String]) -> LineMatches {
        LineMatches(
            patterns.iter().filter_map(|text| Regex::new(text).ok()).map(|regex| (regex, None)).collect(),
        )
    }

    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(|(_, line)| *line = None);
    }

    pub(super) fn observe(&mut self, line: &[u8]) {
        // Without patterns this allocates nothing.
        if self.0.is_empty() {
            return;
        }
        let line = String::from_utf8_lossy(line);
        for (regex, last) in &mut self.0 {
            if regex.is_match(&line) {
                *last = Some(line.clone().into_owned());
            }
        }
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.0.iter().filter_map(|(_, line)| line.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tokio::io::AsyncWriteExt;

    use super::*;

    fn read_all(text: &[u8], chunks: &[usize]) -> (Vec<Vec<u8>>, u64) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let (mut writer, source) = tokio::io::duplex(1 << 20);
            let mut reader = LineReader::new(source);
            let mut lines = Vec::new();
            let write = async {
                let mut rest = text;
                for chunk in chunks.iter().cycle() {
                    let (now, later) = rest.split_at((*chunk).min(rest.len()));
                    writer.write_all(now).await.unwrap();
                    tokio::task::yield_now().await;
                    rest = later;
                    if rest.is_empty() {
                        break;
                    }
                }
                drop(writer);
            };
            let read = async {
                while let Some(line) = reader.next().await.unwrap() {
                    lines.push(reader.text(line).to_vec());
                }
            };
            tokio::join!(write, read);
            (lines, reader.cut)
        })
    }

    proptest! {
        #[test]
        fn lines_are_the_same_however_they_arrive(
            text in prop::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 1..400),
            chunks in prop::collection::vec(1_usize..50, 1..5),
        ) {
            let mut expected: Vec<Vec<u8>> = text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            if expected.last().is_some_and(Vec::is_empty) {
                expected.pop();
            }
            prop_assert_eq!(read_all(&text, &chunks).0, expected);
        }
    }

    #[test]
    fn an_endless_line_is_cut_and_the_next_one_is_whole() {
        let mut text = vec![b'x'; 5 * LINE_CAP];
        text.extend_from_slice(b"\nbestmove e2e4\n");
        let (lines, cut) = read_all(&text, &[7000]);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].len() <= LINE_CAP + CHUNK);
        assert_eq!(lines[1], b"bestmove e2e4");
        assert_eq!(cut, 1);
    }

    #[test]
    fn of_each_pattern_the_last_line_is_kept() {
        let mut matches = LineMatches::new(&["^info string wdl .*".to_owned(), "depth 3".to_owned()]);
        for line in ["info string wdl 1", "info string wdl 2", "info depth 3", "info depth 4"] {
            matches.observe(line.as_bytes());
        }
        assert_eq!(matches.lines(), ["info string wdl 2", "info depth 3"]);
        matches.clear();
        assert!(matches.lines().is_empty());
    }
}
