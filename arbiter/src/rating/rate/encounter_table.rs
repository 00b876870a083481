//! The games for a rating list, from PGN files and run folders.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use referee::openings::{BookError, Skipped};
use referee::{GameIdentity, GameResult, KnownGames, PgnGames, PlayerNames, Side};
use runner::{GameRecord, RunConfig};
use stats::ratings::Encounter;
use stats::{Outcome, Wdl};

/// The results of each pair of players, and the games that are excluded.
///
/// Players with the same name are the same player.
#[derive(Clone, Debug, Default)]
pub struct EncounterTable {
    players: PlayerNames,
    results: HashMap<(usize, usize), Wdl, FxBuildHasher>,
    known: KnownGames,
    excluded: ExcludedGames,
}

/// Games that are not rated, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExcludedGames {
    /// Games without a result: unfinished, abandoned, or with an invalid result.
    pub without_result: u64,
    /// Games without the name of a player.
    pub without_players: u64,
    /// Games between two players of the same name.
    pub against_itself: u64,
    /// Games that finished after the SPRT of their run had stopped, which would bias the rating.
    pub after_decision: u64,
    /// Games that another source, or the same one, has too.
    #[serde(default)]
    pub duplicates: u64,
}

impl ExcludedGames {
    /// The number of excluded games.
    pub const fn total(&self) -> u64 {
        self.without_result
            + self.without_players
            + self.against_itself
            + self.after_decision
            + self.duplicates
    }
}

impl EncounterTable {
    /// For the games of so many sources, each of which is added once.
    pub fn of(sources: usize) -> EncounterTable {
        EncounterTable { known: KnownGames::of(sources), ..EncounterTable::default() }
    }

    /// Adds the games of a PGN file, and returns those that cannot be read.
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read, or none of its games.
    pub fn add_pgn(&mut self, games: PgnGames<'_>) -> Result<Skipped, BookError> {
        self.known.begin_source();
        let (mut read, mut skipped) = (0, Skipped::default());
        for game in games.with_endings().without_moves() {
            let game = match game {
                Ok(game) => game,
                Err(fault) => {
                    skipped.add(fault)?;
                    continue;
                }
            };
            read += 1;
            let (Some(white), Some(black)) = (game.player(Side::White), game.player(Side::Black)) else {
                self.excluded.without_players += 1;
                continue;
            };
            let players = [white, black].map(|name| self.players.add(&name));
            if game.identity().is_some_and(|identity| self.known.is_copy(identity)) {
                self.excluded.duplicates += 1;
            } else if game.is_after_decision() {
                self.excluded.after_decision += 1;
            } else {
                self.add(players, game.result());
            }
        }
        skipped.beside(read)
    }

    /// Adds the games of a run, each with its identity where another source may have it too. Its engines are players,
    /// also without games.
    pub fn add_run<'a>(
        &mut self,
        config: &RunConfig,
        games: impl IntoIterator<Item = (&'a GameRecord, Option<GameIdentity>)>,
    ) {
        self.known.begin_source();
        let players: Vec<usize> =
            config.engines.iter().map(|engine| self.players.add(&engine.name)).collect();
        for (game, identity) in games {
            if identity.is_some_and(|identity| self.known.is_copy(identity)) {
                self.excluded.duplicates += 1;
            } else if game.after_decision {
                self.excluded.after_decision += 1;
            } else {
                self.add([players[game.white], players[game.black]], game.result);
            }
        }
    }

    fn add(&mut self, [white, black]: [usize; 2], result: Option<GameResult>) {
        let Some(result) = result else {
            self.excluded.without_result += 1;
            return;
        };
        if white == black {
            self.excluded.against_itself += 1;
            return;
        }
        let outcome = match result.winner() {
            Some(Side::White) => Outcome::Win,
            None => Outcome::Draw,
            Some(Side::Black) => Outcome::Loss,
        };
        self.results.entry((white, black)).or_default().record(outcome);
    }

    /// The names of the players, in the order of their appearance.
    pub fn players(&self) -> impl ExactSizeIterator<Item = &str> {
        self.players.names().iter().map(String::as_str)
    }

    /// The index of the player with this name.
    pub fn index_of(&self, player: &str) -> Option<usize> {
        self.players.index_of(player)
    }

    /// The results, by the players and their colours.
    pub fn encounters(&self) -> Vec<Encounter> {
        let encounter =
            |(&(white, black), &results): (&(usize, usize), &Wdl)| Encounter { white, black, results };
        self.results.iter().map(encounter).collect()
    }

    /// The number of rated games.
    pub fn games(&self) -> u64 {
        self.results.values().map(Wdl::games).sum()
    }

    /// The games that are excluded.
    pub const fn excluded(&self) -> ExcludedGames {
        self.excluded
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::{config, game};

    #[test]
    fn games_of_pgn_files_and_runs_are_summed() {
        let mut table = EncounterTable::default();
        let text = "[White \"old\"]\n[Black \"new\"]\n[Result \"0-1\"]\n";
        table.add_pgn(PgnGames::new("x", text.as_bytes())).unwrap();
        let mut late = game(3, (0, 1), Some(GameResult::WhiteWins));
        late.after_decision = true;
        let games = [
            game(0, (0, 1), Some(GameResult::Draw)),
            game(1, (1, 0), Some(GameResult::BlackWins)),
            game(2, (0, 1), None),
            late,
        ];
        table.add_run(&config(&["new", "old"], false), games.iter().map(|game| (game, None)));
        assert_eq!(table.players().collect::<Vec<_>>(), ["old", "new"]);
        let mut encounters = table.encounters();
        encounters.sort_by_key(|encounter| encounter.white);
        assert_eq!(encounters[0], Encounter { white: 0, black: 1, results: Wdl::new(0, 0, 2) });
        assert_eq!(encounters[1], Encounter { white: 1, black: 0, results: Wdl::new(0, 1, 0) });
        let excluded = ExcludedGames { without_result: 1, after_decision: 1, ..ExcludedGames::default() };
        assert_eq!((table.games(), table.excluded()), (3, excluded));
    }

    #[test]
    fn excluded_games_are_counted() {
        let mut table = EncounterTable::default();
        let text = "[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n*\n\n\
                    [White \"a\"]\n[Result \"1-0\"]\n\n1-0\n\n\
                    [White \"a\"]\n[Black \"a\"]\n[Result \"1-0\"]\n\n1-0\n";
        table.add_pgn(PgnGames::new("x", text.as_bytes())).unwrap();
        let ExcludedGames { without_result, without_players, against_itself, .. } = table.excluded();
        assert_eq!((without_result, without_players, against_itself), (1, 1, 1));
        assert_eq!((table.games(), table.players().len()), (0, 2));
    }
}
