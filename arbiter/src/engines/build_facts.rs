//! The state of a build in the cache, for lists.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use anyhow::Result;
use jiff::Timestamp;
use serde::Serialize;

use super::build_cache::{BuildRecord, CachedBuild};

/// A build as in `arbiter engines list --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildFacts {
    /// The name of the engine's manifest.
    pub engine: String,
    /// Its state.
    pub state: BuildState,
    /// Whether a process builds it or plays with it now.
    pub in_use: bool,
    /// The record of its end; `None` while it is unfinished.
    pub record: Option<BuildRecord>,
    /// Size of worktree and log, in bytes.
    pub bytes: u64,
    /// When it was last used, if known.
    pub last_used: Option<Timestamp>,
    /// The folder with the checkout.
    pub folder: PathBuf,
    /// The file with the output of the build.
    pub log: PathBuf,
}

/// The state of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BuildState {
    /// It succeeded.
    Built,
    /// It failed.
    Failed,
    /// It is running, or was interrupted.
    Unfinished,
}

impl BuildFacts {
    /// Reads the state of a build.
    ///
    /// # Errors
    /// The cache cannot be read.
    pub fn of(build: &CachedBuild) -> Result<BuildFacts> {
        let record = build.record();
        let state = match &record {
            None => BuildState::Unfinished,
            Some(record) if record.failure.is_some() => BuildState::Failed,
            Some(_) => BuildState::Built,
        };
        let (folder, log) = (build.worktree(), build.log());
        Ok(BuildFacts {
            engine: build.engine.clone(),
            state,
            in_use: build.try_lock()?.is_none(),
            record,
            bytes: bytes_below(&folder) + fs::metadata(&log).map_or(0, |log| log.len()),
            last_used: build.last_used().and_then(|time| Timestamp::try_from(time).ok()),
            folder,
            log,
        })
    }

    /// `tarrasch@3f9c1ab`.
    pub fn label(&self) -> String {
        if let Some(record) = &self.record {
            return format!("{}@{}", self.engine, record.commit.short_hash());
        }
        let key = self.folder.file_name().unwrap_or_default().to_string_lossy();
        format!("{}@{}", self.engine, key.get(..7).unwrap_or(&key))
    }
}

/// The size of the files below a folder. A file with several names (cargo makes hard links) counts once.
fn bytes_below(folder: &Path) -> u64 {
    fn add(folder: &Path, seen: &mut HashSet<(u64, u64)>) -> u64 {
        let entries = folder.read_dir().into_iter().flatten().flatten();
        let sizes = entries.map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => add(&entry.path(), seen),
            Ok(metadata) if seen.insert(identity(&metadata, seen.len())) => metadata.len(),
            _ => 0,
        });
        sizes.sum()
    }
    add(folder, &mut HashSet::new())
}

/// What all names of one file have in common.
#[cfg(unix)]
fn identity(metadata: &Metadata, _number: usize) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;

    (metadata.dev(), metadata.ino())
}

/// Without hard links, every name is another file.
#[cfg(not(unix))]
fn identity(_metadata: &Metadata, number: usize) -> (u64, u64) {
    (0, number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_two_names_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("deps")).unwrap();
        fs::write(path("deps/a"), [0; 1000]).unwrap();
        fs::write(path("b"), [0; 10]).unwrap();
        assert_eq!(bytes_below(folder.path()), 1010);
        #[cfg(unix)]
        {
            fs::hard_link(path("deps/a"), path("c")).unwrap();
            assert_eq!(bytes_below(folder.path()), 1010);
        }
    }
}
