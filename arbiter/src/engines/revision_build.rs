//! Builds a revision of an engine, once.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use serde::Deserialize;

use super::build_cache::{BuildCache, BuildRecord, CachedBuild, keep_until_the_end};
use super::build_facts::run_build;
use super::locate;
use super::manifest::Manifest;
use super::repository::{Commit, Repository, last_lines};
use crate::cli::console;
use crate::files::file_record;
use runner::process::environment::without_secrets;

#[derive(Debug)]
pub struct RevisionBuild<'a> {
    manifest: &'a Manifest,
    repository: &'a Repository,
    commit: &'a Commit,
    build: CachedBuild,
    pub root: PathBuf,
}

impl<'a> RevisionBuild<'a> {
    pub fn new(
        name: &str,
        manifest: &'a Manifest,
        repository: &'a Repository,
        commit: &'a Commit,
    ) -> Result<RevisionBuild<'a>> {
        let command = manifest.build.as_deref().unwrap_or_default();
        let build = BuildCache::of_user()?.build(name, commit, command, &manifest.command);
        let (worktree, place) = (build.worktree(), repository.place_in_checkout()?);
        // Joining an empty path would add a slash.
        let root = if place.as_os_str().is_empty() { worktree } else { worktree.join(place) };
        Ok(RevisionBuild { manifest, repository, commit, build, root })
    }

    /// The name of the build, such as `tarrasch@v1.2` or `tarrasch@3f9c1ab`.
    pub fn label(&self) -> String {
        format!("{}@{}", self.manifest.name, self.commit.label())
    }

    pub fn program(&self) -> PathBuf {
        locate::file(&self.root.join(&self.manifest.command))
    }

    /// Builds the revision unless it is built already, and keeps the build from being removed until our process ends.
    /// Waits while another process builds it. `announce` is called before a build.
    pub fn ensure(&self, announce: &mut dyn FnMut(&str)) -> Result<()> {
        let began = runner::now();
        let lock = self.build.lock()?;
        // Another process may remove the new build before we hold its lock shared; then we build again.
        loop {
            self.wait_for(&lock)?;
            if self.is_whole() {
                keep_until_the_end(lock);
                return Ok(());
            }
            lock.unlock()?;
            lock.lock()?;
            let made = self.make_unless_done_since(began, announce);
            lock.unlock()?;
            made?;
        }
    }

    fn wait_for(&self, lock: &File) -> Result<()> {
        match lock.try_lock_shared() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                console::note(&format!("waiting for another process to build {} …", self.label()));
                Ok(lock.lock_shared()?)
            }
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }

    /// Whether the build succeeded and its program is unchanged.
    fn is_whole(&self) -> bool {
        let Some(BuildRecord { failure: None, sha256, .. }) = self.build.record() else { return false };
        let is_there = self.build.worktree().join(".git").exists();
        is_there && (sha256.is_none() || self.fingerprint().ok() == Some(sha256))
    }

    /// The SHA-256 of the program; `None` if the command is a name on the search path.
    fn fingerprint(&self) -> Result<Option<String>> {
        if self.manifest.command_is_bare() {
            return Ok(None);
        }
        let program = self.program();
        self.manifest.check_program(&self.label(), &program)?;
        file_record::sha256(&program).map(Some)
    }

    /// Builds, unless another process has built or failed since `began`. The caller holds the lock exclusively.
    fn make_unless_done_since(&self, began: Timestamp, announce: &mut dyn FnMut(&str)) -> Result<()> {
        if self.is_whole() {
            return Ok(());
        }
        let other = self.build.record().filter(|record| record.ended >= began);
        if let Some(failure) = other.and_then(|record| record.failure) {
            bail!("{}: the build by another process failed: {failure}", self.label());
        }
        announce(&self.label());
        self.build.remove()?;
        let start = Instant::now();
        let made = self.make();
        let failure = made.as_ref().err().map(|error| format!("{error:#}"));
        let sha256 = made.as_ref().ok().cloned().flatten();
        self.build.keep(&BuildRecord {
            schema: BuildRecord::SCHEMA,
            commit: self.commit.clone(),
            build: self.manifest.build.clone(),
            ended: runner::now(),
            seconds: start.elapsed().as_secs_f64(),
            sha256,
            failure,
        })?;
        made.map(drop).with_context(|| self.label())
    }

    /// Checks out the commit and runs the build command. Returns the SHA-256 of the program.
    fn make(&self) -> Result<Option<String>> {
        self.repository.add_worktree(self.commit, &self.build.worktree())?;
        if let Some(command) = &self.manifest.build {
            // Each worktree has its own: two revisions in one folder would overwrite each other's program.
            let target = below_target(self.manifest).map(|_| self.root.join(TARGET));
            run_build(command, target.as_deref(), &self.root, &self.build.log())?;
        }
        self.fingerprint()
    }
}

const TARGET: &str = "target";

const LINES_SHOWN: usize = 5;

/// What `cargo metadata` reports about the packages of a folder.
#[derive(Deserialize)]
pub struct CargoMetadata {
    pub packages: Vec<CargoPackage>,
    pub target_directory: PathBuf,
}

#[derive(Deserialize)]
pub struct CargoPackage {
    pub name: String,
    pub default_run: Option<String>,
    pub targets: Vec<CargoTarget>,
}

#[derive(Deserialize)]
pub struct CargoTarget {
    pub kind: Vec<String>,
    pub name: String,
}

/// The program of a manifest built in `root`, the user's working tree: in cargo's target folder, or at the path of the
/// command.
pub fn program_in(manifest: &Manifest, root: &Path) -> Result<PathBuf> {
    let program = match below_target(manifest) {
        Some(rest) => CargoMetadata::of(root)?.target_directory.join(rest),
        None => root.join(&manifest.command),
    };
    Ok(locate::file(&program))
}

/// The part of the command after `target/` in a cargo build.
fn below_target(manifest: &Manifest) -> Option<&Path> {
    let is_cargo = manifest.build.as_ref()?.split_whitespace().next() == Some("cargo");
    Path::new(&manifest.command).strip_prefix(TARGET).ok().filter(|_| is_cargo)
}

impl CargoMetadata {
    pub fn of(folder: &Path) -> Result<CargoMetadata> {
        let mut cargo = Command::new("cargo");
        cargo.args(["metadata", "--no-deps", "--format-version=1"]).current_dir(folder).stdin(Stdio::null());
        // Like a build, cargo may start programs that the repository names.
        without_secrets(&mut cargo);
        let asked = "`cargo metadata`, which tells the target folder";
        let output = cargo.output().with_context(|| format!("{}: cannot start {asked}", folder.display()))?;
        if !output.status.success() {
            bail!("{}: {asked}: {}", folder.display(), last_lines(&output.stderr, LINES_SHOWN));
        }
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{}: {asked}: expected JSON", folder.display()))
    }
}
