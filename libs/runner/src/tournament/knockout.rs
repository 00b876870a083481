//! A bracket: the loser of a tie is out, and the winner meets the winner of the neighbouring tie.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Pairing;
use crate::Rounds;

/// The bracket of a knockout as far as it is known.
///
/// Engines are seeded in the order of the configuration, so that the first two seeds can only meet in the final. If the
/// number of engines is not a power of two, the best seeds have no opponent in the first round.
///
/// A tie is a small match. As long as it is level, pairs of games are added, to all level ties of the round one pair at
/// a time; after all extra pairs the better seed advances. The next round begins when every tie of this one is decided,
/// so the bracket follows from the results alone, whatever the order they came in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knockout {
    games: u32,
    most_extra_pairs: u32,
    rounds: Vec<Vec<Tie>>,
}

/// Two engines in the bracket, or one engine with a bye.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Tie {
    /// The index of the engine with the better seeding.
    pub first: usize,
    /// The index of its opponent; `None` for a bye.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<usize>,
    /// The score of each engine, in half points.
    pub half_points: [u32; 2],
    /// The number of extra pairs, which were added while the tie was level.
    pub extra_pairs: u32,
    /// The index of the winner; `None` while the tie is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<usize>,
}

impl Tie {
    fn between(one: usize, other: usize) -> Tie {
        let (first, second) = (one.min(other), Some(one.max(other)));
        Tie { first, second, half_points: [0; 2], extra_pairs: 0, winner: None }
    }

    fn bye(engine: usize) -> Tie {
        Tie { first: engine, second: None, half_points: [0; 2], extra_pairs: 0, winner: Some(engine) }
    }

    /// Whether the tie was level to the end, so that the better seed advanced.
    pub fn was_decided_by_seeding(&self) -> bool {
        self.second.is_some() && self.winner.is_some() && self.half_points[0] == self.half_points[1]
    }

    fn score(&mut self, engine: usize, half_points: u8) {
        self.half_points[usize::from(engine != self.first)] += u32::from(half_points);
    }

    fn decide(&mut self, most_extra_pairs: u32) {
        let [first, second] = self.half_points;
        self.winner = match first.cmp(&second) {
            std::cmp::Ordering::Greater => Some(self.first),
            std::cmp::Ordering::Less => self.second,
            std::cmp::Ordering::Equal if self.extra_pairs == most_extra_pairs => Some(self.first),
            std::cmp::Ordering::Equal => {
                self.extra_pairs += 1;
                None
            }
        };
    }
}

impl Knockout {
    /// The first round, with ties of `games` games.
    pub(super) fn new(engines: usize, games: u32, most_extra_pairs: u32) -> Knockout {
        // In a bracket twice as large every seed keeps its place, and its opponent is the one that it would have if all
        // favourites won.
        let mut seeds = vec![0];
        while seeds.len() < engines {
            let last = 2 * seeds.len() - 1;
            seeds = seeds.iter().flat_map(|&seed| [seed, last - seed]).collect();
        }
        let tie = |pair: &[usize]| match *pair {
            [first, second] if second < engines => Tie::between(first, second),
            _ => Tie::bye(pair[0]),
        };
        Knockout { games, most_extra_pairs, rounds: vec![seeds.chunks(2).map(tie).collect()] }
    }

    /// The rounds from the first to the current one, or to the final.
    pub fn rounds(&self) -> &[Vec<Tie>] {
        &self.rounds
    }

    /// The index of the engine that won the final.
    pub fn winner(&self) -> Option<usize> {
        match self.present_round() {
            [last] => last.winner,
            _ => None,
        }
    }

    pub(super) fn has(&self, engine: usize) -> bool {
        self.present_round().iter().any(|tie| match tie.winner {
            Some(winner) => winner == engine,
            None => tie.first == engine || tie.second == Some(engine),
        })
    }

    /// The ties that are to be played now, and the number of pairs of each, which is the same for all.
    pub(super) fn encounters(&self) -> (Vec<(usize, usize)>, u32) {
        let open = || self.present_round().iter().filter(|tie| tie.winner.is_none());
        let is_extra = open().any(|tie| tie.extra_pairs > 0);
        let encounters = open().filter_map(|tie| Some((tie.first, tie.second?))).collect();
        (encounters, if is_extra { 1 } else { self.games / 2 })
    }

    /// The least number of games in the rounds to come.
    pub(super) fn games_to_come(&self) -> u32 {
        // Every tie of this round except one is matched by a tie of a later round.
        (self.present_round().len() as u32 - 1) * self.games
    }

