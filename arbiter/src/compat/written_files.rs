//! The files that a tournament writes (games, final positions, log), and its lines on standard output and error.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};

use anyhow::{Context, Result};
use flate2::Crc;
use jiff::tz::TimeZone;
use runner::process::{WireLine, WireTap};

use super::dialect_config::{FileOut, LogLevel, LogOut, Tournament};
use crate::cli::{stderr, stdout};

#[derive(Debug)]
pub(super) struct LogFile {
    file: File,
    level: LogLevel,
}

impl LogFile {
    /// Opens the log, if one is asked for. If the file cannot be written, there is a warning and no log.
    pub(super) fn open(out: &LogOut) -> Option<LogFile> {
        let to = FileOut { file: out.file.clone(), append_file: out.append_file };
        match to.is_written().then(|| to.open("-log"))? {
            Ok(file) => Some(LogFile { file, level: out.level }),
            Err(error) => {
                say_aside(&format!("Failed to open log file.\n{error:#}"));
                None
            }
        }
    }

    pub(super) fn tap(&self) -> io::Result<WireTap> {
        let file = self.file.try_clone()?;
        Ok(WireTap::new(move |line| {
            let WireLine { engine, process, is_sent, text } = line;
            let now = runner::now().to_zoned(TimeZone::system()).strftime("%H:%M:%S.%6f").to_string();
            let arrow = if is_sent { "<---" } else { "--->" };
            // A single write, since other threads write to the file too.
            let line = format!("[Engine] [{now:>15}] <{process:>20}>  {engine} {arrow} {text}\n");
            let _ = (&file).write_all(line.as_bytes());
        }))
    }

    /// Adds lines, unless their level is too low. A log that can no longer be written does not stop the run.
    pub(super) fn add(&mut self, level: LogLevel, text: &str) {
        if level < self.level {
            return;
        }
        let name = match level {
            LogLevel::All | LogLevel::Trace => "TRACE",
            LogLevel::Info => "INFO",
            LogLevel::Warn => "WARN",
            LogLevel::Err => "ERR",
            LogLevel::Fatal => "FATAL",
        };
        let now = runner::now().to_zoned(TimeZone::system()).strftime("%H:%M:%S.%6f").to_string();
        for line in text.lines() {
            let line = format!("[{name:<6}] [{now:>15}] arbiter --- {line}\n");
            let _ = self.file.write_all(line.as_bytes());
        }
    }
}

/// A file to which texts are appended, each written at once.
#[derive(Debug)]
pub(super) struct GamesFile {
    option: &'static str,
    out: FileOut,
    file: File,
    /// The checksum of the whole file, if it is wanted.
    crc: Option<Crc>,
}

impl GamesFile {
    /// Opens the file of an option. The checksum includes what the file already contains.
    pub(super) fn open(option: &'static str, out: &FileOut, with_crc: bool) -> Result<GamesFile> {
        let file = out.open(option)?;
        let mut crc = with_crc.then(Crc::new);
        if let Some(crc) = &mut crc {
            crc.update(&fs::read(&out.file).with_context(|| out.trouble(option))?);
        }
        Ok(GamesFile { option, out: out.clone(), file, crc })
    }

    /// Appends a text. Returns the line with the checksum, if it is wanted.
    pub(super) fn add(&mut self, text: &str) -> Result<Option<String>> {
        self.file.write_all(text.as_bytes()).with_context(|| self.out.trouble(self.option))?;
        Ok(self.crc.as_mut().map(|crc| {
            crc.update(text.as_bytes());
            format!("File {} has CRC32: {:#x}", self.out.file.display(), crc.sum())
        }))
    }
}

impl FileOut {
    pub(super) fn open(&self, option: &str) -> Result<File> {
        let mut options = OpenOptions::new();
        options.create(true).write(true).append(self.append_file).truncate(!self.append_file);
        options.open(&self.file).with_context(|| self.trouble(option))
    }

    fn trouble(&self, option: &str) -> String {
        format!("{option}: expected a file that can be written, found {}", self.file.display())
    }
}

/// Prints a line on standard error, where the original prints warnings or nothing.
pub(super) fn say_aside(text: &str) {
    let _ = writeln!(stderr(), "{text}");
}

/// Prints lines and flushes. For OpenBench and fishtest, whose workers read ASCII, others are escaped: `\u{e9}`.
pub(super) fn print_line(tournament: &Tournament, text: &str) -> io::Result<()> {
    // A single write, since other threads may print lines of engines.
    let line = if tournament.unsaved.test_env { ascii(text) } else { text.to_owned() } + "\n";
    let mut out = stdout();
    out.write_all(line.as_bytes())?;
    out.flush()
}

fn ascii(text: &str) -> String {
    let escaped = |letter: char| {
        if letter.is_ascii() { letter.to_string() } else { letter.escape_unicode().to_string() }
    };
    text.chars().map(escaped).collect()
}
