//! Results from PGN files of any program.

use std::borrow::Cow;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::choose;
use super::pair_finder::{FoundPairs, PlayedGame, count};
use crate::cli::console;
use crate::rating::sprt::{ExcludedGames, MatchResults};
use referee::openings::Skipped;
use referee::{GameResult, KnownGames, PgnGames, PlayerNames, ReadGame, Side};
use stats::{Outcome, Wdl};

/// A game between two players, given by their indices.
#[derive(Debug)]
struct Game {
    white: usize,
    black: usize,
    result: GameResult,
    round: Option<String>,
    start: Option<String>,
    is_after_decision: bool,
}

/// The games of all files.
#[derive(Debug, Default)]
struct Collection {
    players: PlayerNames,
    games: Vec<Game>,
    known: KnownGames,
    excluded: ExcludedGames,
}

/// Reads PGN files. The results are for `engine`.
///
/// # Errors
/// A file cannot be read, no game has a result, or `engine` played no game.
pub fn read(files: &[PathBuf], engine: Option<&str>) -> Result<MatchResults> {
    let mut all = Collection { known: KnownGames::of(files.len()), ..Collection::default() };
    for file in files {
        let games = PgnGames::open(file).context("expected a run folder or a PGN file")?;
        all.known.begin_source();
        let (mut read, mut skipped) = (0, Skipped::default());
        for game in games.with_endings().without_moves() {
            match game {
                Ok(game) => {
                    read += 1;
                    all.add(&game);
                }
                Err(fault) => skipped.add(fault)?,
            }
        }
        console::warn_of_skipped(&file.display().to_string(), "game", &skipped.beside(read)?);
    }
    let place = match files {
        [file] => file.display().to_string(),
        files => format!("the {} files", files.len()),
    };
    if all.games.is_empty() {
        bail!("{place}: expected at least one game with two players and a result{}", all.excluded_text());
    }
    let names: Vec<&str> = all.players.names().iter().map(String::as_str).collect();
    let chosen = choose(&names, engine, &place)?;
    Ok(all.results_of(chosen))
}

impl Collection {
    fn add(&mut self, game: &ReadGame) {
        let (Some(white), Some(black)) = (game.player(Side::White), game.player(Side::Black)) else {
            self.excluded.without_players += 1;
            return;
        };
        let Some(result) = game.result() else {
            self.excluded.without_result += 1;
            return;
        };
        if game.identity().is_some_and(|identity| self.known.is_copy(identity)) {
            self.excluded.duplicates += 1;
            return;
        }
        let (white, black) = (self.players.add(&white), self.players.add(&black));
        let [round, start] = ["Round", "FEN"].map(|name| game.tag(name).map(Cow::into_owned));
        let is_after_decision = game.is_after_decision();
        self.games.push(Game { white, black, result, round, start, is_after_decision });
    }

    fn results_of(mut self, chosen: usize) -> MatchResults {
        let (mut played, mut opponents, mut after_decision) = (Vec::new(), Vec::new(), Wdl::default());
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
            if game.is_after_decision {
                after_decision.record(outcome);
                continue;
            }
            played.push(PlayedGame { opponent, side, outcome, round: game.round, start: game.start });
        }
        let found = FoundPairs::of(&played);
        MatchResults {
            engine: Some(self.players.names()[chosen].clone()),
            opponents: opponents.iter().map(|&opponent| self.players.names()[opponent].clone()).collect(),
            observations: found.observations,
            wdl: Some(count(&played)),
            unpaired: found.unpaired,
            after_decision,
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
