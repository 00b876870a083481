//! The git repository of an engine.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

const LINES_SHOWN: usize = 5;

/// The maximum length of an abbreviated hash that is shown as it was typed.
const MOST_TYPED: usize = 12;

/// Variables that git sets for its hooks; they would direct git to another repository.
const HOOK_VARIABLES: [&str; 5] =
    ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY"];

/// The lines that git prints about a commit: hash, Unix time in seconds, author, subject.
const FORMAT: &str = "--format=%H%n%ct%n%an%n%s";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    pub folder: PathBuf,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Commit {
    pub hash: String,
    /// The tag, branch or abbreviated hash that the user typed, which means more to the user than our short hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed: Option<String>,
    pub date: Timestamp,
    pub author: String,
    pub subject: String,
}

impl PartialEq for Commit {
    fn eq(&self, other: &Commit) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Commit {}

impl Commit {
    /// The name of the commit: as it was typed, or its short hash.
    pub fn label(&self) -> &str {
        self.typed.as_deref().unwrap_or_else(|| self.short_hash())
    }

    pub fn short_hash(&self) -> &str {
        self.hash.get(..7).unwrap_or(&self.hash)
    }
}

impl Repository {
    pub fn open(folder: &Path) -> Result<Repository> {
        let repository = Repository { folder: folder.to_path_buf() };
        let output = repository.git(&["rev-parse", "--git-dir"])?;
        if !output.status.success() {
            bail!("{}: not a git repository ({})", folder.display(), last_lines(&output.stderr, 1));
        }
        Ok(repository)
    }

    pub fn commit(&self, revision: &str) -> Result<Commit> {
        let name = format!("{revision}^{{commit}}");
        let output = self.git(&["rev-parse", "--verify", "--end-of-options", &name])?;
        if !output.status.success() {
            bail!(
                "{}: no revision `{revision}` in this repository ({})",
                self.folder.display(),
                last_lines(&output.stderr, 1)
            );
        }
        let hash = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let mut commits = self.log(&["--max-count=1", &hash])?;
        let found = commits.pop();
        let found =
            found.with_context(|| format!("{}: git log has no commit {hash}", self.folder.display()))?;
        Ok(Commit { typed: self.is_name(revision, &hash)?.then(|| revision.to_owned()), ..found })
    }

    /// Whether a revision is a tag, a branch or an abbreviated hash. Revisions relative to others, such as `HEAD` and
    /// `v1~2`, may mean another commit tomorrow.
    fn is_name(&self, revision: &str, hash: &str) -> Result<bool> {
        if hash.starts_with(revision) {
            return Ok(revision.len() <= MOST_TYPED);
        }
        let named = self.git(&["rev-parse", "--symbolic-full-name", "--end-of-options", revision])?;
        let full = String::from_utf8_lossy(&named.stdout);
        // git repeats the options before the answer.
        let full = full.lines().last().unwrap_or_default();
        let before = full.strip_prefix("refs/").and_then(|full| full.strip_suffix(revision));
        Ok(before.is_some_and(|before| before.ends_with('/')))
    }

    /// The common ancestor of two commits; `None` if there is none.
    pub fn merge_base(&self, one: &Commit, other: &Commit) -> Result<Option<Commit>> {
        let output = self.git(&["merge-base", &one.hash, &other.hash])?;
        let hash = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if output.status.success() { self.commit(&hash).map(Some) } else { Ok(None) }
    }

    /// The commits after `old` up to `new` along first parents, the oldest first; a merge counts as one commit.
    pub fn first_parents(&self, old: &Commit, new: &Commit) -> Result<Vec<Commit>> {
        self.log(&["--first-parent", "--reverse", &format!("{}..{}", old.hash, new.hash)])
    }

    pub fn is_ancestor(&self, old: &Commit, new: &Commit) -> Result<bool> {
        Ok(self.git(&["merge-base", "--is-ancestor", &old.hash, &new.hash])?.status.success())
    }

    pub fn is_shallow(&self) -> Result<bool> {
        let answer = self.git(&["rev-parse", "--is-shallow-repository"])?;
        Ok(String::from_utf8_lossy(&answer.stdout).trim() == "true")
    }

    pub fn is_merge(&self, commit: &Commit) -> Result<bool> {
        let parents = format!("{}^2", commit.hash);
        Ok(self.git(&["rev-parse", "--verify", "--quiet", &parents])?.status.success())
    }

    /// Whether `commit` is checked out and tracked files have uncommitted changes; false in a bare repository.
    pub fn has_changes_on_top_of(&self, commit: &Commit) -> Result<bool> {
        let head = self.git(&["rev-parse", "--verify", "--quiet", "HEAD"])?;
        if String::from_utf8_lossy(&head.stdout).trim() != commit.hash {
            return Ok(false);
        }
        let changes = self.git(&["status", "--porcelain", "--untracked-files=no"])?;
        Ok(changes.status.success() && !changes.stdout.is_empty())
    }

