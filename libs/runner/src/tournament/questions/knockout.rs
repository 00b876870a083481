//! A bracket: the loser of a tie is out, and the winner meets the winner of the neighbouring tie.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Rule;
use crate::tournament::Stage;
use crate::{Format, Pairing, RunConfig};
use referee::{GameResult, Side};

/// The part of a knockout's bracket that is known so far.
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
    /// The rounds from the first to the current one, or to the final.
    pub rounds: Vec<Vec<Tie>>,
}

/// Two engines in the bracket, or one engine with a bye.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Tie {
    /// The index of the engine with the better seeding.
    pub first: usize,
    /// The index of its opponent; absent for a bye.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<usize>,
    /// The score of each engine, in half points.
    pub half_points: [u32; 2],
    /// The number of extra pairs, which were added while the tie was level.
    pub extra_pairs: u32,
    /// The index of the winner; absent while the tie is played.
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
    fn new(engines: usize, games: u32, most_extra_pairs: u32) -> Knockout {
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

    /// The index of the engine that won the final.
    pub fn winner(&self) -> Option<usize> {
        match self.present_round() {
            [last] => last.winner,
            _ => None,
        }
    }

    /// The ties that are to be played now, and the number of pairs of each, which is the same for all.
    fn encounters(&self) -> (Vec<(usize, usize)>, u32) {
        let open = || self.present_round().iter().filter(|tie| tie.winner.is_none());
        let is_extra = open().any(|tie| tie.extra_pairs > 0);
        let encounters = open().filter_map(|tie| Some((tie.first, tie.second?))).collect();
        (encounters, if is_extra { 1 } else { self.games / 2 })
    }

    /// Adds the scores in all games of the last [`encounters`](Self::encounters): engine and half points.
    fn advance(&mut self, scores: impl IntoIterator<Item = (usize, u8)>) {
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

impl Rule for Knockout {
    fn of_run(config: &RunConfig) -> Option<Knockout> {
        let Format::Knockout { extra_pairs } = config.format else { return None };
        Some(Knockout::new(config.engines.len(), config.games, extra_pairs))
    }

    fn first_stage(&mut self, config: &RunConfig) -> Stage {
        let (encounters, rounds) = self.encounters();
        Stage::first(encounters, rounds, config.rounds)
    }

    fn next_stage(&mut self, last: &Stage, all_taken: bool) -> Option<Stage> {
        let is_due = all_taken && self.winner().is_none();
        is_due.then(|| self.encounters()).map(|(encounters, rounds)| last.followed_by(encounters, rounds))
    }

    fn take_stage(&mut self, games: &[(Pairing, GameResult)]) {
        let sides = |(pairing, result): &(Pairing, GameResult)| {
            [Side::White, Side::Black].map(|side| (pairing.engine(side), result.half_points(side)))
        };
        self.advance(games.iter().flat_map(sides));
    }

    fn to_come(&self) -> Option<u32> {
        // Every tie of this round except one is matched by a tie of a later round. Extra pairs are not counted.
        self.winner().is_none().then(|| (self.present_round().len() as u32 - 1) * self.games)
    }

    fn may_need(&self, engine: usize) -> bool {
        self.present_round().iter().any(|tie| match tie.winner {
            Some(winner) => winner == engine,
            None => tie.first == engine || tie.second == Some(engine),
        })
    }
}

#[cfg(test)]
mod tests {
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
        assert!((0..5).all(|engine| knockout.may_need(engine)));
        play(&mut knockout, &[4]);
        assert!(!knockout.may_need(3) && knockout.may_need(4));
        assert_eq!(open_ties(&knockout), [(0, 4), (1, 2)]);
    }

    #[test]
    fn every_bracket_has_a_winner_and_one_loser_less_than_engines() {
        for engines in 2..40 {
            let mut knockout = Knockout::new(engines, 2, 0);
            let expected = knockout.encounters().0.len() as u32 * 2 + knockout.to_come().unwrap();
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
        let [first, second] = &knockout.rounds[0][..] else { panic!("two ties") };
        assert_eq!((first.winner, first.was_decided_by_seeding(), first.extra_pairs), (Some(3), false, 0));
        assert_eq!((second.winner, second.was_decided_by_seeding(), second.extra_pairs), (Some(1), true, 2));
        assert_eq!(second.half_points, [10, 10]);
        assert_eq!(knockout.encounters(), (vec![(1, 3)], 3));
    }
}