    /// Adds the scores in all games of the last [`encounters`](Self::encounters): engine and half points.
    pub(super) fn advance(&mut self, scores: impl IntoIterator<Item = (usize, u8)>) {
        let most = self.most_extra_pairs;
        let Some(round) = self.rounds.last_mut() else { return };
        for (engine, half_points) in scores {
            let tie = round.iter_mut().find(|tie| tie.first == engine || tie.second == Some(engine));
            if let Some(tie) = tie {
                tie.score(engine, half_points);
            }
        }
        round.iter_mut().filter(|tie| tie.winner.is_none()).for_each(|tie| tie.decide(most));
        let winners: Option<Vec<usize>> = round.iter().map(|tie| tie.winner).collect();
        if let Some(winners) = winners.filter(|winners| winners.len() > 1) {
            self.rounds.push(winners.chunks(2).map(|pair| Tie::between(pair[0], pair[1])).collect());
        }
    }

    fn present_round(&self) -> &[Tie] {
        self.rounds.last().map_or(&[], Vec::as_slice)
    }
}

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
    use std::collections::HashMap;

    use super::*;

    /// Plays on with a level score in every tie whose winner is not given.
    fn play(knockout: &mut Knockout, winners: &[usize]) {
        let (encounters, pairs) = knockout.encounters();
        let scores = encounters.iter().flat_map(|&(first, second)| {
            let level = (0..2 * pairs).flat_map(move |_| [(first, 1), (second, 1)]);
            let extra = winners.iter().filter(move |winner| [first, second].contains(winner));
            level.chain(extra.map(|&winner| (winner, 1)))
        });
        let scores: Vec<(usize, u8)> = scores.collect();
        knockout.advance(scores);
    }

    fn open_ties(knockout: &Knockout) -> Vec<(usize, usize)> {
        knockout.encounters().0
    }

    #[test]
    fn the_first_seed_meets_the_last_and_the_second_only_in_the_final() {
        let mut knockout = Knockout::new(8, 4, 0);
        assert_eq!(open_ties(&knockout), [(0, 7), (3, 4), (1, 6), (2, 5)]);
        play(&mut knockout, &[]);
        assert_eq!(open_ties(&knockout), [(0, 3), (1, 2)]);
        play(&mut knockout, &[]);
        assert_eq!(open_ties(&knockout), [(0, 1)]);
        assert_eq!(knockout.winner(), None);
        play(&mut knockout, &[1]);
        assert_eq!(knockout.winner(), Some(1));
    }

    #[test]
    fn the_best_seeds_have_a_bye_where_the_bracket_is_not_full() {
        let mut knockout = Knockout::new(5, 2, 0);
        assert_eq!(open_ties(&knockout), [(3, 4)]);
        assert!((0..5).all(|engine| knockout.has(engine)));
        play(&mut knockout, &[4]);
        assert!(!knockout.has(3) && knockout.has(4));
        assert_eq!(open_ties(&knockout), [(0, 4), (1, 2)]);
    }

    #[test]
    fn every_bracket_has_a_winner_and_one_loser_less_than_engines() {
        for engines in 2..40 {
            let mut knockout = Knockout::new(engines, 2, 0);
            let expected = knockout.encounters().0.len() as u32 * 2 + knockout.games_to_come();
            let mut games = 0;
            while knockout.winner().is_none() {
                games += 2 * knockout.encounters().0.len() as u32;
                play(&mut knockout, &[]);
            }
            assert_eq!((knockout.winner(), games), (Some(0), 2 * (engines as u32 - 1)));
            assert_eq!(expected, games);
        }
    }

    #[test]
    fn a_level_tie_is_prolonged_and_in_the_end_the_better_seeding_decides() {
        let mut knockout = Knockout::new(4, 6, 2);
        assert_eq!(knockout.encounters(), (vec![(0, 3), (1, 2)], 3));
        play(&mut knockout, &[3]);
        assert_eq!(knockout.encounters(), (vec![(1, 2)], 1));
        play(&mut knockout, &[]);
        assert_eq!(knockout.encounters(), (vec![(1, 2)], 1));
        play(&mut knockout, &[]);
        let [first, second] = &knockout.rounds()[0][..] else { panic!("two ties") };
        assert_eq!((first.winner, first.was_decided_by_seeding(), first.extra_pairs), (Some(3), false, 0));
        assert_eq!((second.winner, second.was_decided_by_seeding(), second.extra_pairs), (Some(1), true, 2));
        assert_eq!(second.half_points, [10, 10]);
        assert_eq!(knockout.encounters(), (vec![(1, 3)], 3));
    }

    #[test]
    fn every_encounter_plays_every_opening_with_both_colours() {
        let stage = Stage::first(vec![(0, 1), (0, 2), (1, 2)], 3, Rounds::default());
        let mut met: HashMap<(usize, usize), Vec<u32>> = HashMap::new();
        for pairing in stage.games().filter_map(|game| stage.pairing(game)) {
            met.entry((pairing.white, pairing.black)).or_default().push(pairing.round);
        }
        assert_eq!(met.len(), 6);
        assert!(met.values().all(|rounds| *rounds == [0, 1, 2]), "{met:?}");
    }

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
