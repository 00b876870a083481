//! What git knows about the sources of an engine.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::engines;
use crate::engines::{EngineSource, EngineSpec, LocatedManifest};
use crate::evidence::NumberPattern;

/// The working tree that an engine was built from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitState {
    repository: PathBuf,
    /// The commit that is checked out.
    pub revision: String,
    /// Files of the repository with changes that are in no commit.
    pub uncommitted: Vec<String>,
}

impl GitState {
    /// The state of the repository of an engine: that of its manifest, or the one that its program lies in. `None`
    /// where there is none, or where the engine is not built from the working tree. Changes of the file `except` do not
    /// count, since the baseline is written after the commit that it is about.
    pub fn of(engine: &EngineSpec, except: &Path) -> Option<GitState> {
        let repository = match &engine.source {
            EngineSource::Revision { .. } => return None,
            EngineSource::Name(name) => {
                let LocatedManifest { manifest, root } = engines::find_manifest(name).ok()??;
                root?.join(manifest.repo?)
            }
            EngineSource::Path(program) => program.parent()?.to_owned(),
        };
        let revision = git(&repository, &["rev-parse", "--verify", "HEAD"])?.trim().to_owned();
        let top = PathBuf::from(git(&repository, &["rev-parse", "--show-toplevel"])?.trim());
        let changed = git(&repository, &["status", "--porcelain", "--untracked-files=no"])?;
        let except = std::path::absolute(except).ok();
        // Two letters and a blank stand before the name.
        let names = changed.lines().filter_map(|line| line.get(3..));
        let names = names.filter(|name| Some(top.join(name)) != except);
        Some(GitState { revision, uncommitted: names.map(str::to_owned).collect(), repository: top })
    }

    /// The number that the last commit promises that promises one.
    pub fn promise(&self, pattern: &NumberPattern) -> Option<u64> {
        pattern.first_in(&git(&self.repository, &["log", "--format=%B"])?)
    }
}

/// What git says; `None` when it says that there is nothing, or is not there.
fn git(folder: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
