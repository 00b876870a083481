//! Results from PGN files of any program.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use indexmap::IndexSet;

use super::choose;
use super::pair_finder::{FoundPairs, PlayedGame, count};
use crate::rating::sprt::{ExcludedGames, MatchResults};
use referee::{GameResult, PgnHeader, PgnHeaders, Side};
use stats::{Outcome, Wdl};

/// A game between two players, given by their indices.
#[derive(Debug)]
struct Game {
    white: usize,
    black: usize,
    result: GameResult,
    round: Option<String>,
    start: Option<String>,
}

/// The games of all files.
#[derive(Debug, Default)]
struct Collection {
    players: IndexSet<String>,
    games: Vec<Game>,
    excluded: ExcludedGames,
}

/// Reads the tags of PGN files. The results are for `engine`.
///
/// # Errors
/// A file cannot be read or is cut off, no game has a result, or `engine` played no game.
pub fn read(files: &[PathBuf], engine: Option<&str>) -> Result<MatchResults> {
    let mut all = Collection::default();
    for file in files {
        let text = fs::read(file)
            .with_context(|| format!("{}: expected a run folder or a PGN file", file.display()))?;
        for header in PgnHeaders::new(&text) {
            all.add(header.map_err(|error| anyhow!("{}, {error}", file.display()))?);
        }
    }
    let place = match files {
        [file] => file.display().to_string(),
        files => format!("the {} files", files.len()),
    };
    if all.games.is_empty() {
        bail!("{place}: expected at least one game with two players and a result{}", all.excluded_text());
    }
    let names: Vec<&str> = all.players.iter().map(String::as_str).collect();
    let chosen = choose(&names, engine, &place)?;
    Ok(all.results_of(chosen))
}

impl Collection {
    fn add(&mut self, header: PgnHeader<'_>) {
        let (Some(white), Some(black)) = (header.white, header.black) else {
            self.excluded.without_players += 1;
            return;
        };
        let Some(result) = header.result else {
            self.excluded.without_result += 1;
            return;
        };
        let (white, black) = (self.index_of(&white), self.index_of(&black));
        let text = |tag: Option<&[u8]>| tag.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let (round, start) = (text(header.round), text(header.fen));
        self.games.push(Game { white, black, result, round, start });
    }

    /// The index of a player, a new one for a new name.
    fn index_of(&mut self, name: &str) -> usize {
        match self.players.get_index_of(name) {
            Some(index) => index,
            None => self.players.insert_full(name.to_owned()).0,
        }
    }

    fn results_of(mut self, chosen: usize) -> MatchResults {
        let (mut played, mut opponents) = (Vec::new(), Vec::new());
        for game in self.games {
            let (side, opponent) = match (game.white == chosen, game.black == chosen) {
                (true, false) => (Side::White, game.black),
                (false, true) => (Side::Black, game.white),
                _ => {
                    self.excluded.other_players += 1;
                    continue;
                }
            };
            if !opponents.contains(&opponent) {
                opponents.push(opponent);
            }
            let outcome = match game.result.half_points(side) {
                0 => Outcome::Loss,
                1 => Outcome::Draw,
                _ => Outcome::Win,
            };
            played.push(PlayedGame { opponent, side, outcome, round: game.round, start: game.start });
        }
        let found = FoundPairs::of(&played);
        MatchResults {
            engine: Some(self.players[chosen].clone()),
            opponents: opponents.iter().map(|&opponent| self.players[opponent].clone()).collect(),
            observations: found.observations,
            wdl: Some(count(&played)),
            unpaired: found.unpaired,
            after_decision: Wdl::default(),
            excluded: self.excluded,
        }
    }

    fn excluded_text(&self) -> String {
        let ExcludedGames { without_result, without_players, .. } = self.excluded;
        match without_result + without_players {
            0 => String::new(),
            _ => format!(
                ", found {without_result} without a result and {without_players} without a player's name"
            ),
        }
    }
}
