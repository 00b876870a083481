//! From what was typed for an engine to a program that can be started.

mod command;
mod session;
pub mod sessions;
mod shipped;
pub use session::{EngineSession, SessionError};
mod build_cache;
mod build_facts;
mod build_log;
pub mod locate;
mod manifest;
mod names;
mod own_limits;
mod repository;
mod revision_build;
mod spec;
mod target_folder;

pub use command::EnginesArgs;
use std::collections::{BTreeMap, HashSet};
use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use crate::cli::console;
use crate::files::{recorded_path, sha256};
use runner::process::nearest_name;
use runner::{EngineConfig, UciSetting};

pub use build_cache::{BuildCache, CachedBuild};
pub use build_facts::{BuildFacts, BuildState};
pub use locate::{manifest as find_manifest, manifest_names};
use manifest::OlderBuild;
pub use manifest::{LocatedManifest, Manifest};
pub use names::make_distinct;
pub use repository::{Commit, Repository};
pub use spec::{EngineSource, EngineSpec};

use revision_build::RevisionBuild;

/// Finds the programs of engines, building them where their manifests say how, each build once.
pub struct Resolver<'a> {
    announce: &'a mut dyn FnMut(&str),
    /// The folders in which a command was run, with the command.
    built: HashSet<(PathBuf, String)>,
}

impl<'a> Resolver<'a> {
    /// `announce` is told what is being built before it takes its time.
    pub fn new(announce: &'a mut dyn FnMut(&str)) -> Resolver<'a> {
        Resolver { announce, built: HashSet::new() }
    }

    /// Finds the program of an engine.
    ///
    /// # Errors
    /// There is no such engine, manifest, revision or program, or a build fails.
    pub fn resolve(&mut self, spec: &EngineSpec) -> Result<EngineConfig> {
        let mut engine = match &spec.source {
            EngineSource::Path(path) => from_path(path)?,
            EngineSource::Name(name) => self.by_name(name)?,
            EngineSource::Revision { name, revision } => from_revision(name, revision, self.announce)?,
        };
        for setting in &spec.options {
            set_option(&mut engine.options, setting.clone());
        }
        engine.limits.clone_from(&spec.limits);
        engine.sha256 = Some(sha256::of_file(&engine.program)?);
        Ok(engine)
    }

    fn by_name(&mut self, name: &str) -> Result<EngineConfig> {
        let Some(LocatedManifest { manifest, root }) = locate::manifest(name)? else {
            let program = locate::program(name).ok_or_else(|| unknown_engine(name))?;
            return Ok(EngineConfig { name: name.to_owned(), program, ..EngineConfig::default() });
        };
        let Some(root) = root else {
            // A manifest that is built in comes with a program that is installed beside ours, or is on the search path.
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
            existing(&manifest, &file.display().to_string(), &root)?
        };
        configure(&manifest, program, &root)
    }
}

/// Finds the program of one engine alone, as [`Resolver::resolve`] does.
///
/// # Errors
/// Those of [`Resolver::resolve`].
pub fn resolve(spec: &EngineSpec, announce: &mut dyn FnMut(&str)) -> Result<EngineConfig> {
    Resolver::new(announce).resolve(spec)
}

/// Finds the programs of several engines and gives each a name of its own.
///
/// # Errors
/// Those of [`Resolver::resolve`].
pub fn resolve_all(specs: &[EngineSpec], announce: &mut dyn FnMut(&str)) -> Result<Vec<EngineConfig>> {
    let mut resolver = Resolver::new(announce);
    let mut engines = specs.iter().map(|spec| resolver.resolve(spec)).collect::<Result<Vec<_>>>()?;
    make_distinct(&mut engines);
    Ok(engines)
}

fn from_path(path: &Path) -> Result<EngineConfig> {
    if !path.is_file() {
        bail!("engine `{}`: expected a program file, found none there", path.display());
    }
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let name = file.strip_suffix(env::consts::EXE_SUFFIX).unwrap_or(&file).to_owned();
    Ok(EngineConfig { name, program: recorded_path::of(path)?, ..EngineConfig::default() })
}

/// Builds what is in the user's working tree. Two processes do that one after the other.
fn build_in_place(name: &str, command: &str, root: &Path) -> Result<()> {
    let place = BuildCache::of_user()?.in_place(name, root);
    let lock = place.lock()?;
    lock.lock()?;
    let built = build_log::run_build(command, &BTreeMap::new(), root, &place.log());
    lock.unlock()?;
    built
}

fn from_revision(name: &str, revision: &str, announce: &mut dyn FnMut(&str)) -> Result<EngineConfig> {
    let (manifest, repository) = versioned(name).with_context(|| format!("engine `{name}@{revision}`"))?;
    let commit = repository.commit(revision).with_context(|| format!("engine `{name}@{revision}`"))?;
    if repository.has_changes_on_top_of(&commit)? {
        console::note(&format!(
            "{} has changes that are in no commit: {name}@{} is built without them, {name} with them",
            repository.folder().display(),
            commit.short_hash()
        ));
    }
    of_commit(name, &manifest, &repository, &commit, announce)
}

/// The manifest of an engine of which revisions can be built, and its repository.
///
/// # Errors
/// There is no such engine, or its manifest does not say how to come by a revision.
pub fn versioned(name: &str) -> Result<(Manifest, Repository)> {
    let located = locate::manifest(name)?.ok_or_else(|| unknown_engine(name))?;
    let LocatedManifest { manifest, root: Some(root) } = located else {
        bail!(
            "engine `{name}`: expected engines/{name}/engine.toml in this folder, to say which repository its \
             revisions are in"
        );
    };
    let Some(place) = &manifest.repo else {
        bail!(
            "engines/{name}/engine.toml: expected `repo`, the repository that the revisions of `{name}` are in"
        );
    };
    let repository =
        Repository::open(&root.join(place)).with_context(|| format!("engines/{name}/engine.toml: `repo`"))?;
    Ok((manifest, repository))
}

/// A commit as an engine, built unless it is in the cache.
///
/// # Errors
/// It cannot be built.
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
        recorded_path::of(&build.program())?
    };
    let sha256 = Some(sha256::of_file(&program)?);
    let engine = configure(manifest, program, build.root())?;
    let (revision, committed) = (Some(commit.hash.clone()), Some(commit.date));
    Ok(EngineConfig { name: build.label(), revision, committed, sha256, ..engine })
}

