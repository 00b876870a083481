//! The state of the git repository of an engine.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::engines;
use crate::engines::{EngineSource, EngineSpec, LocatedManifest};
use crate::measure::evidence::NumberPattern;

/// The working tree that an engine was built from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitState {
    repository: PathBuf,
    /// The commit that is checked out.
    pub revision: String,
    /// Files of the repository with uncommitted changes.
    pub uncommitted: Vec<String>,
}

impl GitState {
    /// The state of the repository in the engine's manifest, or of the repository that has its program. `None` if there
    /// is no repository, or if the engine is not built from the working tree. Changes of the file `except` are ignored:
    /// the baseline is written after the commit that it describes.
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
        // Two letters and a space precede the name.
        let names = changed.lines().filter_map(|line| line.get(3..));
        let names = names.filter(|name| Some(top.join(name)) != except);
        Some(GitState { revision, uncommitted: names.map(str::to_owned).collect(), repository: top })
    }

    /// The bench in the newest commit message that states one.
    pub fn stated_bench(&self, pattern: &NumberPattern) -> Option<u64> {
        pattern.first_in(&git(&self.repository, &["log", "--format=%B"])?)
    }
}

/// Whether git ignores a file that is not there yet, or is.
pub fn is_ignored(file: &Path) -> bool {
    let folder = file.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::path::absolute(file)
        .is_ok_and(|whole| git(folder, &["check-ignore", "--quiet", &whole.to_string_lossy()]).is_some())
}

/// The output of a git command; `None` if the command fails or git is not installed.
fn git(folder: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}
