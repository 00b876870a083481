//! `arbiter engines`: engines with a manifest, and the builds of their revisions.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::bail;
use clap::{Args, Subcommand};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use runner::EngineConfig;
use runner::process::nearest_name;
use serde::Serialize;

use crate::cli::{CliResult, ExitCode, OrExitCode, console, run_any, stderr, stdout};
use crate::engines::build_cache::CachedBuild;
use crate::engines::build_facts::{BuildFacts, BuildState};
use crate::engines::locate::{manifest, manifest_names};
use crate::engines::{self, BuildCache, EngineSpec, LocatedManifest, is_ignored, session};
use crate::text::number_text::counted;

#[derive(Debug, Args)]
pub struct EnginesArgs {
    #[command(subcommand)]
    task: Option<EnginesTask>,
}

#[derive(Debug, Subcommand)]
enum EnginesTask {
    /// List engines with a manifest, and the builds in the cache (the default).
    List(ListArgs),
    /// Build engines ahead of a match.
    Build(BuildArgs),
    /// Check manifests: the file is valid, the program exists and speaks UCI, and it has the options.
    Check(EnginesCheckArgs),
    /// Remove builds of revisions from the cache; builds in use are kept.
    Clean(CleanArgs),
}

impl EnginesArgs {
    pub fn run(self) -> CliResult {
        let task = self.task.unwrap_or(EnginesTask::List(ListArgs::default()));
        run_any!(task, EnginesTask: List Build Check Clean)
    }
}

#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The engines: NAME builds the working tree; NAME@REV builds a revision once and keeps it in the cache
    #[arg(required = true, value_name = "ENGINE")]
    engines: Vec<EngineSpec>,
}

impl BuildArgs {
    /// Builds one engine after another; a failed build does not stop the others.
    pub fn run(self) -> CliResult {
        let mut out = stdout();
        let mut code = ExitCode::Done;
        let announce = &mut console::announce_build;
        let mut resolver = engines::Resolver::new(announce);
        for spec in &self.engines {
            match resolver.resolve(spec) {
                Ok(engine) => writeln!(out, "{:<20} {}", engine.name, engine.program.display()).fault()?,
                Err(error) if self.engines.len() == 1 => return Err(error).usage(),
                Err(error) => {
                    let _ = writeln!(stderr(), "error: {error:#}");
                    code = ExitCode::Usage;
                }
            }
        }
        Ok(code)
    }
}

const DAY: Duration = Duration::from_hours(24);

#[derive(Debug, Args)]
pub struct CleanArgs {
    /// The builds to remove: NAME for all of an engine, NAME@COMMIT for one [default: all builds]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Remove only builds not used for N days
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=36500))]
    older_than: Option<u32>,

    /// Print what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

impl CleanArgs {
    pub fn run(self) -> CliResult {
        let builds = BuildCache::of_user().fault()?.builds();
        self.check_names(&builds).usage()?;
        let mut out = stdout();
        let (mut count, mut bytes) = (0, 0);
        let done = if self.dry_run { "would be removed" } else { "removed" };
        for build in builds.iter().filter(|build| self.is_selected(build)) {
            let facts = BuildFacts::of(build).fault()?;
            // The lock is held until the build is removed, so that no process starts to use it.
            let Some(_lock) = build.try_lock().fault()? else {
                writeln!(out, "{:<20} kept, it is in use", facts.label()).fault()?;
                continue;
            };
            if !self.dry_run {
                build.remove().fault()?;
            }
            writeln!(out, "{:<20} {done}, {}", facts.label(), size(facts.bytes)).fault()?;
            count += 1;
            bytes += facts.bytes;
        }
        writeln!(out, "{} {done}, {}", counted(count, "build"), size(bytes)).fault()?;
        Ok(ExitCode::Done)
    }

    /// Refuses an engine without builds, unless the cache is empty.
    fn check_names(&self, builds: &[CachedBuild]) -> anyhow::Result<()> {
        for name in &self.names {
            let engine = name.split_once('@').map_or(&**name, |(engine, _)| engine);
            if !builds.is_empty() && !builds.iter().any(|build| build.engine == engine) {
                let known = nearest_name(engine, builds.iter().map(|build| build.engine.as_str()));
                let hint = known.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
                bail!("`{name}`: this engine has no builds in the cache{hint}");
            }
        }
        Ok(())
    }