/// The manifest as it holds for a commit. Where several entries of `older` do, the one that ends first is the nearest.
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
            // A shallow clone lacks what is old, and so whatever would be built in another way.
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

/// The engine of a manifest whose root is `root`.
fn configure(manifest: &Manifest, program: PathBuf, root: &Path) -> Result<EngineConfig> {
    let root = root.canonicalize().with_context(|| root.display().to_string())?;
    let dir = manifest.dir.as_ref().map(|dir| root.join(dir));
    if let Some(dir) = dir.as_ref().filter(|dir| !dir.is_dir()) {
        bail!("engine `{}`: `dir`: expected the folder {}, found none", manifest.name, dir.display());
    }
    // Where an engine is started in another folder, a relative path would be looked for there.
    let program = if dir.is_some() && program.components().count() > 1 {
        program.canonicalize().with_context(|| program.display().to_string())?
    } else {
        program
    };
    let setting = |(name, value)| UciSetting { name, value: Some(value) };
    let options = manifest.options().map(setting).collect();
    let (args, env) = (manifest.args(&root), manifest.env(&root));
    Ok(EngineConfig {
        name: manifest.name.clone(),
        program,
        args,
        env,
        dir,
        options,
        ..EngineConfig::default()
    })
}

/// Replaces the value of an option, or adds the option; names are compared without regard to case, as in UCI.
pub fn set_option(options: &mut Vec<UciSetting>, setting: UciSetting) {
    match options.iter_mut().find(|option| option.name.eq_ignore_ascii_case(&setting.name)) {
        Some(option) => *option = setting,
        None => options.push(setting),
    }
}

fn find_program(engine: &str, program: &str) -> Result<PathBuf> {
    locate::program(program).ok_or_else(|| {
        anyhow!("engine `{engine}`: the program `{program}` is not on the search path; is it installed?")
    })
}

/// The program of a manifest below the folder that its command is relative to; `place` is for messages.
fn existing(manifest: &Manifest, place: &str, folder: &Path) -> Result<PathBuf> {
    let program = target_folder::program_in(manifest, folder)?;
    if program.is_file() {
        return recorded_path::of(&program);
    }
    let after = if manifest.build.is_some() { " after the build" } else { "" };
    bail!("{place}: `command`: expected the program {}{after}, found none", program.display())
}

fn unknown_engine(name: &str) -> anyhow::Error {
    let known = manifest_names();
    let nearest = nearest_name(name, known.iter().map(String::as_str));
    let suggestion = nearest.map(|nearest| format!(" (did you mean `{nearest}`?)")).unwrap_or_default();
    anyhow!(
        "engine `{name}`: no engines/{name}/engine.toml and no program of that name on the search path{suggestion}; \
         known are {}",
        known.join(", ")
    )
}

/// Checks that the programs of a run are still those that it began with.
///
/// # Errors
/// One of them is gone, or is another program now.
pub fn check_unchanged(engines: &[EngineConfig]) -> Result<()> {
    for EngineConfig { name, program, sha256, .. } in engines {
        // A build in the cache stays as long as we play with it.
        if let Some(build) = BuildCache::of_user().ok().and_then(|cache| cache.build_of(program)) {
            build.hold()?;
        }
        if !program.is_file() {
            bail!("engine `{name}`: expected the program {}, found none there", program.display());
        }
        let found = sha256::of_file(program)?;
        if let Some(expected) = sha256.as_ref().filter(|expected| **expected != found) {
            bail!(
                "engine `{name}`: expected {} with SHA-256 {expected}, found {found}; it is not the program that the \
                 run began with; bring that one back, or begin anew with: arbiter run DIR --accept-changed",
                program.display()
            );
        }
    }
    Ok(())
}
