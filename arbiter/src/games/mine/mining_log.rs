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

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::text::Tally;

    fn game(positions: u64) -> MinedGame {
        MinedGame { tally: Tally { seen: positions, ..Tally::default() }, ..MinedGame::default() }
    }

    #[test]
    fn a_continued_task_has_its_finished_games_but_not_a_torn_line() {
        let folder = TempDir::new().unwrap();
        let suite = folder.path().join("a.epd");
        let partial = folder.path().join("a.epd.partial");
        let (mut log, games) = MiningLog::open(&suite, "task").unwrap();
        assert_eq!(games, []);
        log.add(&game(1)).unwrap();
        log.add(&game(2)).unwrap();
        drop(log);
        let whole = fs::read_to_string(&partial).unwrap();
        fs::write(&partial, &whole[..whole.len() - 3]).unwrap();
        let (mut log, games) = MiningLog::open(&suite, "task").unwrap();
        assert_eq!(games, [game(1)]);
        log.add(&game(2)).unwrap();
        assert_eq!(fs::read_to_string(&partial).unwrap(), whole);
        log.remove().unwrap();
        assert!(!partial.exists());
    }

    #[test]
    fn a_log_in_use_or_of_another_task_or_broken_is_refused() {
        let folder = TempDir::new().unwrap();
        let suite = folder.path().join("a.epd");
        let refused = |task: &str| MiningLog::open(&suite, task).unwrap_err().to_string();
        let (log, _) = MiningLog::open(&suite, "task").unwrap();
        assert!(refused("task").ends_with("another arbiter process is using this file"));
        drop(log);
        assert!(refused("other").contains("a.epd.partial: this unfinished run has other games"));
        fs::write(folder.path().join("a.epd.partial"), "task\nrubbish\n").unwrap();
        assert!(refused("task").contains("a.epd.partial:2: expected a finished game"));
    }
}
