//! `list.toml`: the conditions and the engines of a list.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::files::{StateFile, new_file};
use crate::text::number_text::{limits_of_run, rules_of_run};
use runner::{EngineConfig, RunConfig, exclusive_file};

const RUNS: &str = "runs";

/// The games of a run that was imported.
pub const GAMES: &str = "games.pgn";

const LOCK: &str = "list.lock";

/// How long a process waits for another one that may only be choosing games.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// The folder of the round that several machines play, until all of its games are here.
pub const ROUND: &str = "round";

/// The conditions and the engines of a rating list. What was played is in the run folders in `runs`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListFile {
    pub schema: u32,
    /// The settings of all engines, as typed.
    pub each: Vec<String>,
    /// The ratings that are given, in Elo.
    #[serde(default)]
    pub anchors: BTreeMap<String, f64>,
    /// The standard errors of those that are not fixed, in Elo.
    #[serde(default)]
    pub anchor_errors: BTreeMap<String, f64>,
    /// The runs that do not count, by the names of their folders, and why.
    #[serde(default)]
    pub excluded: BTreeMap<String, String>,
    /// The runs whose games were played elsewhere, and the statement of their conditions.
    #[serde(default)]
    pub imported: BTreeMap<String, String>,
    /// Names of players in runs, and the engines that they are.
    #[serde(default)]
    pub names: BTreeMap<String, String>,
    /// Engines that stay in the list and play no more.
    #[serde(default)]
    pub retired: Vec<RetiredEngine>,
    /// The conditions, and the engines that play.
    pub run: RunConfig,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetiredEngine {
    pub reason: String,
    pub engine: EngineConfig,
}

impl StateFile for ListFile {
    const SCHEMA: u32 = 1;
    const FILE: &str = "list.toml";
}

impl ListFile {
    /// A list without engines.
    pub fn of(each: Vec<String>, run: RunConfig) -> ListFile {
        ListFile { schema: ListFile::SCHEMA, each, run, ..ListFile::default() }
    }

    /// Reads the list in a folder.
    pub fn of_folder(folder: &Path) -> Result<ListFile> {
        if !ListFile::path(folder).is_file() {
            let shown = folder.display();
            bail!(
                "{shown}: expected a rating list, found no list.toml; begin one with: arbiter list new {shown}"
            );
        }
        ListFile::read(folder)
    }

    /// `50 nodes per move; openings balanced.epd, seed 7; no adjudication; Intel Xeon`.
    pub fn conditions(&self) -> String {
        let run = RunConfig { engines: Vec::new(), ..self.run.clone() };
        let book = format!("openings {}, seed {}", name_of(&run.book.path), run.book.seed);
        let rules = rules_of_run(&run).unwrap_or_else(|| "no adjudication".to_owned());
        let cpu = run.made.iter().map(|made| made.cpu.clone());
        let parts = [limits_of_run(&run), book, rules].into_iter();
        parts.chain(self.each.iter().cloned()).chain(cpu).collect::<Vec<_>>().join("; ")
    }

