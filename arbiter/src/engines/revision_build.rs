//! Builds a revision of an engine, once.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;

use super::build_cache::{BuildCache, BuildRecord, CachedBuild, keep_until_the_end};
use super::build_log::run_build;
use super::manifest::Manifest;
use super::repository::{Commit, Repository};
use super::target_folder;
use crate::cli::console;
use crate::files::sha256;

/// The build of a revision.
#[derive(Debug)]
pub struct RevisionBuild<'a> {
    manifest: &'a Manifest,
    repository: &'a Repository,
    commit: &'a Commit,
    build: CachedBuild,
    /// The root in the worktree.
    root: PathBuf,
}

impl<'a> RevisionBuild<'a> {
    /// The build of a commit by the manifest `engines/NAME/engine.toml`.
    ///
    /// # Errors
    /// There is no cache folder, or git cannot be started.
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

    /// Its name: `tarrasch@3f9c1ab`.
    pub fn label(&self) -> String {
        format!("{}@{}", self.manifest.name, self.commit.short_hash())
    }

    /// The root: the folder that contains `engines/`, in the worktree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The program of a command that is a path.
    pub fn program(&self) -> PathBuf {
        self.root.join(&self.manifest.command)
    }

    /// Builds the revision unless it is built, and keeps it from being removed until our process ends. Waits while another
    /// process builds it. `announce` is called before a build.
    ///
    /// # Errors
    /// The checkout or the build fails, here or in the other process.
    pub fn ensure(&self, announce: &mut dyn FnMut(&str)) -> Result<()> {
        let began = Timestamp::now();
        let lock = self.build.lock()?;
        // Another process may remove a new build before we hold its lock shared; then we build again.
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

    /// Takes the lock shared, and waits for it.
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

    /// The SHA-256 of the program; `None` where the command is a name on the search path.
    fn fingerprint(&self) -> Result<Option<String>> {
        if self.manifest.command_is_bare() {
            return Ok(None);
        }
        let program = self.program();
        if !program.is_file() {
            let after = if self.manifest.build.is_some() { " after the build" } else { "" };
            let (label, program) = (self.label(), program.display());
            bail!("{label}: `command`: no program {program}{after}");
        }
        sha256::of_file(&program).map(Some)
    }

    /// Builds, unless another process did since `began`. The caller holds the lock exclusively.
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
            ended: Timestamp::now(),
            seconds: start.elapsed().as_secs_f64(),
            sha256,
            failure,
        })?;
        made.map(drop).with_context(|| self.label())
    }

    /// Checks the commit out and runs the build command; returns the SHA-256 of the program.
    fn make(&self) -> Result<Option<String>> {
        self.repository.add_worktree(self.commit, &self.build.worktree())?;
        if let Some(command) = &self.manifest.build {
            let environment = target_folder::environment_in(self.manifest, &self.root);
            run_build(command, &environment, &self.root, &self.build.log())?;
        }
        self.fingerprint()
    }
}
