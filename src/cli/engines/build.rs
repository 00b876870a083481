//! Building an engine: the working tree in place, any other revision in a cached worktree.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};
use etcetera::BaseStrategy;

/// How many of the last lines of a failed build are shown.
const LINES_SHOWN: usize = 20;

/// A commit of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    repository: PathBuf,
    hash: String,
}

impl Commit {
    /// Finds the commit that `revision` names in a repository.
    ///
    /// # Errors
    /// The folder is no git repository, or it has no such revision.
    pub fn find(repository: &Path, revision: &str) -> Result<Commit> {
        let name = format!("{revision}^{{commit}}");
        let output = git(repository, &["rev-parse", "--verify", "--end-of-options", &name])?;
        if !output.status.success() {
            bail!(
                "{}: expected a revision of this repository, found `{revision}` ({})",
                repository.display(),
                last_lines(&output.stderr, 1)
            );
        }
        let hash = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        Ok(Commit { repository: repository.to_path_buf(), hash })
    }

    /// The first seven digits of the hash, as git shows it.
    pub fn short_hash(&self) -> &str {
        &self.hash[..7]
    }

    /// The full hash.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The folder with this commit's files, checked out below the user's cache folder when it is not there yet.
    ///
    /// # Errors
    /// The checkout fails.
    pub fn worktree(&self, engine: &str) -> Result<PathBuf> {
        let cache = etcetera::choose_base_strategy().context("no home folder to keep builds in")?.cache_dir();
        let folder = cache.join("arbiter").join("builds").join(engine).join(&self.hash[..12]);
        if folder.join(".git").exists() {
            return Ok(folder);
        }
        let path = folder.to_string_lossy();
        // Forced, because git still lists a worktree whose folder was deleted from the cache.
        let output = git(&self.repository, &["worktree", "add", "--force", "--detach", &path, &self.hash])?;
        if !output.status.success() {
            bail!("{}: cannot check out {}: {}", path, self.hash, last_lines(&output.stderr, LINES_SHOWN));
        }
        Ok(folder)
    }
}

/// Runs a manifest's build command in a folder.
///
/// # Errors
/// The command fails; the message ends with the last lines it printed.
pub fn run_build(command: &str, folder: &Path) -> Result<()> {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let output = Command::new(shell)
        .args([flag, command])
        .current_dir(folder)
        .output()
        .with_context(|| format!("{}: cannot start the build `{command}`", folder.display()))?;
    if !output.status.success() {
        bail!(
            "{}: the build `{command}` failed with {}:\n{}",
            folder.display(),
            output.status,
            last_lines(&output.stderr, LINES_SHOWN)
        );
    }
    Ok(())
}

fn git(repository: &Path, args: &[&str]) -> Result<Output> {
    Command::new("git").arg("-C").arg(repository).args(args).output().context("cannot start git")
}

fn last_lines(text: &[u8], count: usize) -> String {
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}
