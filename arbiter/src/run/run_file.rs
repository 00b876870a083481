//! The text of a run's configuration: `run.toml` of a run folder, or a file in the same form that a user writes.
//!
//! A file may leave out whatever has a default or is found by the program, such as fingerprints. It may also name an
//! engine as on the command line: `engine = "tarrasch@HEAD:Hash=16"` replaces `program`. Other settings in such an
//! entry take precedence over the manifest and over that text.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::engines::{self, EngineSpec, locate};
use crate::files::file_record;
use crate::options::books::Changed;
use crate::options::{books, machine};
use runner::untrusted_files::read_text;
use runner::{EngineConfig, RunConfig};

pub const NAME: &str = "run.toml";

/// The key under which a file names an engine as on the command line.
const ASKED_FOR: &str = "engine";

/// A file as read; its engines and its book are not looked up yet.
#[derive(Debug)]
pub struct RunFile {
    config: RunConfig,
    /// The text that names each engine; `None` if the file gives its program.
    asked_for: Vec<Option<EngineSpec>>,
}

/// Fails if a path is a file of games.
pub fn refuse_games(path: &Path) -> Result<()> {
    let is_games = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn"));
    ensure!(
        !is_games,
        "{0}: expected a run file or a run folder, found games; type arbiter report {0}, or arbiter rate {0}",
        path.display()
    );
    Ok(())
}

impl RunFile {
    pub fn read(path: &Path) -> Result<RunFile> {
        let file = if path.is_dir() { path.join(NAME) } else { path.to_owned() };
        let text = read_text(&file)
            .with_context(|| format!("{}: expected a run file or a run folder", file.display()))?;
        refuse_games(&file)?;
        RunFile::parse(&text).with_context(|| file.display().to_string())
    }

    pub fn parse(text: &str) -> Result<RunFile> {
        let mut table = DeTable::parse(text)?;
        let asked_for = match table.get_mut().get_mut("engine").map(Spanned::get_mut) {
            Some(DeValue::Array(engines)) => {
                engines.iter_mut().map(|engine| take_asked_for(engine, text)).collect::<Result<_>>()?
            }
            _ => Vec::new(),
        };
        let config = RunConfig::deserialize(toml::Deserializer::from(table)).or_else(|mut error| {
            error.set_input(Some(text));
            of_other_version(text, error)
        })?;
        Ok(RunFile { config, asked_for })
    }

    /// Finds the engines and the book, builds engines where necessary, and computes fingerprints. The result counts as
    /// a new run, made now on this machine.
    pub fn resolve(self, changed: Changed, announce: &mut dyn FnMut(&str)) -> Result<RunConfig> {
        let mut config = self.config;
        config.book = books::settle(config.book, changed)?;
        if config.book.per_pairing && config.made.is_none() {
            config.book.wrap.get_or_insert(false);
        }
        let mut resolver = engines::Resolver::new(announce);
        for (engine, asked_for) in config.engines.iter_mut().zip(self.asked_for) {
            match asked_for {
                Some(spec) => fill_in(engine, &spec, &mut resolver)?,
                None => settle_program(engine, changed)?,
            }
            let files = std::mem::take(&mut engine.files);
            if changed == Changed::Refused {
                engines::check_files(&engine.name, &files)?;
            }
        }
        engines::make_distinct(&mut config.engines);
        config.made = Some(machine::made_now());
        Ok(config)
    }
}

/// Reads a configuration as a run folder has it, of any version.
pub fn parse_config(text: &str) -> Result<RunConfig> {
    toml::from_str(text).or_else(|error| of_other_version(text, error))
}

fn of_other_version(text: &str, error: toml::de::Error) -> Result<RunConfig> {
    let read = RunConfig::of_other_version(toml::from_str(text)?);
    read.map_err(|newer| newer.map_or_else(|| error.into(), anyhow::Error::from))
}

/// Takes `engine = "…"` out of an engine's table and inserts empty values for the keys that `RunConfig` requires; they
/// are filled in when the engine has been found.
fn take_asked_for(engine: &mut Spanned<DeValue<'_>>, text: &str) -> Result<Option<EngineSpec>> {
    let DeValue::Table(engine) = engine.get_mut() else { return Ok(None) };
    let Some(value) = engine.remove(ASKED_FOR) else { return Ok(None) };
    let span = value.span();
    let line = text[..span.start].matches('\n').count() + 1;
    if engine.contains_key("program") {
        bail!("line {line}: expected either `engine` or `program` for an engine, found both");
    }
    let DeValue::String(spec) = value.get_ref() else {
        bail!(
            "line {line}: `engine`: expected a text as on the command line, such as \"tarrasch@HEAD:Hash=16\""
        );
    };
    let spec: EngineSpec = spec.parse().map_err(|error| anyhow!("line {line}: {error}"))?;
    for key in ["name", "program"] {
        let empty = || Spanned::new(span.clone(), DeValue::String("".into()));
        engine.entry(Spanned::new(span.clone(), key.into())).or_insert_with(empty);
    }
    Ok(Some(spec))
}

fn fill_in(engine: &mut EngineConfig, spec: &EngineSpec, resolver: &mut engines::Resolver<'_>) -> Result<()> {
    let found = resolver.resolve(spec)?;
    let EngineConfig { revision, committed, sha256, .. } = found.clone();
    let engine_of_file = std::mem::take(engine);
    *engine = EngineConfig { revision, committed, sha256, ..engines::completed(engine_of_file, found) };
    Ok(())
}

fn settle_program(engine: &mut EngineConfig, changed: Changed) -> Result<()> {
    let EngineConfig { name, program, sha256, .. } = engine;
    *program = locate::file(program);
    if !program.is_file() {
        bail!(
            "engine `{name}`: expected the program {}, which does not exist (to look up an engine by name, write `engine = \"NAME\"`)",
            program.display()
        );
    }
    *program = file_record::program_path(program);
    let found = file_record::sha256(program)?;
    if let Some(expected) = sha256.as_ref().filter(|expected| **expected != found)
        && changed == Changed::Refused
    {
        bail!(
            "engine `{name}`: expected {} with SHA-256 {expected}, found {found}; the program has changed; \
             --accept-changed plays with it",
            program.display()
        );
    }
    *sha256 = Some(found);
    Ok(())
}
