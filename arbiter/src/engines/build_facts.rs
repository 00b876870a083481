//! The state of a build in the cache, for listings.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use serde::Serialize;

use super::build_cache::{BuildRecord, CachedBuild};
use super::repository::last_lines;
use runner::process::{run_guarded, shell};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildFacts {
    pub engine: String,
    pub state: BuildState,
    pub in_use: bool,
    /// The record of the finished build; `None` while the build is unfinished.
    pub record: Option<BuildRecord>,
    pub bytes: u64,
    pub last_used: Option<Timestamp>,
    pub folder: PathBuf,
    pub log: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BuildState {
    Built,
    Failed,
    /// The build is running, or was interrupted.
    Unfinished,
}

impl BuildFacts {
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

    /// The name of the build, such as `tarrasch@3f9c1ab`.
    pub fn label(&self) -> String {
        if let Some(record) = &self.record {
            return format!("{}@{}", self.engine, record.commit.short_hash());
        }
        let key = self.folder.file_name().unwrap_or_default().to_string_lossy();
        format!("{}@{}", self.engine, key.get(..7).unwrap_or(&key))
    }
}

/// The size of the files below a folder. A file with several hard links (cargo creates them) counts once.
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

/// The device and inode, which all hard links of a file share.
#[cfg(unix)]
fn identity(metadata: &Metadata, _number: usize) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;

    (metadata.dev(), metadata.ino())
}

/// Here every name counts as a file of its own.
#[cfg(not(unix))]
fn identity(_metadata: &Metadata, number: usize) -> (u64, u64) {
    (0, number as u64)
}

const LINES_SHOWN: usize = 20;

const BYTES_SHOWN: u64 = 16 * 1024;

/// Runs a manifest's build command in a folder and writes its output to the file `log`. Cargo builds below `target`.
pub fn run_build(command: &str, target: Option<&Path>, folder: &Path, log: &Path) -> Result<()> {
    if let Some(parent) = log.parent() {
        fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
    }
    let file = File::create(log).with_context(|| log.display().to_string())?;
    // Both streams go to one file, in the order of writing. Without input, a build that asks a question ends at once.
    let mut job = shell(command);
    job.current_dir(folder).envs(target.map(|target| ("CARGO_TARGET_DIR", target)));
    job.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let ended = run_guarded(&mut job, None)
        .with_context(|| format!("{}: cannot start the build `{command}`", folder.display()))?;
    let Some(status) = ended.filter(|status| !status.success()) else { return Ok(()) };
    let end = end_of(log);
    // The build's output starts on a new line, so that the first line says what happened.
    bail!(
        "{}: the build `{command}` failed with {status}; its log is {}\n{end}",
        folder.display(),
        log.display()
    );
}

fn end_of(log: &Path) -> String {
    let mut text = Vec::new();
    let read = File::open(log).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(BYTES_SHOWN)))?;
        file.read_to_end(&mut text)
    });
    if read.is_ok() { last_lines(&text, LINES_SHOWN) } else { String::new() }
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
