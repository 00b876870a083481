//! What mining has found so far, so that it can be interrupted and go on later.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::miner::MinedGame;

/// `FILE.partial`: the task on the first line, then a line for each game that was done, in their order.
///
/// Lines are appended whole; one that was cut off is removed when the file is opened again. While it is open it is
/// locked, so that two processes never work at the same suite.
#[derive(Debug)]
pub struct MiningLog {
    path: PathBuf,
    file: File,
}

impl MiningLog {
    /// Begins the log of a task beside the file that is to be made, or goes on with it. Returns the games that are
    /// done. `task` is one line that is the same only for the same games, engine and recipe.
    ///
    /// # Errors
    /// Another process works at it, it belongs to another task, or a line of it cannot be read.
    pub fn open(suite: &Path, task: &str) -> Result<(MiningLog, Vec<MinedGame>)> {
        let mut name = suite.as_os_str().to_owned();
        name.push(".partial");
        let path = PathBuf::from(name);
        let place = || path.display().to_string();
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path).with_context(place)?;
        match file.try_lock() {
            // Without locks, as on some network file systems, it is up to the user.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => bail!("{}: another arbiter is working at it", path.display()),
        }
        let text = fs::read_to_string(&path).with_context(place)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).with_context(place)?;
        let mut log = MiningLog { path: path.clone(), file };
        let mut lines = text[..whole].lines().enumerate();
        match lines.next() {
            None => log.append(task)?,
            Some((_, first)) if first == task => {}
            Some(_) => bail!(
                "{}: expected what is left of the same task, found other games, another engine or other limits; \
                 remove it to begin anew",
                path.display()
            ),
        }
        let game = |(index, line): (usize, &str)| {
            serde_json::from_str(line)
                .map_err(|error| anyhow!("{}, line {}: expected a game: {error}", path.display(), index + 1))
        };
        let games = lines.map(game).collect::<Result<_>>()?;
        Ok((log, games))
    }

    /// Adds the next game.
    ///
    /// # Errors
    /// The file system refuses.
    pub fn add(&mut self, game: &MinedGame) -> Result<()> {
        let line = serde_json::to_string(game)?;
        self.append(&line)
    }

    /// Removes the file: the suite is made.
    ///
    /// # Errors
    /// The file system refuses.
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
    use crate::mine::tally::MiningTally;

    fn game(positions: u64) -> MinedGame {
        MinedGame { tally: MiningTally { positions, ..MiningTally::default() }, ..MinedGame::default() }
    }

    #[test]
    fn what_was_added_is_there_when_the_task_goes_on_and_a_torn_line_is_not() {
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
    fn a_log_of_another_task_or_in_use_or_broken_is_refused() {
        let folder = TempDir::new().unwrap();
        let suite = folder.path().join("a.epd");
        let refused = |task: &str| MiningLog::open(&suite, task).unwrap_err().to_string();
        let (log, _) = MiningLog::open(&suite, "task").unwrap();
        assert!(refused("task").ends_with("another arbiter is working at it"));
        drop(log);
        assert!(refused("other").contains("a.epd.partial: expected what is left of the same task"));
        fs::write(folder.path().join("a.epd.partial"), "task\nrubbish\n").unwrap();
        assert!(refused("task").contains("a.epd.partial, line 2: expected a game"));
    }
}
