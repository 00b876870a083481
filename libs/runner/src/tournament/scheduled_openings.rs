//! The opening of each game of a run.

use std::num::NonZeroU32;

use referee::Referee;
use referee::openings::{Book, OpeningSequence};

use crate::{OpeningMove, OpeningRecord, Pairing, RunConfig};

/// The openings of the games of a run.
#[derive(Clone, Debug)]
pub struct ScheduledOpenings {
    sequence: OpeningSequence,
    skipped: u64,
    /// How many rounds in a row play the same opening.
    repeat: u32,
    choice: Choice,
}

/// How a game gets its opening.
#[derive(Clone, Debug)]
enum Choice {
    /// All pairings of a round have the same opening.
    ByRound,
    /// Every pair of games has the next opening; after this many openings the first comes again.
    Wrapped(u32),
    /// Every turn of encounters has its own opening, and the whole book is used.
    ByTurn {
        /// How many encounters each turn has.
        turns: Vec<u32>,
        /// How many encounters the run has; 0 if results decide.
        encounters: u32,
        /// The number of pairs of games that two engines play before the next two meet.
        in_one_go: u32,
    },
}

impl Choice {
    fn of(config: &RunConfig, openings: usize) -> Choice {
        let (book, rounds) = (&config.book, config.games / config.rounds.games);
        match book.wrap {
            _ if !book.per_pairing => Choice::ByRound,
            Some(false) => Choice::ByTurn {
                turns: if book.turns.is_empty() { vec![1] } else { book.turns.clone() },
                encounters: config.encounters().len() as u32,
                in_one_go: config.rounds.in_one_go.unwrap_or(1),
            },
            // fastchess keeps only as many openings of a book as there are rounds.
            Some(true) | None => {
                let rounds = rounds.div_ceil(book.repeat.map_or(1, NonZeroU32::get));
                Choice::Wrapped(u32::try_from(openings).map_or(rounds, |most| most.min(rounds)).max(1))
            }
        }
    }

    /// The number of a game's opening in the order of the openings.
    fn number(&self, repeat: u32, pairing: &Pairing) -> u64 {
        u64::from(match self {
            Choice::ByRound => pairing.round / repeat,
            Choice::Wrapped(most) => pairing.pair / repeat % most,
            // The rounds that play the same opening are not those of the next encounter.
            &Choice::ByTurn { encounters: encounters @ 1.., in_one_go: 1, .. } if repeat > 1 => {
                pairing.pair / encounters / repeat * encounters + pairing.pair % encounters
            }
            Choice::ByTurn { turns, in_one_go, .. } => {
                let (meeting, within) = (pairing.pair / in_one_go, pairing.pair % in_one_go);
                let all: u32 = turns.iter().sum();
                let mut rest = meeting % all;
                let turn = turns.iter().take_while(|&&turn| {
                    let is_past = rest >= turn;
                    rest = rest.saturating_sub(turn);
                    is_past
                });
                let turn = turn.count() as u32 + meeting / all * turns.len() as u32;
                turn * in_one_go.div_ceil(repeat) + within / repeat
            }
        })
    }
}

impl ScheduledOpenings {
    /// The openings of a book in the order that the configuration asks for.
    pub fn new(config: &RunConfig, book: Book) -> ScheduledOpenings {
        let sequence = OpeningSequence::new(book, config.book.opening_order());
        let choice = Choice::of(config, sequence.book().report().openings);
        let repeat = config.book.repeat.map_or(1, NonZeroU32::get);
        ScheduledOpenings { sequence, skipped: config.book.start as u64, repeat, choice }
    }

