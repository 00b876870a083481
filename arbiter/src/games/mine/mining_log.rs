//! The log of a mining run, from which an interrupted run continues.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::mined_suite::MinedGame;
use crate::files;

/// `FILE.partial`: the task on the first line, then one line per finished game, in the order of the games.
///
/// A line that was cut off is removed when the file is opened again. The open file is locked, so that two processes
/// never write the same suite.
#[derive(Debug)]
pub struct MiningLog {
    path: PathBuf,
    file: File,
}

impl MiningLog {
    /// Creates or continues the log beside the suite. Returns the finished games. `task` is a line that differs for other
    /// games, engines and recipes.
    pub fn open(suite: &Path, task: &str) -> Result<(MiningLog, Vec<MinedGame>)> {
        let path = files::beside(suite, ".partial");
        let (file, whole) = files::open_lines(&path)?;
        let mut log = MiningLog { path: path.clone(), file };
        let mut lines = whole.lines().enumerate();
        match lines.next() {
            None => log.append(task)?,
            Some((_, first)) if first == task => {}
            Some(_) => bail!(
                "{}: this unfinished run has other games, another engine or other options; remove the file to start \
                 over, or choose another --out",
                path.display()
            ),
        }
        let game = |(index, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| {
                anyhow!("{}:{}: expected a finished game: {error}", path.display(), index + 1)
            })
        };
        let games = lines.map(game).collect::<Result<_>>()?;
        Ok((log, games))
    }

    pub fn add(&mut self, game: &MinedGame) -> Result<()> {
        let line = serde_json::to_string(game)?;
        self.append(&line)
    }

    pub fn remove(self) -> Result<()> {
        fs::remove_file(&self.path).with_context(|| self.path.display().to_string())
    }

    fn append(&mut self, line: &str) -> Result<()> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.with_context(|| self.path.display().to_string())
    }
}