    pub fn add_worktree(&self, commit: &Commit, folder: &Path) -> Result<()> {
        let path = folder.to_string_lossy();
        let _lock = common_folder(&self.folder).map(|folder| lock_worktrees(&folder)).transpose()?;
        // `--force` is given twice, because git still lists a worktree whose folder was deleted by hand.
        let output = self.git(&["worktree", "add", "--force", "--force", "--detach", &path, &commit.hash])?;
        if !output.status.success() {
            bail!("{path}: cannot check out {}: {}", commit.hash, last_lines(&output.stderr, LINES_SHOWN));
        }
        Ok(())
    }

    /// The path of our folder in a checkout; empty for the top folder.
    pub fn place_in_checkout(&self) -> Result<PathBuf> {
        let output = self.git(&["rev-parse", "--show-prefix"])?;
        Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim_end_matches(['\n', '\r'])))
    }

    fn log(&self, args: &[&str]) -> Result<Vec<Commit>> {
        let output = self.git(&[&["log", "--no-show-signature", "--no-color", FORMAT], args].concat())?;
        if !output.status.success() {
            bail!("{}: {}", self.folder.display(), last_lines(&output.stderr, LINES_SHOWN));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let lines: Vec<&str> = text.lines().collect();
        lines.chunks(4).map(read_commit).collect()
    }

    fn git(&self, args: &[&str]) -> Result<Output> {
        git(&self.folder, args)
    }
}

pub fn remove_worktree(folder: &Path) -> Result<()> {
    // A folder that is not a worktree, or whose repository is gone, is only deleted.
    if let Some(repository) = common_folder(folder) {
        let _lock = lock_worktrees(&repository);
        let _ = git(&repository, &["worktree", "remove", "--force", &folder.to_string_lossy()]);
    }
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| folder.display().to_string())
        }
        _ => Ok(()),
    }
}

/// The `.git` folder that all worktrees of a repository share; `None` if there is no repository.
fn common_folder(folder: &Path) -> Option<PathBuf> {
    let output = output_of_git(folder, &["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
    Some(PathBuf::from(output.trim_end_matches(['\n', '\r'])))
}

/// Waits until no other build adds or removes a worktree: git fails if it meets one that is half-written.
fn lock_worktrees(common_folder: &Path) -> Result<File> {
    let path = common_folder.join("arbiter-worktrees.lock");
    let lock = File::options().create(true).append(true).open(&path);
    lock.and_then(|lock| lock.lock().map(|()| lock)).with_context(|| path.display().to_string())
}

/// Whether git ignores a file, which need not exist.
pub fn is_ignored(file: &Path) -> bool {
    let folder = file.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::path::absolute(file).is_ok_and(|whole| {
        output_of_git(folder, &["check-ignore", "--quiet", &whole.to_string_lossy()]).is_some()
    })
}

/// The output of a git command; `None` if the command fails or git is not installed.
pub fn output_of_git(folder: &Path, args: &[&str]) -> Option<String> {
    let output = git(folder, args).ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn git(folder: &Path, args: &[&str]) -> Result<Output> {
    let mut command = Command::new("git");
    for variable in HOOK_VARIABLES {
        command.env_remove(variable);
    }
    command.arg("-C").arg(folder).args(args).output().context("cannot start git")
}

fn read_commit(lines: &[&str]) -> Result<Commit> {
    let [hash, seconds, author, subject] = lines else {
        bail!("expected four lines about a commit from git, found `{}`", lines.join(" / "));
    };
    let date = Timestamp::from_second(seconds.parse()?)?;
    Ok(Commit {
        hash: (*hash).to_owned(),
        typed: None,
        date,
        author: (*author).to_owned(),
        subject: (*subject).to_owned(),
    })
}

pub fn last_lines(text: &[u8], count: usize) -> String {
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn builds_can_check_out_and_remove_worktrees_at_the_same_time() {
        let folder = tempfile::tempdir().unwrap();
        let source = Repository { folder: folder.path().join("source") };
        std::fs::create_dir(&source.folder).unwrap();
        let author = ["-c", "user.name=A", "-c", "user.email=a@b"];
        source.git(&["init", "--quiet"]).unwrap();
        source
            .git(&[author.as_slice(), &["commit", "--quiet", "--allow-empty", "--message=first"]].concat())
            .unwrap();
        let commit = source.commit("HEAD").unwrap();
        let add_and_remove = |number: usize| {
            for turn in 0..12 {
                let worktree = folder.path().join(format!("{number}-{turn}"));
                source.add_worktree(&commit, &worktree).unwrap();
                remove_worktree(&worktree).unwrap();
            }
        };
        thread::scope(|scope| {
            for number in 0..16 {
                scope.spawn(move || add_and_remove(number));
            }
        });
    }
}