    fn is_selected(&self, build: &CachedBuild) -> bool {
        let is_named = |name: &String| match name.split_once('@') {
            Some((engine, commit)) => build.engine == engine && build.key.starts_with(&commit.to_lowercase()),
            None => build.engine == *name,
        };
        let age = || build.last_used().and_then(|used| SystemTime::now().duration_since(used).ok());
        let is_old = |days: u32| age().is_some_and(|age| age >= DAY * days);
        (self.names.is_empty() || self.names.iter().any(is_named)) && self.older_than.is_none_or(is_old)
    }
}

#[derive(Debug, Default, Args)]
pub struct ListArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The output of `--json`. `schema` changes whenever a field changes its meaning or is removed.
#[derive(Serialize)]
struct Listing {
    schema: u32,
    engines: Vec<Entry>,
    cache: PathBuf,
    builds: Vec<BuildFacts>,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    /// The program; `None` if the manifest cannot be read.
    command: Option<String>,
    build: Option<String>,
    repo: Option<PathBuf>,
    /// The folder `engines/`; `None` for a built-in manifest.
    place: Option<PathBuf>,
    problem: Option<String>,
}

impl ListArgs {
    pub fn run(self) -> CliResult {
        let cache = BuildCache::of_user().fault()?;
        let builds: anyhow::Result<Vec<BuildFacts>> = cache.builds().iter().map(BuildFacts::of).collect();
        let listing = Listing {
            schema: 1,
            engines: manifest_names().into_iter().map(Entry::of).collect(),
            cache: cache.root.clone(),
            builds: builds.fault()?,
        };
        let mut out = stdout();
        if self.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&listing).fault()?).fault()?;
        } else {
            listing.write(&mut out).fault()?;
        }
        Ok(ExitCode::Done)
    }
}

impl Entry {
    fn of(name: String) -> Entry {
        let empty = Entry { name, command: None, build: None, repo: None, place: None, problem: None };
        match manifest(&empty.name) {
            Ok(None) => empty,
            Ok(Some(located)) => Entry {
                command: Some(located.manifest.command),
                build: located.manifest.build,
                repo: located.manifest.repo,
                place: located.root.map(|root| root.join("engines")),
                ..empty
            },
            Err(error) => Entry { problem: Some(format!("{error:#}")), ..empty },
        }
    }
}

impl Listing {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for entry in &self.engines {
            let Entry { name, command, place, repo, problem, .. } = entry;
            if let Some(problem) = problem {
                writeln!(out, "{name:<12} {}", problem.trim_end())?;
                continue;
            }
            let place =
                place.as_ref().map_or("built-in manifest".to_owned(), |place| place.display().to_string());
            let revisions = if repo.is_some() && entry.place.is_some() { ", @REV" } else { "" };
            writeln!(out, "{name:<12} {:<28} {place}{revisions}", command.as_deref().unwrap_or_default())?;
        }
        if self.builds.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nBuilds of revisions in {}:", self.cache.display())?;
        for build in &self.builds {
            write_build(out, build)?;
        }
        let bytes: u64 = self.builds.iter().map(|build| build.bytes).sum();
        writeln!(out, "{:<20} {:>9}", "total", size(bytes))
    }
}

/// Writes a line for a build: name, size, time of the build, last use, and the commit's subject or the failure.
fn write_build(out: &mut impl Write, build: &BuildFacts) -> io::Result<()> {
    let ended = build.record.as_ref().map(|record| record.ended);
    let about = match (build.state, &build.record) {
        (BuildState::Built, Some(record)) => record.commit.subject.clone(),
        (BuildState::Failed, _) => format!("failed, see {}", build.log.display()),
        _ if build.in_use => "being built".to_owned(),
        _ => "interrupted, will be built again".to_owned(),
    };
    let in_use = if build.in_use && build.state == BuildState::Built { "in use  " } else { "" };
    writeln!(
        out,
        "{:<20} {:>9}  {}  used {}  {in_use}{about}",
        build.label(),
        size(build.bytes),
        ended.map_or(" ".repeat(16), minute),
        build.last_used.map_or("never".to_owned(), minute),
    )
}

