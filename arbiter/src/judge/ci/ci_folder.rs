//! The folder of a run of `arbiter ci`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde::Serialize;

use super::baseline;
use super::ci_run::CiResult;
use super::ci_text::{ci_junit, ci_markdown};
use super::match_step::Builds;
use super::plan::{CiPlan, HashedSuite};
use super::step::Step;
use crate::engines::{self, EngineSource, EngineSpec, LocatedManifest};
use crate::measure::evidence::NumberPattern;
use crate::measure::tactics::TacticsCsv;
use crate::options::machine;
use runner::{EngineConfig, Made};

/// Writes `ci.toml` at the start and the reports at the end; the steps add `tactics.csv` and `match/`.
#[derive(Debug)]
pub struct CiFolder {
    path: PathBuf,
}

/// `ci.toml`: the steps, the engines, the suites and the machine of the run.
#[derive(Debug, Serialize)]
struct Record<'a> {
    steps: Vec<&'static str>,
    baseline: &'a Path,
    made: Made,
    engine: &'a EngineConfig,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<&'a EngineConfig>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suite: Vec<Suite<'a>>,
}

/// A suite of `ci.toml`.
#[derive(Debug, Serialize)]
struct Suite<'a> {
    name: &'a str,
    sha256: &'a str,
}

impl CiFolder {
    /// Creates the folder and writes `ci.toml`.
    pub fn create(path: &Path, plan: &CiPlan, builds: &Builds) -> Result<CiFolder> {
        fs::create_dir_all(path).with_context(|| path.display().to_string())?;
        let folder = CiFolder { path: path.to_owned() };
        folder.write("ci.toml", &toml::to_string(&Record::new(plan, builds))?)?;
        Ok(folder)
    }

    /// The run folder of the match.
    pub fn match_folder(&self) -> PathBuf {
        self.path.join("match")
    }

    /// Creates `tactics.csv`, with a row for each search.
    pub fn tactics_table(&self) -> Result<TacticsCsv<File>> {
        let file = self.path.join("tactics.csv");
        Ok(TacticsCsv::new(File::create(&file).with_context(|| file.display().to_string())?))
    }

    /// Writes the result as JSON, JUnit and Markdown, and the measurements as a baseline. Returns the Markdown.
    pub fn write_reports(&self, result: &CiResult) -> Result<String> {
        let markdown = ci_markdown(result);
        self.write("ci.json", &(serde_json::to_string_pretty(result)? + "\n"))?;
        self.write("junit.xml", &ci_junit(result))?;
        self.write("summary.md", &markdown)?;
        self.write("measured.toml", &baseline::text(&result.measured)?)?;
        Ok(markdown)
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let file = self.path.join(name);
        fs::write(&file, text).with_context(|| file.display().to_string())
    }
}

impl<'a> Record<'a> {
    fn new(plan: &'a CiPlan, builds: &'a Builds) -> Record<'a> {
        fn of<S>(printed: &HashedSuite<S>, name: fn(&S) -> &str) -> Suite<'_> {
            Suite { name: name(&printed.suite), sha256: &printed.sha256 }
        }
        let perft = plan.perft.iter().flat_map(|perft| &perft.suites);
        let tactics = plan.tactics.iter().flat_map(|tactics| &tactics.suites);
        let suites = perft.map(|suite| of(suite, |suite| &suite.name));
        Record {
            steps: plan.steps.iter().copied().map(Step::name).collect(),
            baseline: &plan.baseline.path,
            made: machine::made_now(),
            engine: &builds.engine,
            against: builds.against.as_ref(),
            suite: suites.chain(tactics.map(|suite| of(suite, |suite| &suite.name))).collect(),
        }
    }
}

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
