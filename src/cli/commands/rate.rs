//! `arbiter rate PGN…`: ratings for many players.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use crate::cli::error::{Blame, CliResult};
use crate::cli::{ExitCode, console as terminal};
use crate::process::nearest_name;
use crate::report::{EncounterTable, RatingReport, RatingText};
use crate::runner::{Event, GameRecord, JOURNAL_FILE, Journal};
use crate::stats::Elo;

/// What a run folder has instead of its journal when the journal was not kept.
const GAMES_FILE: &str = "games.pgn";

/// The arguments of `arbiter rate`.
#[derive(Debug, Args)]
pub struct RateArgs {
    /// PGN files, of which only the tags are read, and run folders
    #[arg(required = true, value_name = "PGN|DIR")]
    sources: Vec<PathBuf>,

    /// Give a player a rating that the others are relative to; several anchors are kept where they are
    #[arg(long = "anchor", value_name = "NAME=ELO")]
    anchors: Vec<Anchor>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A player whose rating is known.
#[derive(Clone, Debug)]
struct Anchor {
    name: String,
    rating: f64,
}

impl FromStr for Anchor {
    type Err = String;

    fn from_str(text: &str) -> Result<Anchor, String> {
        let parts =
            text.rsplit_once('=').and_then(|(name, rating)| Some((name, rating.parse::<f64>().ok()?)));
        match parts {
            Some((name, rating)) if rating.is_finite() && !name.is_empty() => {
                Ok(Anchor { name: name.to_owned(), rating })
            }
            _ => Err("expected the name of a player and its rating, such as Tarrasch=2500".to_owned()),
        }
    }
}

impl RateArgs {
    /// Reads all games, then rates the players.
    pub fn run(self) -> CliResult {
        let table = self.read().usage()?;
        let anchors = self.anchors(&table).usage()?;
        let report = RatingReport::new(&table, &anchors);
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &report).fault()?;
            writeln!(out).fault()?;
        } else {
            let colour = terminal::wants_colour(&out);
            write!(out, "{}", RatingText::new(&report, colour)).fault()?;
        }
        Ok(ExitCode::Done)
    }

    fn read(&self) -> anyhow::Result<EncounterTable> {
        let mut table = EncounterTable::default();
        for source in &self.sources {
            let games = source.join(GAMES_FILE);
            if !source.is_dir() {
                add_pgn(&mut table, source)?;
            } else if source.join(JOURNAL_FILE).is_file() {
                add_run(&mut table, &source.join(JOURNAL_FILE))?;
            } else if games.is_file() {
                add_pgn(&mut table, &games)?;
            } else {
                bail!(
                    "{}: expected a PGN file, or a run folder with {JOURNAL_FILE} or {GAMES_FILE}",
                    source.display()
                );
            }
        }
        if table.games() == 0 {
            let skipped = table.skipped().total();
            bail!("expected games with players and results to rate, found none ({skipped} were left out)");
        }
        Ok(table)
    }

    /// The ratings that are given, by the index of the player.
    fn anchors(&self, table: &EncounterTable) -> anyhow::Result<BTreeMap<usize, Elo>> {
        let mut anchors = BTreeMap::new();
        for Anchor { name, rating } in &self.anchors {
            let Some(player) = table.index_of(name) else {
                let hint = nearest_name(name, table.players());
                let hint = hint.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
                bail!("--anchor `{name}`: expected a player of these games{hint}");
            };
            if anchors.insert(player, Elo::new(*rating)).is_some() {
                bail!("--anchor `{name}`: expected one rating for the player, found two");
            }
        }
        Ok(anchors)
    }
}

fn add_pgn(table: &mut EncounterTable, file: &Path) -> anyhow::Result<()> {
    let text = fs::read(file).with_context(|| file.display().to_string())?;
    table.add_pgn(&text).map_err(|error| anyhow!("{}, {error}", file.display()))
}

/// Adds the games of a journal. A game that is there twice, as an interruption may leave it, counts once.
fn add_run(table: &mut EncounterTable, path: &Path) -> anyhow::Result<()> {
    let events = Journal::read(path)?;
    let Some(Event::RunStarted { config, .. }) = events.first() else {
        bail!("{}, line 1: expected the start of a run", path.display());
    };
    let mut seen = HashSet::new();
    let games: Vec<&GameRecord> = events
        .iter()
        .filter_map(|event| match event {
            Event::GameFinished(game) => Some(&**game),
            _ => None,
        })
        .filter(|game| !game.is_counted() || seen.insert(game.game))
        .collect();
    // An abandoned game that was played again later is no game that is left out.
    table.add_run(config, games.into_iter().filter(|game| game.is_counted() || !seen.contains(&game.game)));
    Ok(())
}
