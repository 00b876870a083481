//! Resolves an engine as typed (`NAME`, `NAME@REV` or a path) to a program.

mod command;
pub mod session;
pub use session::EngineSession;
mod build_cache;
mod build_facts;
mod distinct_names;
mod error_report;
pub mod locate;
mod manifest;
mod repository;
mod revision_build;
mod shared_work;
pub mod shortest_clock;
mod spec;
mod speed_at_once;

pub use command::EnginesArgs;
use std::collections::HashSet;
use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::cli::console;
use crate::files::file_record;
use runner::fingerprint::sha256_of_file_or_tables;
use runner::process::nearest_name;
use runner::{EngineConfig, EngineFile, UciSetting};

pub use build_cache::BuildCache;
pub use build_facts::run_build;
pub use distinct_names::make_distinct;
pub use error_report::ErrorReport;
pub use locate::{manifest as find_manifest, manifest_names};
use manifest::OlderBuild;
pub use manifest::{LocatedManifest, Manifest};
pub use repository::{Commit, Repository, is_ignored, output_of_git};
pub use shared_work::{by_number, in_parallel};
pub use spec::{
    EngineSettings, EngineSource, EngineSpec, completed, limit_settings, set_option, split_arguments,
};
pub use speed_at_once::{SEARCHES, speed_at_once};

pub use revision_build::CargoMetadata;
use revision_build::RevisionBuild;

/// Finds the programs of engines; builds those whose manifests have a build command, each once.
pub struct Resolver<'a> {
    announce: &'a mut dyn FnMut(&str),
    built: HashSet<(PathBuf, String)>,
}

