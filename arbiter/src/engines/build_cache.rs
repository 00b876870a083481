//! The builds of revisions, below the user's cache folder.
//!
//! A build is `builds/ENGINE/KEY`, a worktree of the engine's repository, and beside it `KEY.toml` (the record of how
//! the build ended, written when it has ended and in one step, so that a build that was interrupted has none),
//! `KEY.log` (what the build printed) and `KEY.lock`. The key is the commit and a fingerprint of what was asked for:
//! another build command makes another build.
//!
//! Whoever builds or removes holds the lock alone, whoever plays with a build holds it with others. Locks are the
//! system's and go with the process, however it ends; their files stay, since a lock on a file that is removed would
//! guard nothing.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};
use etcetera::BaseStrategy;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::repository::{Commit, remove_worktree};
use crate::files::{DRAFT, sha256, write_whole};

/// So many digits of the commit and of the fingerprint are in a key.
const COMMIT_DIGITS: usize = 12;
const FINGERPRINT_DIGITS: usize = 8;

/// How often a lock that is held is asked for before it counts as held, and how long is waited in between. A process
/// that was killed while it started a child leaves its locks to the child for a moment.
const LOCK_ATTEMPTS: u32 = 8;
const LOCK_PAUSE: Duration = Duration::from_millis(25);

/// All builds of the user.
#[derive(Clone, Debug)]
pub struct BuildCache {
    root: PathBuf,
}

/// One build, whether it is there or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedBuild {
    /// The name of the engine's manifest.
    pub engine: String,
    /// What tells the build from others of the engine.
    pub key: String,
    /// The folder of the engine.
    parent: PathBuf,
}

/// How a build ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BuildRecord {
    /// The version of this format.
    pub schema: u32,
    /// What was built.
    pub commit: Commit,
    /// The build command; `None` for an engine that needs no building.
    pub build: Option<String>,
    /// When it ended.
    pub ended: Timestamp,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The SHA-256 of the program; `None` where the program is not a part of the build, as for a script.
    pub sha256: Option<String>,
    /// Why there is no program.
    pub failure: Option<String>,
}

impl BuildRecord {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 1;
}

impl BuildCache {
    /// The cache of the user.
    ///
    /// # Errors
    /// The user has no home folder.
    pub fn of_user() -> Result<BuildCache> {
        let cache = etcetera::choose_base_strategy().context("no home folder to keep builds in")?.cache_dir();
        Ok(BuildCache { root: cache.join("arbiter").join("builds") })
    }

    /// The folder that holds it.
    pub fn folder(&self) -> &Path {
        &self.root
    }

    /// The build of a commit for what a manifest asks for: the text of the build command, and the program.
    pub fn build(&self, engine: &str, commit: &Commit, command: &str, program: &str) -> CachedBuild {
        let fingerprint = sha256::of_bytes(format!("{command}\n{program}").as_bytes());
        let commit = commit.hash.get(..COMMIT_DIGITS).unwrap_or(&commit.hash);
        let key = format!("{commit}-{}", &fingerprint[..FINGERPRINT_DIGITS]);
        CachedBuild { engine: engine.to_owned(), key, parent: self.root.join(engine) }
    }

    /// The log of a build in the working tree at `root`, and the lock that keeps two of them apart.
    pub fn in_place(&self, engine: &str, root: &Path) -> CachedBuild {
        let fingerprint = sha256::of_bytes(root.to_string_lossy().as_bytes());
        let key = format!("{WORKING_TREE}{}", &fingerprint[..FINGERPRINT_DIGITS]);
        CachedBuild { engine: engine.to_owned(), key, parent: self.root.join(engine) }
    }

    /// Everything that is there, finished or not, sorted by engine and key.
    pub fn builds(&self) -> Vec<CachedBuild> {
        let mut builds = Vec::new();
        for engine in names(&self.root) {
            let parent = self.root.join(&engine);
            let mut keys: Vec<String> = names(&parent)
                .into_iter()
                .filter(|name| !name.starts_with(WORKING_TREE) && !name.ends_with(LOCK))
                // The draft of a record, from a process that was killed.
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

    /// The build that a program is a part of.
    pub fn build_of(&self, program: &Path) -> Option<CachedBuild> {
        let root = self.root.canonicalize().ok()?;
        let whole = program.canonicalize().ok()?;
        let mut parts = whole.strip_prefix(root).ok()?.components();
        let mut next = || Some(parts.next()?.as_os_str().to_string_lossy().into_owned());
        let (engine, key) = (next()?, next()?);
        Some(CachedBuild { parent: self.root.join(&engine), engine, key })
    }
}

/// How the files beside a worktree end.
const RECORD: &str = ".toml";
const LOG: &str = ".log";
const LOCK: &str = ".lock";

/// How the files of builds in a working tree of the user's begin.
const WORKING_TREE: &str = "working-tree-";

impl CachedBuild {
    /// The folder that the commit is checked out in.
    pub fn worktree(&self) -> PathBuf {
        self.parent.join(&self.key)
    }

    /// What the build printed.
    pub fn log(&self) -> PathBuf {
        self.beside(LOG)
    }

    /// How the build ended; `None` while it has not, or was interrupted.
    pub fn record(&self) -> Option<BuildRecord> {
        toml::from_str(&fs::read_to_string(self.beside(RECORD)).ok()?).ok()
    }

    /// Writes the record, in one step.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn keep(&self, record: &BuildRecord) -> Result<()> {
        let path = self.beside(RECORD);
        write_whole(&path, toml::to_string(record)?).with_context(|| path.display().to_string())
    }

    /// Removes worktree, record and log. The lock must be held alone.
    ///
    /// # Errors
    /// Something cannot be removed.
    pub fn remove(&self) -> Result<()> {
        // Without its record, what is left of a removal that is interrupted is never taken for whole.
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

    /// When the build was last used, as far as is known.
    pub fn last_used(&self) -> Option<SystemTime> {
        let paths = [self.beside(LOCK), self.beside(RECORD), self.worktree()];
        paths.iter().find_map(|path| fs::metadata(path).ok()?.modified().ok())
    }

    /// The lock, not yet held.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn lock(&self) -> Result<File> {
        fs::create_dir_all(&self.parent).with_context(|| self.parent.display().to_string())?;
        let path = self.beside(LOCK);
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
        file.with_context(|| path.display().to_string())
    }

    /// Holds the lock together with others until our process ends, so that nobody removes the build meanwhile.
    ///
    /// # Errors
    /// The lock cannot be had: the build is just being removed.
    pub fn hold(&self) -> Result<()> {
        let file = self.lock()?;
        file.lock_shared().with_context(|| self.beside(LOCK).display().to_string())?;
        keep_until_the_end(file);
        Ok(())
    }

    /// The lock, held alone; `None` when somebody else has it.
    ///
    /// # Errors
    /// The system has no locks.
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

/// Leaves a lock that is held to the end of the process: engines are started and ended as a run needs them, and no
/// other moment is safe. It also notes that the build was used now.
pub fn keep_until_the_end(lock: File) {
    // A cache that cannot be written has builds that look older than they are.
    let _ = lock.set_modified(SystemTime::now());
    std::mem::forget(lock);
}

/// The names in a folder, sorted; none when there is no such folder. Drafts are hidden.
fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    names
}
