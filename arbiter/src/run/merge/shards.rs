//! The shards of one run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use runner::{Event, FinishReason, GameRecord, RunConfig, RunJournal, Schedule, WarningKind};

use super::same_run::{difference, shown};

/// The maximum number of missing games in a message.
const LISTED_GAPS: usize = 10;

/// The games of all shards.
#[derive(Debug)]
pub(super) struct Shards {
    /// The configuration of the whole run.
    pub(super) config: RunConfig,
    started: Timestamp,
    /// The games by index, each with its folder.
    games: BTreeMap<u32, (GameRecord, usize)>,
    warnings: Vec<Event>,
}

impl Shards {
    /// Reads the folders.
    ///
    /// # Errors
    /// A folder is not a run folder, belongs to another run, or has a game of another folder.
    pub(super) fn read(folders: &[PathBuf]) -> Result<Shards> {
        let mut shards: Option<Shards> = None;
        let mut warned: BTreeSet<(usize, WarningKind)> = BTreeSet::new();
        for (index, folder) in folders.iter().enumerate() {
            let RunJournal { config, started, events } = RunJournal::open(folder)?;
            let shards = shards.get_or_insert_with(|| Shards {
                config: RunConfig { shard: None, ..(*config).clone() },
                started,
                games: BTreeMap::new(),
                warnings: Vec::new(),
            });
            if let Some(field) = difference(&shards.config, &config) {
                bail!("{}: not the same run as {}: {field}", shown(folder), shown(&folders[0]));
            }
            shards.started = shards.started.min(started);
            for event in events {
                match event.with_context(|| shown(folder))? {
                    Event::GameFinished(game) if game.is_counted() => shards.add(*game, index, folders)?,
                    Event::EngineWarning { engine, kind, .. } if !warned.insert((engine, kind)) => {}
                    warning @ Event::EngineWarning { .. } => shards.warnings.push(warning),
                    _ => {}
                }
            }
        }
        shards.context("expected at least one run folder")
    }

    fn add(&mut self, mut game: GameRecord, folder: usize, folders: &[PathBuf]) -> Result<()> {
        let number = game.game + 1;
        // Shards do not stop at a verdict; a run that did and is merged has all its games counted.
        game.after_decision = false;
        match self.games.get(&game.game) {
            // A crash leaves it twice in one journal.
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

    /// The missing games as text; `None` if there are none.
    pub(super) fn gaps(&self) -> Option<String> {
        let schedule = Schedule::new(&self.config);
        let missing: Vec<u32> = schedule.to_play().filter(|game| !self.games.contains_key(game)).collect();
        let (first, rest) = missing.split_at(missing.len().min(LISTED_GAPS));
        let listed: Vec<String> = first.iter().map(|game| (game + 1).to_string()).collect();
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        let (count, all) = (missing.len(), schedule.games());
        (count > 0).then(|| format!("{count} of {all} games are missing: {}{more}", listed.join(", ")))
    }

    /// The journal of the run: its games in the order of the schedule.
    pub(super) fn events(&self) -> Vec<Event> {
        let games = Schedule::new(&self.config).games();
        let start = Event::RunStarted { config: Box::new(self.config.clone()), games, at: self.started };
        let ended = self.games.values().map(|(game, _)| game.ended()).max().unwrap_or(self.started);
        let reason =
            if self.gaps().is_some() { FinishReason::GamesMissing } else { FinishReason::AllGamesPlayed };
        let finished = self.games.values().map(|(game, _)| Event::GameFinished(Box::new(game.clone())));
        [start]
            .into_iter()
            .chain(self.warnings.iter().cloned())
            .chain(finished)
            .chain([Event::RunFinished { reason, at: ended }])
            .collect()
    }

    /// The games in the order of the schedule.
    pub(super) fn games(&self) -> impl Iterator<Item = &GameRecord> {
        self.games.values().map(|(game, _)| game)
    }
}
