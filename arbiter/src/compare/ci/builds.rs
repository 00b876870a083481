//! The build that `arbiter ci` tests, the build to compare it with, and the working tree of the former.

use std::iter;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::ci_plan::CiPlan;
use crate::cli::console;
use crate::engines::{self, EngineSource, EngineSpec, LocatedManifest, output_of_git};
use crate::measure::CiFile;
use runner::EngineConfig;

#[derive(Clone, Debug)]
pub struct Builds {
    pub engine: EngineConfig,
    /// The commit that the engine was built from; `None` if the working tree has changed since.
    pub revision: Option<String>,
    /// The build to compare speed and games with, under another name.
    pub against: Option<EngineConfig>,
    /// Whether the commits of both builds differ only in Arbiter's own files.
    pub has_same_sources: bool,
}

impl Builds {
    pub fn find(plan: &CiPlan) -> Result<Builds> {
        let is_needed = plan.steps.iter().flat_map(|(_, step)| step).any(|step| step.compares_builds());
        let against = plan.against.iter().filter(|_| is_needed);
        let specs: Vec<EngineSpec> = iter::once(&plan.engine).chain(against).cloned().collect();
        let mut found = engines::resolve_all(&specs, &mut console::announce_build)?.into_iter();
        let engine = found.next().unwrap_or_default();
        Ok(Builds {
            revision: engine.revision.clone(),
            engine,
            against: found.next(),
            has_same_sources: false,
        })
    }

    /// The build to compare with; `None` if it is the same program with the same options.
    pub fn other(&self) -> Option<&EngineConfig> {
        let engine = EngineConfig { revision: self.revision.clone(), ..self.engine.clone() };
        let is_same = |other: &EngineConfig| {
            other.is_same_player(&engine) || self.has_same_sources && other.options == engine.options
        };
        self.against.as_ref().filter(|other| !is_same(other))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitState {
    pub repository: PathBuf,
    pub revision: String,
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
        let revision = output_of_git(&repository, &["rev-parse", "--verify", "HEAD"])?.trim().to_owned();
        let top = PathBuf::from(output_of_git(&repository, &["rev-parse", "--show-toplevel"])?.trim());
        let changed = output_of_git(&repository, &["status", "--porcelain", "--untracked-files=no"])?;
        let except = std::path::absolute(except).ok();
        // The status (two letters) and a space precede the name.
        let names = changed.lines().filter_map(|line| line.get(3..));
        let names = names.filter(|name| Some(top.join(name)) != except);
        Some(GitState { revision, uncommitted: names.map(str::to_owned).collect(), repository: top })
    }

    /// Whether the working tree is unchanged, and the other commit differs from this one only in Arbiter's own files,
    /// such as those that `arbiter init` writes.
    pub fn has_sources_of(&self, other: &str) -> bool {
        let files =
            output_of_git(&self.repository, &["diff", "--name-only", "--no-renames", other, &self.revision]);
        let is_ours = |file: &str| {
            let name = file.rsplit('/').next().unwrap_or(file);
            file == CiFile::NAME
                || file.starts_with("engines/")
                    && matches!(name, "engine.toml" | "baseline.toml" | ".gitignore")
                || file.starts_with(".github/workflows/")
        };
        self.uncommitted.is_empty() && files.is_some_and(|files| files.lines().all(is_ours))
    }
}