impl<'a> Resolver<'a> {
    /// `announce` is called with the name of an engine before it is built.
    pub fn new(announce: &'a mut dyn FnMut(&str)) -> Resolver<'a> {
        Resolver { announce, built: HashSet::new() }
    }

    pub fn resolve(&mut self, spec: &EngineSpec) -> Result<EngineConfig> {
        let mut base = match &spec.source {
            EngineSource::Path(path) => from_path(path)?,
            EngineSource::Name(name) => self.by_name(name, spec.settings.build.as_deref())?,
            EngineSource::Revision { name, revision } => {
                from_revision(name, revision, spec.settings.build.as_deref(), self.announce)?
            }
        };
        let EngineSettings { build, engine: mut own } = spec.settings.clone();
        if let Some(build) = build {
            if let EngineSource::Path(path) = &spec.source {
                bail!("engine `{}`: build={build}: expected an engine with a manifest", path.display());
            }
            base.name = format!("{}+{build}", base.name);
        }
        let dir = own.dir.take();
        let mut engine = completed(own, base);
        if let Some(dir) = dir {
            set_dir(&mut engine, &dir)?;
        }
        engine.sha256 = Some(file_record::sha256(&engine.program)?);
        Ok(engine)
    }

    fn by_name(&mut self, name: &str, build: Option<&str>) -> Result<EngineConfig> {
        let Some(LocatedManifest { manifest, root }) = locate::manifest(name)? else {
            if let Some(build) = build {
                bail!("engine `{name}`: build={build}: expected engines/{name}/engine.toml, found none");
            }
            let program = locate::program(name).ok_or_else(|| unknown_engine(name))?;
            return Ok(EngineConfig { name: name.to_owned(), program, ..EngineConfig::default() });
        };
        let manifest = in_build(name, manifest, build)?;
        let Some(root) = root else {
            // The program of a built-in manifest is beside ours or on the search path.
            let file = Path::new(&manifest.command).file_name().unwrap_or_default();
            let program = find_program(name, &file.to_string_lossy())?;
            return configure(&manifest, program, Path::new("."));
        };
        if let Some(command) = &manifest.build
            && self.built.insert((root.clone(), command.clone()))
        {
            (self.announce)(name);
            build_in_place(name, command, &root)?;
        }
        let program = if manifest.command_is_bare() {
            find_program(name, &manifest.command)?
        } else {
            let file = root.join("engines").join(name).join("engine.toml");
            let program = revision_build::program_in(&manifest, &root)?;
            manifest.check_program(&file.display().to_string(), &program)?;
            // With a relative path, the run can be repeated in another clone.
            let below = program.strip_prefix(env::current_dir()?);
            below.map_or_else(|_| program.clone(), |below| Path::new(".").join(below))
        };
        configure(&manifest, program, &root)
    }
}

pub fn resolve(spec: &EngineSpec, announce: &mut dyn FnMut(&str)) -> Result<EngineConfig> {
    Resolver::new(announce).resolve(spec)
}

pub fn resolve_all(specs: &[EngineSpec], announce: &mut dyn FnMut(&str)) -> Result<Vec<EngineConfig>> {
    let mut resolver = Resolver::new(announce);
    let mut engines = specs.iter().map(|spec| resolver.resolve(spec)).collect::<Result<Vec<_>>>()?;
    make_distinct(&mut engines);
    Ok(engines)
}

fn from_path(path: &Path) -> Result<EngineConfig> {
    let path = &locate::file(path);
    if let Some(problem) = locate::no_program(path) {
        bail!("engine `{}`: {problem}{}", path.display(), hint(&path.to_string_lossy()));
    }
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let name = locate::without_suffix(&file).to_owned();
    Ok(EngineConfig { name, program: file_record::program_path(path), ..EngineConfig::default() })
}

fn hint(text: &str) -> String {
    locate::hint(text, |program, args| format!("--engine \"cmd={program} args='{args}'\""))
}

/// Builds the user's working tree. A lock keeps two processes from building it at once.
fn build_in_place(name: &str, command: &str, root: &Path) -> Result<()> {
    let place = BuildCache::of_user()?.in_place(name, root);
    let lock = place.lock()?;
    lock.lock()?;
    // Dropping the file releases the lock.
    run_build(command, None, root, &place.log())
}

fn in_build(name: &str, manifest: Manifest, build: Option<&str>) -> Result<Manifest> {
    let Some(build) = build else { return Ok(manifest) };
    manifest.with_build(build).with_context(|| format!("engines/{name}/engine.toml"))
}

pub fn has_build(spec: &EngineSpec, build: &str) -> bool {
    let (EngineSource::Name(name) | EngineSource::Revision { name, .. }) = &spec.source else { return false };
    locate::manifest(name).is_ok_and(|found| found.is_some_and(|found| found.manifest.has_build(build)))
}

/// Another build of an engine recorded in a run: of the same revision, or else of the working tree.
pub fn other_build(engine: &EngineConfig, build: &str) -> Result<EngineSpec> {
    let own = engine.name.split('@').next().unwrap_or_default();
    let is_its = |name: &String| {
        let manifest = locate::manifest(name).ok().flatten().map(|found| found.manifest.name);
        *name == own || manifest.is_some_and(|called| called == own)
    };
    let Some(name) = manifest_names().into_iter().find(is_its) else {
        bail!(
            "engine `{}`: build {build}: expected a manifest engines/{own}/engine.toml, found none",
            engine.name
        );
    };
    let source = match &engine.revision {
        Some(revision) => EngineSource::Revision { name, revision: revision.clone() },
        None => EngineSource::Name(name),
    };
    let settings = EngineSettings { build: Some(build.to_owned()), ..EngineSettings::default() };
    Ok(EngineSpec { source, settings })
}

fn from_revision(
    name: &str,
    revision: &str,
    build: Option<&str>,
    announce: &mut dyn FnMut(&str),
) -> Result<EngineConfig> {
    let (manifest, repository) = versioned(name).with_context(|| format!("engine `{name}@{revision}`"))?;
    let manifest = in_build(name, manifest, build)?;
    let commit = repository.commit(revision).with_context(|| format!("engine `{name}@{revision}`"))?;
    if repository.has_changes_on_top_of(&commit)? {
        console::note(&format!(
            "warning: {} has uncommitted changes: {name}@{} is built without them, {name} with them",
            repository.folder.display(),
            commit.label()
        ));
    }
    of_commit(name, &manifest, &repository, &commit, announce)
}

/// The manifest and repository of an engine whose revisions can be built.
pub fn versioned(name: &str) -> Result<(Manifest, Repository)> {
    let located = locate::manifest(name)?.ok_or_else(|| no_manifest(name))?;
    let LocatedManifest { manifest, root: Some(root) } = located else {
        bail!(
            "engine `{name}`: to build revisions, Arbiter needs engines/{name}/engine.toml in this folder, with the \
             repository in `repo`"
        );
    };
    let Some(place) = &manifest.repo else {
        bail!("engines/{name}/engine.toml: to build revisions, add `repo`, the git repository of `{name}`");
    };
    let repository =
        Repository::open(&root.join(place)).with_context(|| format!("engines/{name}/engine.toml: `repo`"))?;
    Ok((manifest, repository))
}

pub fn of_commit(
    name: &str,
    manifest: &Manifest,
    repository: &Repository,
    commit: &Commit,
    announce: &mut dyn FnMut(&str),
) -> Result<EngineConfig> {
    let manifest = &manifest_at(name, manifest, repository, commit)?;
    let build = RevisionBuild::new(name, manifest, repository, commit)?;
    build.ensure(announce)?;
    let program = if manifest.command_is_bare() {
        find_program(name, &manifest.command)?
    } else {
        file_record::program_path(&build.program())
    };
    let sha256 = Some(file_record::sha256(&program)?);
    let engine = configure(manifest, program, &build.root)?;
    let (revision, committed) = (Some(commit.hash.clone()), Some(commit.date));
    Ok(EngineConfig { name: build.label(), revision, committed, sha256, ..engine })
}

/// The manifest for a commit. If several entries of `older` match, the one with the earliest `until` is used.
fn manifest_at(
    name: &str,
    manifest: &Manifest,
    repository: &Repository,
    commit: &Commit,
) -> Result<Manifest> {
    let mut nearest: Option<(Commit, &OlderBuild)> = None;
    for older in &manifest.older {
        let until = match repository.commit(&older.until) {
            Ok(until) => until,
            // A shallow clone that lacks this old commit also lacks all commits to which the entry applies.
            Err(_) if repository.is_shallow()? => continue,
            Err(error) => return Err(error.context(format!("engines/{name}/engine.toml: `older.until`"))),
        };
        let is_nearer = match &nearest {
            Some((other, _)) => repository.is_ancestor(&until, other)?,
            None => true,
        };
        if is_nearer && repository.is_ancestor(commit, &until)? {
            nearest = Some((until, older));
        }
    }
    Ok(nearest.map_or_else(|| manifest.clone(), |(_, older)| manifest.clone().with(older)))
}

fn configure(manifest: &Manifest, program: PathBuf, root: &Path) -> Result<EngineConfig> {
    let root = std::path::absolute(root)?;
    let setting = |(name, value)| UciSetting { name, value: Some(value) };
    let options = manifest.options().map(setting).collect();
    let (args, env) = (manifest.args(&root), manifest.env(&root));
    let Manifest { name, restart, exclusive, start_timeout, pass_env, protocol, .. } = manifest.clone();
    let mut engine = EngineConfig {
        name,
        program,
        protocol,
        args,
        env,
        pass_env,
        restart,
        exclusive,
        start_timeout,
        options,
        ..EngineConfig::default()
    };
    if let Some(dir) = &manifest.dir {
        set_dir(&mut engine, &root.join(dir))?;
    }
    Ok(engine)
}

fn set_dir(engine: &mut EngineConfig, dir: &Path) -> Result<()> {
    if !dir.is_dir() {
        bail!("engine `{}`: `dir`: no such folder: {}", engine.name, dir.display());
    }
    // A relative path would not lead to the program from another working folder.
    if engine.program.components().count() > 1 {
        engine.program = std::path::absolute(&engine.program)?;
    }
    engine.dir = Some(std::path::absolute(dir)?);
    Ok(())
}

fn find_program(engine: &str, program: &str) -> Result<PathBuf> {
    locate::program(program).ok_or_else(|| {
        let advice = if Path::new(program).is_file() {
            format!("; for the file in this folder write command = \"./{program}\" in its manifest")
        } else {
            "; install it, or give its path".to_owned()
        };
        anyhow!("engine `{engine}`: program `{program}` not found on the search path{advice}")
    })
}

/// The error for an engine whose revisions cannot be built because it has no manifest.
fn no_manifest(name: &str) -> anyhow::Error {
    if name.contains(['/', '\\']) {
        anyhow!(
            "engine `{name}`: to build revisions, Arbiter needs the name of an engine with a manifest; `arbiter init` \
             writes one"
        )
    } else {
        anyhow!("{:#}; to build revisions, write a manifest with `arbiter init`", unknown_engine(name))
    }
}

pub fn unknown_engine(name: &str) -> anyhow::Error {
    let known = manifest_names();
    let nearest = nearest_name(name, known.iter().map(String::as_str));
    let suggestion = nearest.map(|nearest| format!(" (did you mean `{nearest}`?)")).unwrap_or_default();
    anyhow!(
        "engine `{name}`: found neither engines/{name}/engine.toml nor a program of that name on the search \
         path{suggestion}{}{}; known engines: {}",
        hint(name),
        locate::here(name),
        known.join(", ")
    )
}

/// Advice for authors who want to rebuild an engine during a run.
pub const BUILD_OF_ITS_OWN: &str =
    "to build while a run plays, let it play a build of its own: NAME@HEAD, a git revision";

/// Checks that the programs of a run and the files that they read have not changed since its start.
pub fn check_unchanged(engines: &[EngineConfig]) -> Result<()> {
    for EngineConfig { name, program, sha256, files, .. } in engines {
        // Prevents a build in the cache from being removed while it plays.
        if let Some(build) = BuildCache::of_user().ok().and_then(|cache| cache.build_of(program)) {
            build.hold()?;
        }
        if !program.is_file() {
            bail!(
                "engine `{name}`: no program {} any more, or not in this folder; paths are relative to the folder in \
                 which the run began",
                program.display()
            );
        }
        let found = file_record::sha256(program)?;
        if let Some(expected) = sha256.as_ref().filter(|expected| **expected != found) {
            bail!(
                "engine `{name}`: {} has changed since the run started (SHA-256 {expected} then, {found} now); restore \
                 it, or start over with: arbiter run DIR --accept-changed; {BUILD_OF_ITS_OWN}",
                program.display()
            );
        }
        check_files(name, files)?;
    }
    Ok(())
}

pub fn check_files(engine: &str, files: &[EngineFile]) -> Result<()> {
    for EngineFile { role, path, sha256: expected } in files {
        let found = sha256_of_file_or_tables(path);
        let path = path.display();
        let found = found.with_context(|| format!("engine `{engine}`: {role}: {path}"))?;
        if found != *expected {
            bail!(
                "engine `{engine}`: {role}: {path} has changed since the run started (SHA-256 {expected} then, {found} \
                 now); restore it, or start over with: arbiter run DIR --accept-changed"
            );
        }
    }
    Ok(())
}