/// A local time such as `2026-11-21 10:54`.
fn minute(time: Timestamp) -> String {
    time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// A size such as `231.4 MB`.
pub fn size(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[derive(Debug, Args)]
pub struct EnginesCheckArgs {
    /// The engines to check, by name or path [default: all with a manifest; missing programs are then no error]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ManifestState {
    Good,
    NotInstalled,
    /// The manifest is wrong, or its program or folder is missing.
    Wrong,
    Failed,
}

impl EnginesCheckArgs {
    pub fn run(self) -> CliResult {
        let is_asked = !self.names.is_empty();
        let names = if is_asked { self.names } else { manifest_names() };
        let mut worst = ManifestState::Good;
        let mut out = stdout();
        for name in &names {
            let (mut state, mut text) = check(name);
            if is_asked && state == ManifestState::NotInstalled {
                state = ManifestState::Wrong;
            }
            text = text.trim_end().replace('\n', "\n               ");
            let mark = match state {
                ManifestState::Good => "✓",
                ManifestState::NotInstalled => "-",
                ManifestState::Wrong | ManifestState::Failed => "✗",
            };
            writeln!(out, "{mark} {name:<12} {text}").fault()?;
            worst = worst.max(state);
        }
        Ok(match worst {
            ManifestState::Good | ManifestState::NotInstalled => ExitCode::Done,
            ManifestState::Wrong => ExitCode::Usage,
            ManifestState::Failed => ExitCode::EngineBroke,
        })
    }
}

/// Checks the manifest, then the build and the program, then the engine's options.
fn check(name: &str) -> (ManifestState, String) {
    let wrong = |error: anyhow::Error| (ManifestState::Wrong, format!("{error:#}"));
    if name.contains(['/', '\\']) {
        let found = name.parse().and_then(|spec| engines::resolve(&spec, &mut console::announce_build));
        return found.map_or_else(wrong, |engine| start_and_set_options(&engine));
    }
    let located = match engines::find_manifest(name) {
        Ok(Some(located)) => located,
        Ok(None) => return wrong(engines::unknown_engine(name)),
        Err(error) => return wrong(error),
    };
    let engine = match engines::resolve(&EngineSpec::of_name(name), &mut console::announce_build) {
        Ok(engine) => engine,
        Err(error) if is_system_program(&located) => {
            return (ManifestState::NotInstalled, format!("{error:#}"));
        }
        Err(error) => return wrong(error),
    };
    if located.manifest.repo.is_some()
        && located.root.is_some()
        && let Err(error) = engines::versioned(name)
    {
        return wrong(error);
    }
    let (state, mut text) = start_and_set_options(&engine);
    let path = Path::new("engines").join(name).join("engine.toml");
    if path.is_file() && is_ignored(&path) {
        text = format!("{text}\nwarning: git ignores {}: take it out of .gitignore", path.display());
    }
    (state, text)
}

/// Whether the program comes from the system and not from the repository, so that it may not be installed.
fn is_system_program(located: &LocatedManifest) -> bool {
    located.root.is_none() || (located.manifest.command_is_bare() && located.manifest.build.is_none())
}

fn start_and_set_options(engine: &EngineConfig) -> (ManifestState, String) {
    // The engine is started without options, so that all missing ones are reported.
    let plain = EngineConfig { options: Vec::new(), ..engine.clone() };
    let mut session = match session::start(&plain) {
        Ok(session) => session,
        Err(error) => return (ManifestState::Failed, format!("{error:#}")),
    };
    let mut problems = Vec::new();
    for option in &engine.options {
        if let Err(error) = session.set_option(&option.name, option.value.as_deref()) {
            problems.push(format!("`options`: {error}"));
        }
    }
    let says = session.introduction().name.clone().unwrap_or_else(|| "(no id name)".to_owned());
    session.quit();
    if problems.is_empty() {
        (ManifestState::Good, format!("{says}, {}", engine.program.display()))
    } else {
        (ManifestState::Wrong, problems.join("\n"))
    }
}
