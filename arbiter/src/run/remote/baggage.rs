//! The files that a machine needs to play a shard: the engines' programs, the files that these read, the book, and this
//! program. Each is in a cache there, under its SHA-256.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, bail};

use super::host::Facts;
use crate::files::file_record;
use runner::{EngineConfig, RunConfig};

/// The files by their places in the cache, and the place of this program.
#[derive(Debug)]
pub(super) struct Baggage {
    pub(super) files: BTreeMap<String, (PathBuf, Facts)>,
    pub(super) arbiter: String,
}

impl Baggage {
    /// The files that the run needs, and its configuration for a machine, with paths below [`CACHE`].
    pub(super) fn of_run(config: &RunConfig) -> Result<(Baggage, RunConfig)> {
        let own = env::current_exe().context("this program")?;
        let facts = facts_of(&own)?;
        let arbiter = format!("{}/arbiter", facts.sha256);
        let mut baggage = Baggage { files: BTreeMap::from([(arbiter.clone(), (own, facts))]), arbiter };
        let mut there = RunConfig { made: None, ..config.clone() };
        if let Some(sha256) = there.book.sha256.as_ref().filter(|_| !there.book.embedded) {
            there.book.path = baggage.take(sha256, &there.book.path)?;
        }
        for engine in &mut there.engines {
            baggage.take_engine(engine)?;
        }
        Ok((baggage, there))
    }

    fn take(&mut self, key: &str, file: &Path) -> Result<PathBuf> {
        let name = file.file_name().map_or_else(|| "file".into(), |name| name.to_string_lossy());
        let place = format!("{key}/{name}");
        self.files.insert(place.clone(), (file.to_owned(), facts_of(file)?));
        Ok(Path::new(CACHE).join(place))
    }

    /// Each engine has its own folder, with the files that it may look for beside its program.
    fn take_engine(&mut self, engine: &mut EngineConfig) -> Result<()> {
        let name = engine.name.clone();
        if engine.dir.take().is_some_and(|dir| Some(dir.as_path()) != engine.program.parent()) {
            bail!("--on: engine `{name}`: expected no working folder, which another machine does not have");
        }
        let sums = engine.files.iter().map(|file| file.sha256.clone());
        let sums: Vec<String> = engine.sha256.iter().cloned().chain(sums).collect();
        let key = file_record::sha256_of_bytes(sums.concat().as_bytes());
        engine.program = self.take(&key, &engine.program)?;
        engine.stderr = None;
        if let Some(book) = &mut engine.book {
            book.path = self.take(&key, &book.path)?;
        }
        for file in &mut engine.files {
            if file.path.is_dir() {
                continue;
            }
            let there = self.take(&key, &file.path)?;
            let new = there.to_string_lossy();
            if let Some(option) = file.role.strip_prefix("option ") {
                let set = engine.options.iter_mut().filter(|set| set.name.eq_ignore_ascii_case(option));
                set.for_each(|set| set.value = Some(new.to_string()));
            }
            for arg in &mut engine.args {
                let value = arg.split_once('=').map_or(&arg[..], |(_, value)| value);
                if file.role.contains(&format!("`{arg}`")) {
                    *arg = format!("{}{new}", &arg[..arg.len() - value.len()]);
                }
            }
            file.path = there;
        }
        Ok(())
    }
}

/// The properties that a file must have on the machine.
fn facts_of(file: &Path) -> Result<Facts> {
    let found = fs::metadata(file).with_context(|| file.display().to_string())?;
    #[cfg(unix)]
    let mode = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o777;
    #[cfg(not(unix))]
    let mode = 0o755;
    Ok(Facts { sha256: file_record::sha256(file)?, length: found.len(), mode })
}

/// Stands for the cache folder, which is in a different place on each machine.
pub(super) const CACHE: &str = "/arbiter-cache-of-this-machine";