    /// The engines and runs that are left out, each with the reason, and what else is particular.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let retired = self.retired.iter().map(|it| format!("retired: {}: {}", it.engine.name, it.reason));
        let excluded = self.excluded.iter().map(|(run, reason)| format!("excluded: run {run}: {reason}"));
        let imported = self.imported.iter().map(|(run, stated)| format!("imported: run {run}: {stated}"));
        let names = self.names.iter().map(|(theirs, ours)| format!("{theirs} is {ours}"));
        retired.chain(excluded).chain(imported).chain(names)
    }

    /// The configuration of a run with the present names of its engines.
    pub fn with_present_names(&self, mut config: RunConfig) -> RunConfig {
        for engine in &mut config.engines {
            if let Some(name) = self.names.get(&engine.name) {
                engine.name.clone_from(name);
            }
        }
        config
    }

    pub fn is_player(&self, name: &str) -> bool {
        self.all_engines().any(|engine| engine.name == name)
    }

    pub fn check_player(&self, name: &str) -> Result<()> {
        let names = || self.players().join(", ");
        ensure!(self.is_player(name), "{name}: expected an engine of the list: {}", names());
        Ok(())
    }

    /// Renames an engine. Earlier runs keep its old name.
    pub fn rename(&mut self, old: &str, new: &str) -> Result<()> {
        self.check_player(old)?;
        ensure!(!self.is_player(new), "{new}: the list has an engine of this name");
        self.names.retain(|theirs, ours| theirs != new || ours != old);
        self.check_unused(new)?;
        let retired = self.retired.iter_mut().map(|it| &mut it.engine);
        for engine in self.run.engines.iter_mut().chain(retired).filter(|engine| engine.name == old) {
            new.clone_into(&mut engine.name);
        }
        self.names.values_mut().filter(|ours| *ours == old).for_each(|ours| new.clone_into(ours));
        self.names.insert(old.to_owned(), new.to_owned());
        for given in [&mut self.anchors, &mut self.anchor_errors] {
            given.remove(old).map(|elo| given.insert(new.to_owned(), elo));
        }
        Ok(())
    }

    fn check_unused(&self, name: &str) -> Result<()> {
        let used = self.names.get(name);
        let of = used.map_or("", String::as_str);
        ensure!(used.is_none(), "{name}: games of earlier runs have this name for {of}; choose another");
        Ok(())
    }

    /// The names of all players: the engines that play, and then the retired ones.
    pub fn players(&self) -> Vec<String> {
        self.all_engines().map(|engine| engine.name.clone()).collect()
    }

    pub fn all_engines(&self) -> impl Iterator<Item = &EngineConfig> {
        self.run.engines.iter().chain(self.retired.iter().map(|retired| &retired.engine))
    }

    /// For each engine with versions, `NAME@REVISION`, the dates of their commits and their names, the oldest first.
    pub fn versions(&self) -> BTreeMap<&str, BTreeSet<(Timestamp, &str)>> {
        let mut engines: BTreeMap<&str, BTreeSet<_>> = BTreeMap::new();
        for engine in self.all_engines() {
            if let (Some((name, _)), Some(date)) = (engine.name.split_once('@'), engine.committed) {
                engines.entry(name).or_default().insert((date, &engine.name[..]));
            }
        }
        engines
    }

    /// The players of which one is the next version of the other, by their indices.
    pub fn next_versions(&self) -> Vec<(usize, usize)> {
        let players = self.players();
        let place = |name: &str| players.iter().position(|player| player == name);
        let of_engine = |versions: BTreeSet<(Timestamp, &str)>| {
            let places: Vec<usize> = versions.into_iter().filter_map(|(_, name)| place(name)).collect();
            places.windows(2).map(|two| (two[0], two[1])).collect::<Vec<_>>()
        };
        self.versions().into_values().flat_map(of_engine).collect()
    }

    /// The index of an engine that plays.
    pub fn index_of(&self, name: &str) -> Result<usize> {
        let found = self.run.engines.iter().position(|engine| engine.name == name);
        found.with_context(|| {
            let names: Vec<&str> = self.run.engines.iter().map(|engine| engine.name.as_str()).collect();
            format!("engine `{name}`: expected an engine that plays in the list: {}", names.join(", "))
        })
    }

    /// Takes an engine out of play. Its games and its rating stay.
    pub fn retire(&mut self, engine: usize, reason: String) {
        let engine = self.run.engines.remove(engine);
        self.retired.push(RetiredEngine { reason, engine });
    }

    /// Adds an engine, or brings back one that was retired.
    pub fn add(&mut self, engine: EngineConfig) -> Result<()> {
        let name = &engine.name;
        self.check_unused(name)?;
        if let Some(place) = self.retired.iter().position(|retired| retired.engine == engine) {
            self.retired.remove(place);
        } else if self.is_player(name) {
            bail!(
                "engine `{name}`: the list has an engine of this name, whose games are those of one program with one set of \
                 options; give this one a name of its own: --engine \"cmd={} name={name}-2\"",
                engine.program.display()
            );
        }
        self.run.engines.push(engine);
        Ok(())
    }

    /// The folders of the runs that have begun, in their order, without the excluded ones.
    pub fn run_folders(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let runs = folder.join(RUNS);
        let entries = runs.read_dir().into_iter().flatten();
        let paths: std::io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
        let mut found = paths.with_context(|| runs.display().to_string())?;
        found.retain(|path| is_run(path) && !self.excluded.contains_key(&name_of(path)));
        found.sort();
        Ok(found)
    }

    /// The folder of the next run.
    pub fn next_folder(folder: &Path) -> PathBuf {
        let path = |number: u32| ListFile::folder_of_run(folder, &format!("{number:04}"));
        let is_free = |number: &u32| !is_run(&path(*number));
        path((1..=u32::MAX).find(is_free).unwrap_or(u32::MAX))
    }

    pub fn folder_of_run(folder: &Path, name: &str) -> PathBuf {
        folder.join(RUNS).join(name)
    }

    /// Reads the list in a folder, and keeps other processes from changing it or choosing its next games as long as the file
    /// lives. If another process does so, it is waited for.
    pub fn hold(folder: &Path, patience: Duration) -> Result<(ListFile, File)> {
        ListFile::of_folder(folder)?;
        let (path, asked) = (folder.join(LOCK), Instant::now());
        loop {
            if let Some(lock) =
                exclusive_file::open(&path, false).with_context(|| path.display().to_string())?
            {
                return Ok((ListFile::of_folder(folder)?, lock));
            }
            ensure!(
                asked.elapsed() < patience,
                "{}: another arbiter process uses this list; wait for it, or stop it",
                folder.display()
            );
        }
    }
}

/// Whether a folder has a run that has begun, or was imported.
fn is_run(folder: &Path) -> bool {
    new_file::is_run(folder) || folder.join(GAMES).is_file()
}

pub fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
