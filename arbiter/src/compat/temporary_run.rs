//! The folder of a run that is not kept.

use std::fs::{self, DirEntry, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use flate2::Crc;
use jiff::Zoned;
use tempfile::TempDir;

use super::dialect_config::{FileOut, LogLevel, LogOut};
use super::output::say_aside;
use runner::process::{WireLine, WireTap};
use runner::{JOURNAL_FILE, exclusive_file};

/// How the names begin, unlike those of folders that people name.
const PREFIX: &str = "arbiter-passing-";

/// A journal of this age is locked if its run is being played.
const SETTLED: Duration = Duration::from_mins(10);

/// A new folder, which goes away with the value. Those of processes that were killed go first.
pub(super) fn make(place: &Path) -> io::Result<TempDir> {
    for folder in fs::read_dir(place).into_iter().flatten().flatten().filter(is_left_behind) {
        // It may be somebody else's, or another process may be at it.
        let _ = fs::remove_dir_all(folder.path());
    }
    TempDir::with_prefix_in(PREFIX, place)
}

fn is_left_behind(folder: &DirEntry) -> bool {
    let journal = folder.path().join(JOURNAL_FILE);
    let is_settled = |facts: Metadata| {
        let age = facts.modified().ok().and_then(|written| written.elapsed().ok());
        facts.is_file() && age.is_some_and(|age| age > SETTLED)
    };
    folder.file_name().to_string_lossy().starts_with(PREFIX)
        && folder.file_type().is_ok_and(|kind| kind.is_dir())
        && fs::symlink_metadata(&journal).is_ok_and(is_settled)
        && !exclusive_file::is_in_use(&journal)
}

#[derive(Debug)]
pub(super) struct LogFile {
    file: File,
    level: LogLevel,
}

impl LogFile {
    /// The log, if one is asked for. Without a file that can be written there is none, with a warning.
    pub(super) fn open(out: &LogOut) -> Option<LogFile> {
        let to = FileOut { file: out.file.clone(), append: out.append };
        match to.is_written().then(|| to.open("-log"))? {
            Ok(file) => Some(LogFile { file, level: out.level }),
            Err(error) => {
                say_aside(&format!("Failed to open log file.\n{error:#}"));
                None
            }
        }
    }

    /// What adds every line to and from engines, on whatever thread it passes.
    pub(super) fn tap(&self) -> io::Result<WireTap> {
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
            LogLevel::All | LogLevel::Trace => "TRACE",
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

/// A file that texts are added to, one by one, each written before the next thing happens.
#[derive(Debug)]
pub(super) struct GamesFile {
    /// The option that asks for it.
    option: &'static str,
    out: FileOut,
    file: File,
    /// The checksum of the whole file, where it is wanted.
    crc: Option<Crc>,
}

impl GamesFile {
    /// Opens the file that an option asks for. With a checksum, what it has already counts.
    pub(super) fn open(option: &'static str, out: &FileOut, with_crc: bool) -> Result<GamesFile> {
        let file = out.open(option)?;
        let mut crc = with_crc.then(Crc::new);
        if let Some(crc) = &mut crc {
            crc.update(&fs::read(&out.file).with_context(|| out.trouble(option))?);
        }
        Ok(GamesFile { option, out: out.clone(), file, crc })
    }

    /// Adds a text. Returns the line about the checksum, where it is wanted.
    pub(super) fn add(&mut self, text: &str) -> Result<Option<String>> {
        self.file.write_all(text.as_bytes()).with_context(|| self.out.trouble(self.option))?;
        Ok(self.crc.as_mut().map(|crc| {
            crc.update(text.as_bytes());
            format!("File {} has CRC32: {:#x}", self.out.file.display(), crc.sum())
        }))
    }
}

impl FileOut {
    /// Opens the file for what an option writes.
    pub(super) fn open(&self, option: &str) -> Result<File> {
        let mut options = OpenOptions::new();
        options.create(true).write(true).append(self.append).truncate(!self.append);
        options.open(&self.file).with_context(|| self.trouble(option))
    }

    fn trouble(&self, option: &str) -> String {
        format!("{option}: expected a file that can be written, found {}", self.file.display())
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use runner::Journal;

    use super::*;

    #[test]
    fn only_old_folders_that_nobody_uses_are_removed() {
        let place = TempDir::new().unwrap();
        let journal_of = |folder: &str, age: Duration| {
            let folder = place.path().join(folder);
            fs::create_dir(&folder).unwrap();
            let journal = Journal::create(&folder.join(JOURNAL_FILE)).unwrap();
            let mut options = File::options();
            options.append(true);
            // FILE_WRITE_ATTRIBUTES alone, which who has the journal does not keep from anybody.
            #[cfg(windows)]
            std::os::windows::fs::OpenOptionsExt::access_mode(&mut options, 0x100);
            let file = options.open(folder.join(JOURNAL_FILE)).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
            journal
        };
        let _played = journal_of("arbiter-passing-played", 2 * SETTLED);
        drop(journal_of("arbiter-passing-young", Duration::ZERO));
        drop(journal_of("arbiter-passing-left", 2 * SETTLED));
        drop(journal_of("arbiter-kept", 2 * SETTLED));
        let made = make(place.path()).unwrap();
        assert!(made.path().exists());
        for (folder, is_there) in
            [("passing-played", true), ("passing-young", true), ("passing-left", false), ("kept", true)]
        {
            assert_eq!(place.path().join(format!("arbiter-{folder}")).exists(), is_there, "{folder}");
        }
    }
}

#[cfg(test)]
mod games_file_tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_whole_file() {
        let folder = TempDir::new().unwrap();
        let out = FileOut { file: folder.path().join("a.pgn"), append: true };
        fs::write(&out.file, "1234").unwrap();
        let line = GamesFile::open("-pgnout", &out, true).unwrap().add("56789").unwrap().unwrap();
        // The check value of CRC-32.
        assert!(line.ends_with("a.pgn has CRC32: 0xcbf43926"), "{line}");
        assert_eq!(GamesFile::open("-pgnout", &out, false).unwrap().add("0").unwrap(), None);
        assert_eq!(fs::read_to_string(&out.file).unwrap(), "1234567890");
    }
}
