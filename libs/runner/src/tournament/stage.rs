//! The stages of a schedule.

use serde::{Deserialize, Serialize};

use crate::{Pairing, Rounds, RunConfig};

/// A part of a schedule: every encounter plays the same openings, one per round, with the games and colours of a round.
///
/// A round robin and a gauntlet are one stage; a knockout adds a stage whenever the results of the last one are in. A
/// batch of a run for the best of several is one stage, in which each encounter plays its next opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stage {
    /// The index of the first game in the schedule; stages have whole rounds.
    first_game: u32,
    first_round: u32,
    /// The engines that meet; the first one has White in the first game of each pair.
    encounters: Vec<(usize, usize)>,
    rounds: u32,
    each: Rounds,
    /// For each encounter, how many rounds after the first of the stage it begins; empty if all begin with the stage.
    #[serde(default)]
    later: Vec<u32>,
}

impl Stage {
    /// All games of the pairings that a configuration lists, or that its format has from the beginning.
    pub(super) fn of_run(config: &RunConfig) -> Stage {
        Stage::first(config.encounters(), config.games / config.rounds.games, config.rounds)
    }

    pub(super) fn first(encounters: Vec<(usize, usize)>, rounds: u32, each: Rounds) -> Stage {
        Stage { first_game: 0, first_round: 0, encounters, rounds, each, later: Vec::new() }
    }

    pub(super) fn followed_by(&self, encounters: Vec<(usize, usize)>, rounds: u32) -> Stage {
        let (first_game, first_round) = (self.end(), self.first_round + self.rounds);
        Stage { first_game, first_round, encounters, rounds, each: self.each, later: Vec::new() }
    }

    /// The first batch, or the one after `last`: a pair for each encounter, in its own round.
    pub(super) fn batch(last: Option<&Stage>, encounters: Vec<(usize, usize)>, later: Vec<u32>) -> Stage {
        let first_game = last.map_or(0, Stage::end);
        Stage { first_game, first_round: 0, encounters, rounds: 1, each: Rounds::default(), later }
    }

    pub(super) fn end(&self) -> u32 {
        self.first_game + self.rounds * self.encounters.len() as u32 * self.each.games
    }

    pub(super) fn games(&self) -> std::ops::Range<u32> {
        self.first_game..self.end()
    }

    /// A game by its index in the schedule; `None` outside the stage.
    pub(super) fn pairing(&self, game: u32) -> Option<Pairing> {
        if !self.games().contains(&game) {
            return None;
        }
        let Rounds { games, in_one_go, .. } = self.each;
        let openings = in_one_go.unwrap_or(1);
        let within = (game - self.first_game) / games;
        let (meeting, per_round) = (within / openings, self.encounters.len() as u32);
        let encounter = (meeting % per_round) as usize;
        let (first, second) = self.encounters[encounter];
        let later = self.later.get(encounter).copied().unwrap_or(0);
        let round = meeting / per_round * openings + within % openings + later;
        let turn = if in_one_go.is_some() { round * games + game % games } else { game };
        let (white, black) = if self.each.first_has_white(turn) { (first, second) } else { (second, first) };
        Some(Pairing { game, pair: game / games, white, black, round: self.first_round + round })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_stage_goes_on_with_games_pairs_and_openings() {
        let first = Stage::first(vec![(0, 1), (2, 3)], 2, Rounds::default());
        let next = first.followed_by(vec![(0, 2)], 1);
        assert_eq!(first.pairing(8), None);
        assert_eq!(next.pairing(7), None);
        let expected = Pairing { game: 9, pair: 4, white: 2, black: 0, round: 2 };
        assert_eq!(next.pairing(9), Some(expected));
        assert_eq!(next.end(), 10);
    }

    #[test]
    fn single_games_alternate_colours_and_have_an_opening_each() {
        let colours = |each: Rounds| -> Vec<(usize, u32, u32)> {
            let stage = Stage::first(vec![(0, 1)], 4 / each.games, each);
            let games = stage.games().filter_map(|game| stage.pairing(game));
            games.map(|game| (game.white, game.pair, game.round)).collect()
        };
        let single = Rounds { games: 1, ..Rounds::default() };
        assert_eq!(colours(single), [(0, 0, 0), (1, 1, 1), (0, 2, 2), (1, 3, 3)]);
        let reverse = Rounds { reverse: true, ..Rounds::default() };
        assert_eq!(colours(reverse), [(1, 0, 0), (0, 0, 0), (1, 1, 1), (0, 1, 1)]);
        let same = Rounds { noswap: true, ..reverse };
        assert_eq!(colours(same), [(1, 0, 0), (1, 0, 0), (1, 1, 1), (1, 1, 1)]);
    }

    #[test]
    fn colours_of_two_engines_that_play_in_one_go_alternate_from_meeting_to_meeting() {
        let each = Rounds { games: 1, in_one_go: Some(3), ..Rounds::default() };
        let stage = Stage::first(vec![(0, 1), (0, 2)], 6, each);
        let games: Vec<Pairing> = stage.games().filter_map(|game| stage.pairing(game)).collect();
        let whites: Vec<usize> = games.iter().map(|game| game.white).collect();
        assert_eq!(whites, [0, 1, 0, 0, 2, 0, 1, 0, 1, 2, 0, 2]);
        let rounds: Vec<u32> = games.iter().map(|game| game.round).collect();
        assert_eq!(rounds, [0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5]);
    }
}
