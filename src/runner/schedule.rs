//! Which games a run has.

use crate::openings::{Book, OpeningSequence};
use crate::referee::Referee;

use super::{OpeningMove, OpeningRecord, RunConfig};

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// Index in the schedule, from 0.
    pub game: u32,
    /// Index of the pair of games that this one belongs to; its other game has the colours reversed.
    pub pair: u32,
    /// Index of the engine with the white pieces.
    pub white: usize,
    /// Index of the engine with the black pieces.
    pub black: usize,
    /// Which opening of the order is played; the same for every pair of a round.
    pub round: u32,
}

/// A round robin of pairs of games. In a round every two engines play one opening twice, with either colour.
///
/// It is a function of the configuration alone: neither what was played before nor how many games run at once changes
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The engines of each encounter in a round.
    encounters: Vec<(usize, usize)>,
    rounds: u32,
}

impl Schedule {
    /// The games that a configuration asks for.
    pub fn new(config: &RunConfig) -> Schedule {
        let engines = config.engines.len();
        let encounters =
            (0..engines).flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect();
        Schedule { encounters, rounds: config.games / 2 }
    }

    /// How many games there are.
    pub fn games(&self) -> u32 {
        self.rounds * self.encounters.len() as u32 * 2
    }

    /// A game by its index; `None` past the end.
    pub fn pairing(&self, game: u32) -> Option<Pairing> {
        if game >= self.games() {
            return None;
        }
        let pair = game / 2;
        let per_round = self.encounters.len() as u32;
        let (first, second) = self.encounters[(pair % per_round) as usize];
        let (white, black) = if game.is_multiple_of(2) { (first, second) } else { (second, first) };
        Some(Pairing { game, pair, white, black, round: pair / per_round })
    }

    /// All games in their order.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> {
        (0..self.games()).filter_map(|game| self.pairing(game))
    }
}

/// The openings of a run, by round.
#[derive(Clone, Debug)]
pub struct ScheduledOpenings {
    sequence: OpeningSequence,
    skipped: u64,
}

impl ScheduledOpenings {
    /// The openings of a book in the order that the configuration asks for.
    pub fn new(config: &RunConfig, book: Book) -> ScheduledOpenings {
        let sequence = OpeningSequence::new(book, config.book.opening_order());
        ScheduledOpenings { sequence, skipped: config.book.start as u64 }
    }

    /// The opening of a round, with its moves in both notations.
    pub fn of_round(&mut self, round: u32) -> OpeningRecord {
        let variant = self.sequence.book().variant();
        let index = self.sequence.index(self.skipped + u64::from(round));
        let opening = &self.sequence.book().openings()[index];
        // A book only holds openings that are legal in its variant, so the lines below never stop short.
        let start = opening.start_fen.as_ref().and_then(|fen| Referee::from_fen(fen, variant).ok());
        let mut referee = start.unwrap_or_else(|| Referee::new(variant));
        let fen = referee.start_fen();
        let played = opening.moves.iter().map_while(|text| referee.play(text).ok());
        let moves =
            played.map(|played| OpeningMove { uci: played.uci().into(), san: played.san().into() }).collect();
        OpeningRecord { index, fen, moves }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn schedule(engines: usize, games: u32) -> Schedule {
        let encounters = (0..engines).flat_map(|a| (a + 1..engines).map(move |b| (a, b))).collect();
        Schedule { encounters, rounds: games / 2 }
    }

    #[test]
    fn every_two_engines_play_every_opening_with_both_colours() {
        let schedule = schedule(4, 6);
        assert_eq!(schedule.games(), 36);
        let mut met: HashMap<(usize, usize), Vec<u32>> = HashMap::new();
        for pairing in schedule.pairings() {
            met.entry((pairing.white, pairing.black)).or_default().push(pairing.round);
        }
        assert_eq!(met.len(), 12);
        assert!(met.values().all(|rounds| *rounds == [0, 1, 2]), "{met:?}");
    }

    #[test]
    fn the_games_of_a_pair_have_reversed_colours() {
        let games: Vec<Pairing> = schedule(3, 4).pairings().collect();
        for pair in games.chunks(2) {
            assert_eq!(pair[0].pair, pair[1].pair);
            assert_eq!((pair[0].white, pair[0].black), (pair[1].black, pair[1].white));
        }
        assert_eq!(schedule(3, 4).pairing(12), None);
    }
}
