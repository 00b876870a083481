//! The builds of revisions, in the user's cache folder.
//!
//! A build is the folder `builds/ENGINE/KEY`, a worktree of the engine's repository. Beside it are `KEY.toml` (the
//! record of how the build ended; an interrupted build has none), `KEY.log` (the output of the build) and `KEY.lock`.
//! The key is the commit and a fingerprint of build command and program, so another command makes another build.
//!
//! Building or removing takes the lock exclusively, playing takes it shared. The system frees the locks of a process
//! that ends. The lock files stay, because a lock on a removed file would protect nothing.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use etcetera::BaseStrategy;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::repository::{Commit, remove_worktree};
use crate::files::{DRAFT, file_record, write_whole};

const COMMIT_DIGITS: usize = 12;
const FINGERPRINT_DIGITS: usize = 8;

/// Attempts to take a lock before it counts as held, and the pause between them. If a process is killed while it starts
/// a child, the child holds its locks for a moment.
const LOCK_ATTEMPTS: u32 = 8;
const LOCK_PAUSE: Duration = Duration::from_millis(25);

#[derive(Clone, Debug)]
pub struct BuildCache {
    pub root: PathBuf,
}

/// One build, which may not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedBuild {
    pub engine: String,
    pub key: String,
    parent: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildRecord {
    pub schema: u32,
    pub commit: Commit,
    pub build: Option<String>,
    pub ended: Timestamp,
    pub seconds: f64,
    /// The SHA-256 of the program; `None` if the program is not in the worktree.
    pub sha256: Option<String>,
    pub failure: Option<String>,
}

impl BuildRecord {
    pub const SCHEMA: u32 = 1;
}

impl BuildCache {
    pub fn of_user() -> Result<BuildCache> {
        let cache = etcetera::choose_base_strategy()
            .context("found no home folder for the build cache; set HOME")?
            .cache_dir();
        Ok(BuildCache { root: cache.join("arbiter").join("builds") })
    }

    pub fn build(&self, engine: &str, commit: &Commit, command: &str, program: &str) -> CachedBuild {
        let fingerprint = file_record::sha256_of_bytes(format!("{command}\n{program}").as_bytes());
        let commit = commit.hash.get(..COMMIT_DIGITS).unwrap_or(&commit.hash);
        let key = format!("{commit}-{}", &fingerprint[..FINGERPRINT_DIGITS]);
        CachedBuild { engine: engine.to_owned(), key, parent: self.root.join(engine) }
    }

    /// The log and lock of builds in the working tree at `root`.
    pub fn in_place(&self, engine: &str, root: &Path) -> CachedBuild {
        let fingerprint = file_record::sha256_of_bytes(root.to_string_lossy().as_bytes());
        let key = format!("{WORKING_TREE}{}", &fingerprint[..FINGERPRINT_DIGITS]);
        CachedBuild { engine: engine.to_owned(), key, parent: self.root.join(engine) }
    }

    /// All builds, finished or not, sorted by engine and key.
    pub fn builds(&self) -> Vec<CachedBuild> {
        let mut builds = Vec::new();
        for engine in names(&self.root) {
            let parent = self.root.join(&engine);
            let mut keys: Vec<String> = names(&parent)
                .into_iter()
                .filter(|name| !name.starts_with(WORKING_TREE) && !name.ends_with(LOCK))
                // The draft of a record whose process was killed.
                .filter(|name| !name.ends_with(DRAFT))
                .map(|name| name.trim_end_matches(RECORD).trim_end_matches(LOG).to_owned())
                .collect();
            keys.dedup();
            builds.extend(keys.into_iter().map(|key| CachedBuild {
                engine: engine.clone(),
                key,
                parent: parent.clone(),
            }));
        }
        builds
    }

    pub fn build_of(&self, program: &Path) -> Option<CachedBuild> {
        let root = self.root.canonicalize().ok()?;
        let whole = program.canonicalize().ok()?;
        let mut parts = whole.strip_prefix(root).ok()?.components();
        let mut next = || Some(parts.next()?.as_os_str().to_string_lossy().into_owned());
        let (engine, key) = (next()?, next()?);
        Some(CachedBuild { parent: self.root.join(&engine), engine, key })
    }
}

const RECORD: &str = ".toml";
const LOG: &str = ".log";
const LOCK: &str = ".lock";

const WORKING_TREE: &str = "working-tree-";

impl CachedBuild {
    pub fn worktree(&self) -> PathBuf {
        self.parent.join(&self.key)
    }

    pub fn log(&self) -> PathBuf {
        self.beside(LOG)
    }

    /// The record; `None` for a build that is running or was interrupted.
    pub fn record(&self) -> Option<BuildRecord> {
        toml::from_str(&fs::read_to_string(self.beside(RECORD)).ok()?).ok()
    }

    pub fn keep(&self, record: &BuildRecord) -> Result<()> {
        let path = self.beside(RECORD);
        write_whole(&path, toml::to_string(record)?).with_context(|| path.display().to_string())
    }

    /// Removes worktree, record and log. The caller must hold the lock exclusively.
    pub fn remove(&self) -> Result<()> {
        // Removes the record first: without it, what an interrupted removal leaves does not count as a build.
        for path in [self.beside(RECORD), self.log()] {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(error).with_context(|| path.display().to_string());
                }
                _ => {}
            }
        }
        remove_worktree(&self.worktree())
    }

    pub fn last_used(&self) -> Option<SystemTime> {
        let paths = [self.beside(LOCK), self.beside(RECORD), self.worktree()];
        paths.iter().find_map(|path| fs::metadata(path).ok()?.modified().ok())
    }

    pub fn lock(&self) -> Result<File> {
        fs::create_dir_all(&self.parent).with_context(|| self.parent.display().to_string())?;
        let path = self.beside(LOCK);
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        file.with_context(|| path.display().to_string())
    }

    /// Holds the lock shared until our process ends, so that no process removes the build.
    pub fn hold(&self) -> Result<()> {
        let file = self.lock()?;
        file.lock_shared().with_context(|| self.beside(LOCK).display().to_string())?;
        keep_until_the_end(file);
        Ok(())
    }

    /// Takes the lock exclusively; `None` when another process holds it.
    pub fn try_lock(&self) -> Result<Option<File>> {
        let file = self.lock()?;
        for attempt in 0..LOCK_ATTEMPTS {
            if attempt > 0 {
                thread::sleep(LOCK_PAUSE);
            }
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => {
                    return Err(error).with_context(|| self.beside(LOCK).display().to_string());
                }
            }
        }
        Ok(None)
    }

    fn beside(&self, ending: &str) -> PathBuf {
        self.parent.join(format!("{}{ending}", self.key))
    }
}

/// Keeps a lock until our process ends, because engines may be started at any time until then. Also records the time of
/// use.
pub fn keep_until_the_end(lock: File) {
    // In a read-only cache, the time of the last use is not updated.
    let _ = lock.set_modified(SystemTime::now());
    std::mem::forget(lock);
}

/// The names in a folder, sorted, without hidden files; empty if there is no such folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}
