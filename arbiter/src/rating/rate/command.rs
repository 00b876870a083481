//! `arbiter rate PGN…`: a rating list, as Ordo makes it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::bail;
use clap::Args;
use regex_lite::Regex;

use crate::cli::{CliResult, ExitCode, OrExitCode, answer, distinct_paths};
use crate::rating::{RatedGames, RepeatedGames};
use crate::results::RatingList;
use crate::text::number_text::counted;
use runner::process::nearest_name;
use runner::{JOURNAL_FILE, JournalReader};
use stats::Elo;
use stats::ratings;

/// The file that is read if a run folder has no journal.
const GAMES_FILE: &str = "games.pgn";

#[derive(Debug, Args)]
pub struct RateArgs {
    /// PGN files and run folders
    ///
    /// PGN files are read for their tags, book moves (to find pairs) and moves (to find repeated games). Legality and
    /// other comments do not matter.
    #[arg(required = true, value_name = "PGN|DIR")]
    sources: Vec<PathBuf>,

    /// Give the rating of a player, with its standard error if it is not fixed; the other ratings are relative to the anchors
    #[arg(long = "anchor", value_name = "NAME=ELO[,ERROR]")]
    anchors: Vec<AnchorArg>,

    /// List only players with at least N games
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_games: u64,

    /// List only players whose name matches this regular expression; may be repeated
    #[arg(long, value_name = "PATTERN")]
    only: Vec<Regex>,

    /// Leave out players whose name matches this regular expression; may be repeated
    #[arg(long, value_name = "PATTERN")]
    exclude: Vec<Regex>,

    /// List the first N of these players
    ///
    /// Games of unlisted players still count for the ratings of the others.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,

    /// How to count games that repeat an earlier one move for move: once, or each time, as Ordo does
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    repeats: RepeatedGames,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Debug)]
pub struct AnchorArg {
    pub name: String,
    pub rating: f64,
    /// The standard error in Elo; 0 if the rating is fixed.
    pub error: f64,
}

impl FromStr for AnchorArg {
    type Err = String;

    fn from_str(text: &str) -> Result<AnchorArg, String> {
        let parts = text.rsplit_once('=').and_then(|(name, given)| {
            let (rating, error) = given.split_once(',').unwrap_or((given, "0"));
            Some((name, rating.parse::<f64>().ok()?, error.parse::<f64>().ok()?))
        });
        match parts {
            Some((name, rating, error))
                if rating.is_finite() && error.is_finite() && error >= 0.0 && !name.is_empty() =>
            {
                Ok(AnchorArg { name: name.to_owned(), rating, error })
            }
            _ => {
                Err("expected NAME=ELO or NAME=ELO,ERROR, such as Tarrasch=2500 or Tarrasch=2500,15"
                    .to_owned())
            }
        }
    }
}

impl RateArgs {
    pub fn run(mut self) -> CliResult {
        self.sources = distinct_paths(self.sources);
        let table = self.read().usage()?;
        let anchors = self.anchors(&table).usage()?;
        let mut list = table.list(&anchors);
        self.select(&mut list).usage()?;
        answer(&list, self.json, RatingList::document)?;
        Ok(ExitCode::Done)
    }

    fn read(&self) -> anyhow::Result<RatedGames> {
        let mut table = RatedGames::of(self.sources.len(), self.repeats);
        for source in &self.sources {
            add(&mut table, source)?;
        }
        table.note_differences();
        if table.games() == 0 {
            let excluded = counted(table.excluded.total(), "game");
            bail!("expected games with two players and a result, found none ({excluded} excluded)");
        }
        Ok(table)
    }

    fn select(&self, list: &mut RatingList) -> anyhow::Result<()> {
        let is_named = |patterns: &[Regex], name: &str| patterns.iter().any(|pattern| pattern.is_match(name));
        list.keep(self.top.map_or(usize::MAX, |top| top as usize), |player| {
            player.rated.results.games() >= self.min_games
                && (self.only.is_empty() || is_named(&self.only, &player.name))
                && !is_named(&self.exclude, &player.name)
        });
        if list.players.is_empty() {
            let players = counted(list.unlisted, "player");
            bail!(
                "--min-games, --only, --exclude: expected to leave a player, but none of {players} is left"
            );
        }
        Ok(())
    }

    fn anchors(&self, table: &RatedGames) -> anyhow::Result<BTreeMap<usize, ratings::Anchor>> {
        let mut anchors = BTreeMap::new();
        for AnchorArg { name, rating, error } in &self.anchors {
            let Some(player) = table.index_of(name) else {
                let hint = nearest_name(name, table.players());
                let hint = hint.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default();
                bail!("--anchor {name}: expected a player of these games{hint}");
            };
            let anchor = ratings::Anchor { elo: Elo::new(*rating), error: *error };
            if anchors.insert(player, anchor).is_some() {
                bail!("--anchor {name}: expected one rating for the player, found two");
            }
        }
        Ok(anchors)
    }
}

/// Adds a PGN file, or a run folder by its journal (compressed or not), or by its games.pgn if it has no journal.
fn add(table: &mut RatedGames, source: &Path) -> anyhow::Result<()> {
    let games = source.join(GAMES_FILE);
    if !source.is_dir() {
        table.read_pgn_once(source)?;
    } else if JournalReader::is_in(source) {
        table.read_run(source)?;
    } else if games.is_file() {
        table.read_pgn_once(&games)?;
    } else {
        bail!(
            "{}: expected a PGN file, or a run folder with {JOURNAL_FILE} or {GAMES_FILE}; for all that is in it: {}",
            source.display(),
            source.join("*").display()
        );
    }
    Ok(())
}
