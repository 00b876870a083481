//! From what was typed for an engine to a program that can be started.

mod build;
mod locate;
mod manifest;
mod names;
mod own_limits;
mod spec;

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};

use crate::cli::{recorded_path, sha256};
use crate::process::nearest_name;
use crate::runner::{EngineConfig, UciSetting};

pub use locate::{manifest as find_manifest, manifest_names};
pub use manifest::LocatedManifest;
pub use names::make_distinct;
pub use spec::{EngineSource, EngineSpec};

use build::Commit;

/// Finds the program of an engine, building it where its manifest says how.
///
/// `announce` is told what is being built before it takes its time.
///
/// # Errors
/// There is no such engine, manifest, revision or program, or a build fails.
pub fn resolve(spec: &EngineSpec, announce: &mut dyn FnMut(&str)) -> Result<EngineConfig> {
    let mut engine = match &spec.source {
        EngineSource::Path(path) => from_path(path)?,
        EngineSource::Name(name) => from_name(name, announce)?,
        EngineSource::Revision { name, revision } => from_revision(name, revision, announce)?,
    };
    for setting in &spec.options {
        set_option(&mut engine.options, setting.clone());
    }
    engine.limits.clone_from(&spec.limits);
    engine.sha256 = Some(sha256::of_file(&engine.program)?);
    Ok(engine)
}

fn from_path(path: &Path) -> Result<EngineConfig> {
    if !path.is_file() {
        bail!("engine `{}`: expected a program file, found none there", path.display());
    }
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let name = file.strip_suffix(env::consts::EXE_SUFFIX).unwrap_or(&file).to_owned();
    Ok(EngineConfig { name, program: recorded_path::of(path)?, ..EngineConfig::default() })
}

fn from_name(name: &str, announce: &mut dyn FnMut(&str)) -> Result<EngineConfig> {
    let Some(LocatedManifest { manifest, root }) = locate::manifest(name)? else {
        let program = locate::program(name).ok_or_else(|| unknown_engine(name))?;
        return Ok(EngineConfig { name: name.to_owned(), program, ..EngineConfig::default() });
    };
    let program = if manifest.command_is_bare() {
        find_program(name, &manifest.command)?
    } else if let Some(root) = &root {
        if let Some(command) = &manifest.build {
            announce(name);
            build::run_build(command, root)?;
        }
        let file = root.join("engines").join(name).join("engine.toml");
        existing(&manifest, &file.display().to_string(), root)?
    } else {
        // A manifest that is built in comes with a program that is installed beside ours.
        let file = Path::new(&manifest.command).file_name().unwrap_or_default();
        find_program(name, &file.to_string_lossy())?
    };
    Ok(configure(&manifest, program))
}

fn from_revision(name: &str, revision: &str, announce: &mut dyn FnMut(&str)) -> Result<EngineConfig> {
    let located = locate::manifest(name)?.ok_or_else(|| unknown_engine(name))?;
    let LocatedManifest { manifest, root: Some(root) } = located else {
        bail!(
            "engine `{name}@{revision}`: expected engines/{name}/engine.toml in this folder, to say which repository"
        );
    };
    let (Some(repository), Some(command)) = (&manifest.repo, &manifest.build) else {
        bail!("engines/{name}/engine.toml: expected `repo` and `build`, to build `{name}@{revision}`");
    };
    let commit = Commit::find(&root.join(repository), revision)?;
    let label = format!("{}@{}", manifest.name, commit.short_hash());
    let worktree = commit.worktree(name)?;
    if !worktree.join(&manifest.command).is_file() {
        announce(&label);
        build::run_build(command, &worktree)?;
    }
    let program = existing(&manifest, &label, &worktree)?;
    let revision = Some(commit.hash().to_owned());
    Ok(EngineConfig { name: label, revision, ..configure(&manifest, program) })
}

fn configure(manifest: &manifest::Manifest, program: PathBuf) -> EngineConfig {
    let setting = |(name, value)| UciSetting { name, value: Some(value) };
    let options = manifest.options().map(setting).collect();
    EngineConfig {
        name: manifest.name.clone(),
        program,
        args: manifest.args.clone(),
        options,
        ..EngineConfig::default()
    }
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
fn existing(manifest: &manifest::Manifest, place: &str, folder: &Path) -> Result<PathBuf> {
    let program = folder.join(&manifest.command);
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
