//! `arbiter merge DIR… --out DIR`: merges the run folders of shards.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use jiff::Timestamp;
use serde_json::Value;

use crate::cli::{CliError, CliResult, OrExitCode, console, show, stdout};
use crate::files::new_file;
use crate::folder::RunFolder;
use crate::report::result;
use crate::report::verdict::Verdict;
use crate::results::{Observer, RunResults, RunState};
use crate::run::{machines, playing};
use crate::text::number_text::counted;
use runner::untrusted_files::refuse_link;
use runner::{
    BAD_GAMES_FOLDER, Event, FinishReason, GAME_LOGS_FOLDER, GameRecord, JOURNAL_FILE, Journal, Machine,
    Machines, PoolConfig, PoolDecision, RunConfig, RunJournal, Schedule, Shard, WarningKind,
};
use stats::Observations;

/// The first field of `run.toml` that makes two configurations play different games, with both values. Ignores
/// [what may differ between machines](RunConfig::essence_of_all_shards).
pub(super) fn difference(first: &RunConfig, second: &RunConfig) -> Option<String> {
    let [first, second] = [first, second]
        .map(|config| serde_json::to_value(config.essence_of_all_shards()).unwrap_or_default());
    different_field("", &first, &second)
}

fn different_field(place: &str, first: &Value, second: &Value) -> Option<String> {
    let below = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (first, second) {
        _ if first == second => None,
        (Value::Object(one), Value::Object(other)) => {
            let keys = one.keys().chain(other.keys().filter(|key| !one.contains_key(*key)));
            keys.into_iter().find_map(|key| {
                let value = |map: &serde_json::Map<String, Value>| map.get(key).cloned().unwrap_or_default();
                different_field(&below(key), &value(one), &value(other))
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut pairs = one.iter().zip(other).enumerate();
            pairs.find_map(|(index, (one, other))| {
                different_field(&format!("{place}[{}]", index + 1), one, other)
            })
        }
        _ => Some(format!("{place}: {} and {}", text(first), text(second))),
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => format!("`{text}`"),
        other => other.to_string(),
    }
}

pub(super) fn shown(folder: &Path) -> String {
    folder.display().to_string()
}

const LISTED_GAPS: usize = 10;

#[derive(Debug, Default)]
pub(super) struct Shards {
    pub(super) config: Arc<RunConfig>,
    started: Timestamp,
    games: BTreeMap<u32, (GameRecord, usize)>,
    warnings: Vec<Event>,
    /// The first verdict of a pool, and when it was first known; `None` if the shards had no pool or it did not decide.
    decided: Option<(PoolDecision, Timestamp)>,
    /// The games that the verdict rests on but that no folder has: the number of each shard, and how many.
    lost: Vec<(u32, u32)>,
    /// Why the recorded verdict is not valid.
    doubt: Option<String>,
    machines: Machines,
}

impl Shards {
    pub(super) fn read(folders: &[PathBuf]) -> Result<Shards> {
        let mut shards: Option<Shards> = None;
        let mut played: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut warned: BTreeSet<(usize, WarningKind)> = BTreeSet::new();
        for (index, folder) in folders.iter().enumerate() {
            let RunJournal { config, started, events } = RunJournal::open(folder)?;
            let mut here = Machines::of_run(&config);
            let shards = shards.get_or_insert_with(|| Shards {
                config: Arc::new(RunConfig {
                    shard: None,
                    pool: None,
                    scale: config.essence().scale,
                    ..(*config).clone()
                }),
                started,
                ..Shards::default()
            });
            if let Some(field) = difference(&shards.config, &config) {
                bail!("{}: not the same run as {}: {field}", shown(folder), shown(&folders[0]));
            }
            shards.started = shards.started.min(started);
            let played = played.entry(config.shard.map_or(0, Shard::number)).or_default();
            for event in events {
                let event = event.with_context(|| shown(folder))?;
                here.update(&event);
                match event {
                    Event::GameFinished(mut game) if game.is_counted() => {
                        game.machine = shards.join(here.0.get(&game.machine), folder)?;
                        played.push(game.game);
                        shards.add(*game, index, folders)?;
                    }
                    Event::PoolDecided { decision, at } => {
                        let known = shards.decided.take();
                        let (first, when) = known.unwrap_or_else(|| ((*decision).clone(), at));
                        shards.decided = Some((first.first(*decision), when.min(at)));
                    }
                    Event::EngineWarning { engine, kind, .. } if !warned.insert((engine, kind)) => {}
                    warning @ Event::EngineWarning { .. } => shards.warnings.push(warning),
                    _ => {}
                }
            }
        }
        let mut shards = shards.context("expected at least one run folder")?;
        if let Some(doubt) = shards.doubt_of_verdict(&played) {
            (shards.doubt, shards.decided) = (Some(doubt), None);
        }
        shards.leave_out_what_came_later(&played);
        Ok(shards)
    }

    /// The evidence against the verdict of the pool: its counts do not support it, or they do not fit the games that it
    /// names. Missing games are no evidence.
    fn doubt_of_verdict(&self, played: &BTreeMap<u32, Vec<u32>>) -> Option<String> {
        let (decision, _) = self.decided.as_ref()?;
        let before = Schedule::new(&RunConfig { pool: Some(PoolConfig::PIPE), ..(*self.config).clone() });
        let (mut here, mut all_here) = (Observations::none(self.config.trinomial), true);
        for &(shard, games) in &decision.games {
            let numbers = played.get(&shard).map_or(&[][..], Vec::as_slice);
            all_here &= numbers.len() >= games as usize;
            let mut schedule = before.clone();
            for number in numbers.iter().take(games as usize) {
                self.games.get(number).map(|(game, _)| schedule.add(game));
            }
            here = here + schedule.own_counts().1;
        }
        let is_told = before.clone().decide(decision);
        let (told, found) = (counts(&decision.counts), counts(&here));
        let fits = told.len() == found.len() && found.iter().zip(&told).all(|(found, told)| found <= told);
        (!is_told || !fits || all_here && found != told).then(|| {
            format!("the recorded verdict has the counts {told:?}, but the games that it names have {found:?}: they give no verdict")
        })
    }

    /// If the pool decided, only the games that the verdict rests on count. `played` has the games of each shard in the
    /// order of its journal, where games that ended after the verdict come last.
    fn leave_out_what_came_later(&mut self, played: &BTreeMap<u32, Vec<u32>>) {
        let Some((decision, _)) = &self.decided else { return };
        for (shard, games) in played {
            for game in games.iter().skip(decision.games_of(*shard) as usize) {
                self.games.entry(*game).and_modify(|(game, _)| game.after_decision = true);
            }
        }
        let found = |shard: &u32| played.get(shard).map_or(0, |games| games.len() as u32);
        let lost = decision.games.iter().map(|(shard, games)| (*shard, games.saturating_sub(found(shard))));
        self.lost = lost.filter(|(_, games)| *games > 0).collect();
    }

    /// Adds a machine, and returns its index. Its benches must match the other machines' benches.
    fn join(&mut self, machine: Option<&Machine>, folder: &Path) -> Result<u32> {
        let mut machine = machine.cloned().unwrap_or_default();
        if machine.name.is_empty() {
            machine.name = shown(folder);
        }
        machines::compare(&self.machines, &machine, &self.config).with_context(|| shown(folder))?;
        Ok(self.machines.join(&machine))
    }

    fn add(&mut self, mut game: GameRecord, folder: usize, folders: &[PathBuf]) -> Result<()> {
        let number = game.game + 1;
        // Without a pool, shards do not stop at a verdict. If such a run is merged nevertheless, all of its games count.
        game.after_decision = false;
        match self.games.get(&game.game) {
            // A crash can leave a game twice in one journal.
            Some((_, known)) if *known == folder => Ok(()),
            Some((_, known)) => {
                bail!("game {number} is in {} and in {}", shown(&folders[*known]), shown(&folders[folder]))
            }
            None => {
                self.games.insert(game.game, (game, folder));
                Ok(())
            }
        }
    }

    /// Warnings about the verdict.
    fn warnings(&self) -> impl Iterator<Item = String> {
        let lost = self.lost.iter().map(|(shard, games)| {
            format!(
                "the verdict rests on {} of shard {shard} that {} in none of these folders",
                counted((*games).into(), "game"),
                if *games == 1 { "is" } else { "are" }
            )
        });
        self.doubt.clone().into_iter().chain(lost)
    }

    /// Why a tuning has ended before all of its games.
    fn tuned(&self) -> Option<FinishReason> {
        self.config.spsa.as_ref()?;
        let mut schedule = Schedule::new(&self.config);
        for game in self.games() {
            schedule.add(game);
        }
        schedule.verdict().cloned()
    }

    pub(super) fn gaps(&self) -> Option<String> {
        if self.decided.is_some() || self.tuned().is_some() {
            return None;
        }
        let schedule = Schedule::new(&self.config);
        let missing: Vec<u32> =
            schedule.to_play().games().filter(|game| !self.games.contains_key(game)).collect();
        let (first, rest) = missing.split_at(missing.len().min(LISTED_GAPS));
        let listed: Vec<String> = first.iter().map(|game| (game + 1).to_string()).collect();
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let (count, all) = (missing.len(), schedule.games());
        (count > 0).then(|| format!("{count} of {all} games are missing: {}{more}", listed.join(", ")))
    }

    pub(super) fn events(&self) -> Vec<Event> {
        let games = Schedule::new(&self.config).games();
        let start = Event::RunStarted { config: Arc::clone(&self.config), games, at: self.started };
        let ended = self.games.values().map(|(game, _)| game.ended()).max().unwrap_or(self.started);
        let reason = match (&self.decided, self.tuned()) {
            (Some((decision, _)), _) => decision.reason.clone(),
            (_, Some(reason)) => reason,
            _ if self.gaps().is_some() => FinishReason::GamesMissing,
            _ => FinishReason::AllGamesPlayed,
        };
        let decided = self
            .decided
            .clone()
            .map(|(decision, at)| Event::PoolDecided { decision: Box::new(decision), at });
        let finished = self.games.values().map(|(game, _)| Event::GameFinished(Box::new(game.clone())));
        let joined = self.machines.0.iter().map(|(&number, machine)| Event::MachineJoined {
            number,
            machine: machine.clone(),
            at: self.started,
        });
        [start]
            .into_iter()
            .chain(joined)
            .chain(self.warnings.iter().cloned())
            .chain(finished)
            .chain(decided)
            .chain([Event::RunFinished { reason, at: ended }])
            .collect()
    }

    pub(super) fn games(&self) -> impl Iterator<Item = &GameRecord> {
        self.games.values().map(|(game, _)| game)
    }
}

#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Run folders of the shards of one run (--shard)
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,

    /// New run folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

impl MergeArgs {
    pub fn run(self) -> CliResult {
        new_file::check_out(&self.out).usage()?;
        Merged::of(&self.folders, &self.out, None)?.conclude(false)
    }
}

/// A merged run.
#[derive(Debug)]
pub struct Merged {
    shards: Shards,
    pub run: RunResults,
}

impl Merged {
    /// Merges shards into a new folder. `begun` is the run as this machine began it, if it did: the merged run has its paths.
    pub fn of(folders: &[PathBuf], out: &Path, begun: Option<&RunConfig>) -> Result<Merged, CliError> {
        let mut shards = Shards::read(folders).usage()?;
        if let Some(RunConfig { engines, book, values_test, .. }) = begun.cloned() {
            let config = RunConfig::clone(&shards.config);
            shards.config = Arc::new(RunConfig { engines, book, values_test, ..config });
        }
        let state = write(&shards, out)?;
        for folder in folders {
            copy_logs(folder, out).of_path()?;
        }
        Ok(Merged { shards, run: RunResults::of(state, out) })
    }

    /// Writes the page, prints the result unless it `is_quiet`, and warns of what is missing.
    pub fn conclude(self, is_quiet: bool) -> CliResult {
        let Merged { shards, run } = self;
        let out = run.folder.clone();
        if !is_quiet {
            // A closed pipe is no error, because everything is in the folder.
            let _ = show(result::summary(&run.summary, Some(&run.config)));
            let _ = writeln!(stdout(), "\n  saved in {}", out.display());
            playing::append_run(&run);
        }
        for warning in shards.warnings() {
            console::note(&format!("warning: {warning}"));
        }
        let judged = match Verdict::of_tests(&run.summary) {
            _ if shards.doubt.is_some() => Verdict::CannotTell,
            judged => judged.unwrap_or(Verdict::Same),
        };
        playing::write_report(run);
        if let Some(gaps) = shards.gaps() {
            console::note(&format!("warning: {gaps}; play them with: arbiter resume {}", out.display()));
            return Ok(Verdict::CannotTell.exit_code());
        }
        Ok(judged.exit_code())
    }
}

/// Checks that folders are shards of one run; the error says why they are not.
pub(super) fn can_be(folders: &[PathBuf]) -> Result<()> {
    Shards::read(folders).map(drop)
}

fn counts(observations: &Observations) -> Vec<u64> {
    match observations {
        Observations::Pairs(pairs) => pairs.counts().to_vec(),
        Observations::Games(games) => vec![games.losses, games.draws, games.wins],
    }
}

fn write(shards: &Shards, folder: &Path) -> Result<RunState, CliError> {
    let events = shards.events();
    let mut state = RunState::new(shards.config.clone()).with_facts();
    RunFolder::create(folder, &state).of_path()?;
    Journal::create(&folder.join(JOURNAL_FILE)).of_path()?.append(&events).fault()?;
    for event in &events {
        state.update(event);
    }
    let mut files = RunFolder::resume(folder, &state, shards.games()).fault()?;
    match events.last() {
        Some(last) if shards.decided.is_some() => files.on_event(last, &state).fault()?,
        Some(last) => files.save_state(&state, last),
        None => {}
    }
    Ok(state)
}

fn copy_logs(from: &Path, to: &Path) -> io::Result<()> {
    for folder in [BAD_GAMES_FOLDER, GAME_LOGS_FOLDER] {
        let (from, to) = (from.join(folder), to.join(folder));
        // The sender of the folder may have put in links to our files.
        let Ok(logs) = refuse_link(&from).and_then(|()| fs::read_dir(&from)) else { continue };
        fs::create_dir_all(&to)?;
        for log in logs {
            let log = log?;
            if log.file_type()?.is_file() {
                fs::copy(log.path(), to.join(log.file_name()))?;
            }
        }
    }
    Ok(())
}
