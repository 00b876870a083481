//! The build that `arbiter ci` tests, the one that it is compared with, and the working tree that it comes from.

use std::iter;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::ci_plan::CiPlan;
use crate::cli::console;
use crate::engines::{self, EngineSource, EngineSpec, LocatedManifest, output_of_git};
use crate::measure::bench::NumberPattern;
use runner::EngineConfig;

#[derive(Clone, Debug)]
pub struct Builds {
    pub engine: EngineConfig,
    /// The commit that it is of; none if something has changed since.
    pub revision: Option<String>,
    /// The build that speed and games are compared with, under another name.
    pub against: Option<EngineConfig>,
}

impl Builds {
    pub fn find(plan: &CiPlan) -> Result<Builds> {
        let is_needed = plan.speed.is_some() || plan.games.is_some();
        let against = plan.against.iter().filter(|_| is_needed);
        let specs: Vec<EngineSpec> = iter::once(&plan.engine).chain(against).cloned().collect();
        let mut found = engines::resolve_all(&specs, &mut console::announce_build)?.into_iter();
        let engine = found.next().unwrap_or_default();
        Ok(Builds { revision: engine.revision.clone(), engine, against: found.next() })
    }

    /// The build to compare with; `None` if it is the same program with the same options.
    pub fn other(&self) -> Option<&EngineConfig> {
        let engine = EngineConfig { revision: self.revision.clone(), ..self.engine.clone() };
        self.against.as_ref().filter(|other| !other.is_same_player(&engine))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitState {
    repository: PathBuf,
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
        // Two letters and a space precede the name.
        let names = changed.lines().filter_map(|line| line.get(3..));
        let names = names.filter(|name| Some(top.join(name)) != except);
        Some(GitState { revision, uncommitted: names.map(str::to_owned).collect(), repository: top })
    }

    pub fn stated_bench(&self, pattern: &NumberPattern) -> Option<u64> {
        pattern.first_in(&output_of_git(&self.repository, &["log", "--format=%B"])?)
    }
}
