//! The log of `-log`: what is printed, and what happens to engines.

use std::fs::File;
use std::io::Write as _;

use anyhow::Result;
use jiff::Zoned;
use runner::process::{WireLine, WireTap};

use super::tournament::{LogLevel, LogOut};

/// An open log.
#[derive(Debug)]
pub(super) struct LogFile {
    file: File,
    level: LogLevel,
}

impl LogFile {
    /// Opens the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn open(out: &LogOut) -> Result<LogFile> {
        Ok(LogFile { file: out.to.open("-log")?, level: out.level })
    }

    /// What adds every line to and from engines, on whatever thread it passes.
    pub(super) fn tap(&self) -> std::io::Result<WireTap> {
        let file = self.file.try_clone()?;
        Ok(WireTap::new(move |line| {
            let WireLine { engine, process, is_sent, text } = line;
            let now = Zoned::now().strftime("%H:%M:%S.%6f").to_string();
            let arrow = if is_sent { "<---" } else { "--->" };
            // In one piece, since others write to the file, too.
            let line = format!("[Engine] [{now:>15}] <{process:>20}>  {engine} {arrow} {text}\n");
            let _ = (&file).write_all(line.as_bytes());
        }))
    }

    /// Adds lines, unless their level is too low. A log that cannot be written any more is no reason to stop.
    pub(super) fn add(&mut self, level: LogLevel, text: &str) {
        if level < self.level {
            return;
        }
        let name = match level {
            LogLevel::Trace => "TRACE",
            LogLevel::Info => "INFO",
            LogLevel::Warn => "WARN",
            LogLevel::Err => "ERR",
            LogLevel::Fatal => "FATAL",
        };
        let now = Zoned::now().strftime("%H:%M:%S.%6f").to_string();
        for line in text.lines() {
            let line = format!("[{name:<6}] [{now:>15}] arbiter --- {line}\n");
            let _ = self.file.write_all(line.as_bytes());
        }
    }
}