    /// How many rounds of every two engines repeat an opening that the two had before, because a book of this size begins anew.
    /// 0 if results decide who meets, or if openings are to be shared.
    pub fn rounds_again(config: &RunConfig, openings: usize) -> u32 {
        let encounters = config.encounters().len() as u64;
        if config.book.repeat.is_some() || encounters == 0 {
            return 0;
        }
        let (period, step) = match Choice::of(config, openings) {
            Choice::ByRound => (openings as u64, 1),
            Choice::Wrapped(most) => (u64::from(most), encounters),
            Choice::ByTurn { turns, in_one_go: 1, .. } if turns == [1] => (openings as u64, encounters),
            Choice::ByTurn { .. } => return 0,
        };
        let different = u32::try_from(period / gcd(period, step)).unwrap_or(u32::MAX);
        (config.games / config.rounds.games).saturating_sub(different)
    }

    /// The opening of a game, with its moves in both notations.
    pub fn of(&mut self, pairing: &Pairing) -> OpeningRecord {
        let variant = self.sequence.book().variant();
        let number = self.choice.number(self.repeat, pairing);
        let index = self.sequence.index(self.skipped + number);
        let opening = self.sequence.book().opening(index);
        // A book only holds openings that are legal in its variant, so the lines below never stop short.
        let start = opening.start_fen.as_ref().and_then(|fen| Referee::from_fen(fen, variant).ok());
        let mut referee = start.unwrap_or_else(|| Referee::new(variant));
        let fen = referee.start_fen();
        let played = opening.moves.iter().map_while(|text| referee.play(text).ok());
        let moves =
            played.map(|played| OpeningMove { uci: played.uci().into(), san: played.san().into() }).collect();
        OpeningRecord { index, name: opening.name, fen, moves }
    }
}

const fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::Schedule;

    /// The numbers of different openings in a run with 5,000, and of games with the same players and opening as before.
    fn openings_of(format: &str, engines: usize, rounds: u32, book: &str) -> (usize, usize) {
        let lines = format!("games = {}\nformat = '{format}'\n[book]\npath = 'x'\n{book}", 2 * rounds);
        let config = RunConfig::made_up(&vec!["x"; engines], &lines);
        let choice = Choice::of(&config, 5000);
        let schedule = Schedule::new(&config);
        let repeat = config.book.repeat.map_or(1, NonZeroU32::get);
        let all: Vec<_> =
            schedule.pairings().map(|game| (game.white, game.black, choice.number(repeat, &game))).collect();
        let different = |of: usize| all.iter().map(|game| game.2).take(of).collect::<HashSet<_>>().len();
        let again = all.len() - all.iter().collect::<HashSet<_>>().len();
        let foretold =
            ScheduledOpenings::rounds_again(&config, 5000) as usize * 2 * config.encounters().len();
        assert!(foretold == again || repeat > 1, "{foretold} {again}");
        (different(all.len()), again)
    }

    #[test]
    fn the_whole_book_is_walked_but_for_the_rule_of_fastchess() {
        // The counts of games are those of fastchess 1.8.2 and cutechess-cli 1.5.1: `results/openings-and-repeats.txt`.
        for (format, engines, rounds, walked, wrapped) in [
            ("gauntlet", 3, 20, 40, (20, 40)),
            ("gauntlet", 11, 20, 200, (20, 360)),
            ("round-robin", 3, 4, 12, (4, 0)),
            ("round-robin", 4, 4, 24, (4, 24)),
            ("round-robin", 5, 4, 40, (4, 40)),
        ] {
            let of = |book: &str| openings_of(format, engines, rounds, book);
            assert_eq!(of("per_pairing = true\nwrap = false"), (walked, 0));
            assert_eq!(of("per_pairing = true\nwrap = true"), wrapped);
            assert_eq!(of("per_pairing = true"), wrapped, "a run of before it was a choice");
            assert_eq!(of(""), (rounds as usize, 0));
            let encounters = walked / rounds as usize;
            assert_eq!(of("per_pairing = true\nwrap = false\nrepeat = 2"), (walked / 2, walked));
            let turns = format!("per_pairing = true\nwrap = false\nturns = [1, {}]", encounters - 1);
            assert_eq!(of(&turns).0, 2 * rounds as usize);
        }
    }
}
