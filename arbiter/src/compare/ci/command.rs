//! `arbiter ci`: checks of a build, with one verdict; the folder of a run, and the working tree.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;

use super::baseline::{self, BaselineFile};
use super::ci_file::CiFile;
use super::ci_run::{Builds, CiResult, CiRun};
use super::ci_text::{ci_junit, ci_markdown, conclusion, step_text};
use super::plan::CiPlan;
use super::step::Step;
use crate::cli::{CliResult, ExitCode, OrExitCode, console, stdout};
use crate::engines::{self, EngineSource, EngineSpec, LocatedManifest, is_ignored, output_of_git};
use crate::files::new_file;
use crate::files::suite_files::HashedSuite;
use crate::measure::bench::NumberPattern;
use crate::options::machine;
use crate::report::verdict::Judged;
use crate::run::playing;
use crate::text::{CsvRows, listed};
use runner::{EngineConfig, Made};

#[derive(Debug, Args)]
pub struct CiArgs {
    /// Configuration with a table for each step
    #[arg(long, value_name = "FILE", default_value = CiFile::NAME)]
    pub(super) config: PathBuf,

    /// Test this build instead of the `engine` of the file: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(long, value_name = "ENGINE")]
    pub(super) engine: Option<EngineSpec>,

    /// Compare speed and games with this build [default: the commit of the baseline]
    #[arg(long, value_name = "ENGINE")]
    pub(super) against: Option<EngineSpec>,

    /// Run only these steps
    #[arg(long, value_name = "STEP", num_args = 1..)]
    pub(super) only: Vec<Step>,

    /// Skip these steps
    #[arg(long, value_name = "STEP", num_args = 1..)]
    pub(super) skip: Vec<Step>,

    /// Write the measurements as the new baseline and show what changed; no games are played
    #[arg(long)]
    pub(super) update_baseline: bool,

    /// Folder of the reports; it must not exist [default: results/<date>-ci-<engine>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl CiArgs {
    /// `arbiter ci --update-baseline`.
    pub fn of_baseline() -> CiArgs {
        CiArgs {
            config: CiFile::NAME.into(),
            engine: None,
            against: None,
            only: Vec::new(),
            skip: Vec::new(),
            update_baseline: true,
            out: None,
        }
    }

    pub fn run(self) -> CliResult {
        let file = CiFile::read(&self.config).usage()?;
        let plan = CiPlan::new(file, &self).usage()?;
        self.out.as_deref().map_or(Ok(()), new_file::check_out).usage()?;
        let baseline = plan.baseline.clone();
        let ci = CiRun::prepare(plan)?;
        warn_of_changes(ci.uncommitted());
        let usual = || new_file::below_results(&format!("ci-{}", playing::file_name(&ci.builds.engine.name)));
        let path = self.out.clone().unwrap_or_else(usual);
        let folder = CiFolder::create(&path, &ci.plan, &ci.builds).of_path()?;
        let mut out = stdout();
        let colour = console::wants_colour(&io::stdout());
        // A closed pipe is reported by the last write.
        let result = ci.run(&folder, |step| {
            let _ = write!(out, "{}", step_text(step, colour));
        })?;
        playing::append_text(&folder.write_reports(&result).fault()?);
        write!(out, "{}", conclusion(&result).terminal(colour)).fault()?;
        let code =
            if self.update_baseline { update(&baseline, &result)? } else { result.verdict.exit_code() };
        writeln!(out, "  reports in {}", path.display()).fault()?;
        Ok(code)
    }
}

fn warn_of_changes(uncommitted: &[String]) {
    const MOST_NAMED: usize = 3;
    if uncommitted.is_empty() {
        return;
    }
    let named = listed(uncommitted, MOST_NAMED);
    console::note(&format!("warning: the working tree has uncommitted changes ({named})"));
}

/// Writes the measurements as the new baseline if the build passes. The first baseline is that of whatever build there is:
/// what it misses is listed.
fn update(file: &BaselineFile, result: &CiResult) -> CliResult {
    let path = file.path.display();
    let is_first = file.known.is_none() && result.verdict == Judged::Worse;
    if !result.verdict.passes() && !is_first {
        console::note(&format!("{path} was not changed, because the build did not pass"));
        return Ok(result.verdict.exit_code());
    }
    file.update(&result.measured).of_path()?;
    console::note(&format!("baseline written to {path}; commit it with the change that it belongs to"));
    if is_first {
        let missed = result.steps.iter().filter(|step| step.judgement.verdict == Judged::Worse);
        let missed =
            missed.map(|step| format!("{}: {}", step.step, step.judgement.sentence)).collect::<Vec<_>>();
        console::note(&format!(
            "the first baseline is accepted with what the build misses: {}",
            missed.join("; ")
        ));
    }
    if is_ignored(&file.path) {
        console::note(&format!(
            "warning: git ignores {path}; take it out of .gitignore, or choose another place with `baseline` in {}",
            CiFile::NAME
        ));
    }
    if !result.uncommitted.is_empty() {
        console::note(
            "warning: the baseline names no commit, because of the uncommitted changes; no match can be played against it",
        );
    }
    Ok(ExitCode::Done)
}

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

    pub fn match_folder(&self) -> PathBuf {
        self.path.join("match")
    }

    /// Creates `tactics.csv`, with a row for each search.
    pub fn tactics_table(&self) -> Result<CsvRows<File>> {
        let file = self.path.join("tactics.csv");
        Ok(CsvRows::new(File::create(&file).with_context(|| file.display().to_string())?))
    }

    /// Writes the result as JSON, JUnit and Markdown, and the measurements as a baseline. Returns the Markdown.
    fn write_reports(&self, result: &CiResult) -> Result<String> {
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
        let revision = output_of_git(&repository, &["rev-parse", "--verify", "HEAD"])?.trim().to_owned();
        let top = PathBuf::from(output_of_git(&repository, &["rev-parse", "--show-toplevel"])?.trim());
        let changed = output_of_git(&repository, &["status", "--porcelain", "--untracked-files=no"])?;
        let except = std::path::absolute(except).ok();
        // Two letters and a space precede the name.
        let names = changed.lines().filter_map(|line| line.get(3..));
        let names = names.filter(|name| Some(top.join(name)) != except);
        Some(GitState { revision, uncommitted: names.map(str::to_owned).collect(), repository: top })
    }

    /// The bench in the newest commit message that states one.
    pub fn stated_bench(&self, pattern: &NumberPattern) -> Option<u64> {
        pattern.first_in(&output_of_git(&self.repository, &["log", "--format=%B"])?)
    }
}
