//! Cargo's target folder: `target`, unless the user's environment or configuration sets another.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::build_log::last_lines;
use super::manifest::Manifest;

/// The usual target folder, with which the command of a cargo build starts.
const TARGET: &str = "target";

/// The variable that sets cargo's target folder.
const VARIABLE: &str = "CARGO_TARGET_DIR";

/// Number of last lines shown of cargo's error output.
const LINES_SHOWN: usize = 5;

/// The field read from cargo's answer.
#[derive(Deserialize)]
struct Metadata {
    target_directory: PathBuf,
}

/// The program of a manifest built in `root`, the user's working tree: in cargo's target folder, or at the path of the
/// command.
///
/// # Errors
/// Cargo does not answer.
pub fn program_in(manifest: &Manifest, root: &Path) -> Result<PathBuf> {
    match below_target(manifest) {
        Some(rest) => Ok(target_folder(root)?.join(rest)),
        None => Ok(root.join(&manifest.command)),
    }
}

/// The environment variables of a build in a worktree, in addition to ours: each worktree has its own target folder,
/// because two revisions in one folder would overwrite each other's program.
pub fn environment_in(manifest: &Manifest, root: &Path) -> BTreeMap<&'static str, PathBuf> {
    below_target(manifest).map(|_| (VARIABLE, root.join(TARGET))).into_iter().collect()
}

/// The part of the command after `target/` in a cargo build.
fn below_target(manifest: &Manifest) -> Option<&Path> {
    let is_cargo = manifest.build.as_ref()?.split_whitespace().next() == Some("cargo");
    Path::new(&manifest.command).strip_prefix(TARGET).ok().filter(|_| is_cargo)
}

/// Asks cargo.
fn target_folder(root: &Path) -> Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.args(["metadata", "--no-deps", "--format-version=1"]).current_dir(root).stdin(Stdio::null());
    let asked = "`cargo metadata`, which tells the target folder";
    let output = cargo.output().with_context(|| format!("{}: cannot start {asked}", root.display()))?;
    if !output.status.success() {
        bail!("{}: {asked}: {}", root.display(), last_lines(&output.stderr, LINES_SHOWN));
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{}: {asked}: expected JSON", root.display()))?;
    Ok(metadata.target_directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(command: &str, build: &str) -> Manifest {
        Manifest::parse(&format!("name = 'a'\ncommand = '{command}'\nbuild = '{build}'")).unwrap()
    }

    #[test]
    fn only_cargo_builds_below_the_target_folder_are_asked_for() {
        let part = |command, build| below_target(&manifest(command, build)).map(Path::to_path_buf);
        assert_eq!(part("target/release/a", "cargo build --release"), Some("release/a".into()));
        assert_eq!(part("target/release/a", "make"), None);
        assert_eq!(part("bin/a", "cargo build --release"), None);
    }

    #[test]
    fn a_worktree_keeps_its_own_target_folder() {
        let environment = environment_in(&manifest("target/release/a", "cargo build"), Path::new("/x"));
        assert_eq!(environment, BTreeMap::from([(VARIABLE, PathBuf::from("/x/target"))]));
        assert!(environment_in(&manifest("a", "make"), Path::new("/x")).is_empty());
    }
}
