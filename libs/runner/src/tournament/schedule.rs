//! The schedule of a run.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use referee::openings::{Book, OpeningSequence};
use referee::{GameResult, Referee, Side};
use stats::{BestRule, CandidateStanding, Observations, Pentanomial, SprtEstimate, Wdl};

use super::batches::Batches;
use super::knockout::Stage;
use super::pairings::{PairingGames, Pairings};
use super::{Knockout, Part, Tuning};
use crate::{FinishReason, Format, GameRecord, OpeningMove, OpeningRecord, PoolDecision, Rounds, RunConfig};

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// The game's index in the schedule, from 0.
    pub game: u32,
    /// The index of its pair; both games have the same opening.
    pub pair: u32,
    /// The index of the engine with the white pieces.
    pub white: usize,
    /// The index of the engine with the black pieces.
    pub black: usize,
    /// The index of the round.
    pub round: u32,
}

impl Pairing {
    pub(crate) const fn engine(&self, side: Side) -> usize {
        match side {
            Side::White => self.white,
            Side::Black => self.black,
        }
    }
}

/// The games of a run in order, as far as they are known, and the results of those that ended: the one place where games are
/// counted and tests decided.
///
/// It depends only on the configuration and the results: not on the order in which games end, nor on how many are played at
/// once. All games of a round robin or a gauntlet are known from the beginning; a knockout adds games when the earlier ones
/// have their results, and so do batches of a run for the best of several candidates. If several pairings have a sequential
/// test each, the remaining games of a pairing whose test has ended are dropped, except those in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    knockout: Option<Knockout>,
    /// The batches, if the run is for the best of several candidates.
    #[serde(default)]
    batches: Option<Batches>,
    /// At least one stage.
    stages: Vec<Stage>,
    /// The games of this shard, if it is one. Otherwise all known games are played here.
    shard: Option<Part>,
    /// The number of games at the beginning that are not played here.
    skipped: u32,
    results: BTreeMap<u32, GameResult>,
    pairings: Pairings,
    tuning: Option<Tuning>,
}

impl Schedule {
    /// The games that a configuration asks for.
    pub fn new(config: &RunConfig) -> Schedule {
        let each = config.rounds.games;
        let mut schedule = if config.encounters.is_empty() {
            Schedule::of(config.format, config.engines.len(), config.games, config.rounds)
        } else {
            // This avoids the games of the format, which may be many.
            let stage = Stage::first(config.encounters.clone(), config.games / each, config.rounds);
            let none = Schedule::of(Format::RoundRobin, 2, config.games, config.rounds);
            let pairings = Pairings::of_engines(config.engines.len(), config.games);
            Schedule { stages: vec![stage], pairings, ..none }
        };
        schedule.batches = Batches::of_run(config);
        schedule.deal();
        schedule.shard = config.shard.map(|shard| match config.pool {
            Some(_) => shard.strided(schedule.known() / each, each),
            None => shard.stretch(schedule.known() / each, each),
        });
        schedule.skipped = config.skipped;
        schedule.pairings = Pairings::of_run(config);
        schedule.tuning = Tuning::of_run(config);
        schedule
    }

    fn of(format: Format, engines: usize, games: u32, each: Rounds) -> Schedule {
        let rounds = games / each.games;
        let (knockout, (encounters, rounds)) = match format {
            Format::RoundRobin | Format::Gauntlet { .. } => (None, (format.encounters(engines), rounds)),
            Format::Knockout { extra_pairs } => {
                let knockout = Knockout::new(engines, games, extra_pairs);
                let encounters = knockout.encounters();
                (Some(knockout), encounters)
            }
        };
        Schedule {
            knockout,
            batches: None,
            stages: vec![Stage::first(encounters, rounds, each)],
            shard: None,
            skipped: 0,
            results: BTreeMap::new(),
            pairings: Pairings::of_engines(engines, games),
            tuning: None,
        }
    }

    /// The games to be played, as far as they are known.
    pub fn to_play(&self) -> Part {
        let part = self.shard.clone().unwrap_or_else(|| Part::from(0..self.known()));
        part.without_the_first(self.skipped)
    }

    /// The number of games to be played, without dropped ones. For a knockout, the games to come are counted without extra
    /// pairs.
    pub fn games(&self) -> u32 {
        self.to_play().len() - self.pairings.dropped()
            + self.knockout.as_ref().map_or(0, Knockout::games_to_come)
            + self.batches.as_ref().map_or(0, Batches::games_to_come)
    }

    fn known(&self) -> u32 {
        self.present_stage().end()
    }

    /// A game by its index; `None` past the end, or while it is not known yet.
    pub fn pairing(&self, game: u32) -> Option<Pairing> {
        let stage = self.stages.iter().rev().find(|stage| stage.games().contains(&game))?;
        stage.pairing(game)
    }

    /// All games to be played, in order, as far as they are known.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> {
        self.to_play().games().filter_map(|game| self.pairing(game))
    }

    /// Counts a game. Returns whether it has a result and was not counted before.
    pub fn add(&mut self, game: &GameRecord) -> bool {
        let Some(result) = game.result.filter(|_| !self.has_result(game.game)) else { return false };
        self.pairings.add(game);
        if let Some(tuning) = &mut self.tuning {
            tuning.add(game);
        }
        self.record(game.game, result);
        true
    }

    /// The games of two engines, in any order of the two.
    pub fn games_of(&self, one: usize, other: usize) -> Option<&PairingGames> {
        self.pairings.of(one, other)
    }

    /// The games of every two engines that met or have a test, by the indices of the two, the lower first.
    pub fn games_by_pairing(&self) -> impl Iterator<Item = ((usize, usize), &PairingGames)> {
        self.pairings.iter()
    }

    /// The estimate after the sequential test of two engines, or as if their games ended here: from all that the test counts,
    /// earlier results included. `None` without a test that ends games. It takes milliseconds.
    pub fn estimate_of(&self, one: usize, other: usize) -> Option<SprtEstimate> {
        self.pairings.estimate(one, other)
    }

    /// The games that ended after the decision on their two engines, from the point of view of the one listed first.
    pub const fn after_decision(&self) -> Wdl {
        self.pairings.after_decision
    }

    /// The number of games with the same players and moves as an earlier one.
    pub const fn repeated_games(&self) -> u64 {
        self.pairings.repeated
    }

    /// The complete pairs of an engine, from its point of view, without repeated ones.
    pub fn pairs_of(&self, engine: usize) -> Pentanomial {
        self.pairings.pairs_of(engine)
    }

    /// The tuning of a tuning run.
    pub const fn tuning(&self) -> Option<&Tuning> {
        self.tuning.as_ref()
    }

    /// The number of games played here that count, and their results for a shared test; `None` unless two engines play.
    pub fn own_counts(&self) -> Option<(u32, Observations)> {
        self.pairings.own_counts()
    }

    /// Adds the results of all shards of a pool, including this one, which the sequential test counts. Returns the verdict, if
    /// the test has one with them.
    pub fn take_pool(&mut self, counts: Observations) -> Option<FinishReason> {
        self.pairings.take_pool(counts)
    }

    /// Accepts the decision of a pool, which is final. Returns whether there was no verdict before and the test agrees with the
    /// decision's counts.
    pub fn decide(&mut self, decision: &PoolDecision) -> bool {
        self.pairings.decide(decision)
    }

    /// The verdict of the tests or on the best of several, once nothing more is to be played for it.
    pub const fn verdict(&self) -> Option<&FinishReason> {
        match &self.batches {
            Some(batches) => batches.verdict.as_ref(),
            None => self.pairings.verdict.as_ref(),
        }
    }

    /// Whether a game of two engines that ends now ends after the decision on the run or on the two.
    pub fn has_decided(&self, one: usize, other: usize) -> bool {
        self.verdict().is_some() || self.pairings.is_decided(one, other)
    }

    /// Whether a game is not to be played because its pairing's test, one of several, has ended.
    pub fn is_dropped(&self, pairing: &Pairing) -> bool {
        self.pairings.is_dropped(pairing.white, pairing.black)
    }

    /// Records the result of a game, which may add games. Results may come in any order.
    fn record(&mut self, game: u32, result: GameResult) {
        self.results.insert(game, result);
        while self.batches.is_none() && self.may_grow() && self.is_over_in(self.present_stage()) {
            self.add_stage();
        }
        self.deal();
    }

    /// Whether a game has its result.
    pub fn has_result(&self, game: u32) -> bool {
        self.results.contains_key(&game)
    }

    /// Whether results can make more games known.
    pub fn may_grow(&self) -> bool {
        self.knockout.as_ref().is_some_and(|knockout| knockout.winner().is_none())
            || self.batches.as_ref().is_some_and(Batches::may_grow)
    }

    /// Whether every game has its result or was dropped, and no more are to come.
    pub fn is_over(&self) -> bool {
        let games = self.to_play();
        !self.may_grow()
            && self.results.range(games.range()).count() as u32 + self.pairings.dropped() == games.len()
    }

    /// Whether an engine may have to play again, according to the results.
    pub fn may_need(&self, engine: usize) -> bool {
        self.knockout.as_ref().is_none_or(|knockout| knockout.has(engine)) && self.pairings.may_need(engine)
    }

    /// The rule and the standing of each candidate by all complete pairs, if the run is for the best of several.
    pub fn best_of(&self) -> Option<(&BestRule, Vec<CandidateStanding>)> {
        let batches = self.batches.as_ref()?;
        let pairs = |candidate| self.pairings.of(candidate, batches.base).map(|games| *games.scored.pairs());
        let counts: Vec<Pentanomial> =
            (0..batches.base).map(|candidate| pairs(candidate).unwrap_or_default()).collect();
        Some((&batches.rule, batches.rule.standings(&counts)))
    }

    /// The index of the next batch, for which new candidates wait, if the run is for the best of several candidates.
    pub fn next_batch(&self) -> Option<u32> {
        self.batches.as_ref().map(|batches| batches.known as u32)
    }

    /// The bracket, if this is a knockout.
    pub fn knockout(&self) -> Option<&Knockout> {
        self.knockout.as_ref()
    }

    fn present_stage(&self) -> &Stage {
        // There is at least one stage.
        &self.stages[self.stages.len() - 1]
    }

    /// Whether all games of a stage and of those before it have their results.
    fn is_over_in(&self, stage: &Stage) -> bool {
        let games = stage.games();
        self.results.len() >= games.end as usize && self.results.range(games.clone()).count() == games.len()
    }

    /// Passes finished batches on, and adds the new batches.
    fn deal(&mut self) {
        let Some(mut batches) = self.batches.take() else { return };
        if batches.over == 0 && self.results.is_empty() {
            self.stages.clear();
        }
        loop {
            while let Some(batch) = batches.next() {
                let encounter = |(candidate, before)| ((candidate, batches.base), before);
                let (encounters, later) = batch.into_iter().map(encounter).unzip();
                self.stages.push(Stage::batch(self.stages.last(), encounters, later));
            }
            let Some(stage) = self.stages.get(batches.over).filter(|stage| self.is_over_in(stage)) else {
                break;
            };
            let pairs = stage.games().step_by(2).filter_map(|game| {
                let candidate = stage.pairing(game)?.white.min(stage.pairing(game)?.black);
                let half_points = [game, game + 1].into_iter().filter_map(|game| {
                    let white = stage.pairing(game)?.white == candidate;
                    let side = if white { Side::White } else { Side::Black };
                    Some(usize::from(self.results.get(&game)?.half_points(side)))
                });
                Some((candidate, half_points.sum()))
            });
            batches.take(pairs);
        }
        self.batches = Some(batches);
    }

    /// Passes the results of the current stage to the bracket, and adds the games of the next stage.
    fn add_stage(&mut self) {
        let stage = self.present_stage().clone();
        let pairings = stage.games().filter_map(|game| stage.pairing(game));
        let scores = pairings.filter_map(|Pairing { game, white, black, .. }| {
            let result = self.results.get(&game)?;
            Some([(white, result.half_points(Side::White)), (black, result.half_points(Side::Black))])
        });
        let scores: Vec<(usize, u8)> = scores.flatten().collect();
        let Some(knockout) = &mut self.knockout else { return };
        knockout.advance(scores);
        if knockout.winner().is_none() {
            let (encounters, rounds) = knockout.encounters();
            self.stages.push(stage.followed_by(encounters, rounds));
        }
    }
}

#[cfg(test)]
impl Schedule {
    /// Plays with `in_flight` games at once, of which any may end first. Returns the games in the order in which they ended.
    pub(super) fn play_out(
        &mut self,
        in_flight: usize,
        seed: u64,
        record: impl Fn(Pairing) -> GameRecord,
    ) -> Vec<GameRecord> {
        let (mut next, mut playing, mut ended, mut state) = (0, Vec::new(), Vec::new(), seed);
        loop {
            let has_room = |playing: &[Pairing]| playing.len() < in_flight && self.verdict().is_none();
            while let Some(pairing) = self.pairing(next).filter(|_| has_room(&playing)) {
                next += 1;
                playing.extend(Some(pairing).filter(|pairing| !self.is_dropped(pairing)));
            }
            if playing.is_empty() {
                return ended;
            }
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let pairing = playing.swap_remove((state >> 33) as usize % playing.len());
            let after_decision = self.has_decided(pairing.white, pairing.black);
            ended.push(GameRecord { after_decision, ..record(pairing) });
            self.add(&ended[ended.len() - 1]);
        }
    }
}

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

    use proptest::prelude::*;

    use super::*;

    /// A result that depends only on the game and the seed.
    fn result(game: u32, seed: u32) -> GameResult {
        match (game.wrapping_mul(2654435761) ^ seed).wrapping_mul(40503) >> 16 & 3 {
            0 => GameResult::WhiteWins,
            1 => GameResult::BlackWins,
            _ => GameResult::Draw,
        }
    }

    #[test]
    fn the_games_of_a_pair_have_reversed_colours() {
        let schedule = Schedule::of(Format::RoundRobin, 3, 4, Rounds::default());
        let games: Vec<Pairing> = schedule.pairings().collect();
        assert_eq!((games.len(), schedule.games()), (12, 12));
        for pair in games.chunks(2) {
            assert_eq!(pair[0].pair, pair[1].pair);
            assert_eq!((pair[0].white, pair[0].black), (pair[1].black, pair[1].white));
        }
        assert_eq!(schedule.pairing(12), None);
    }

    #[test]
    fn every_opponent_of_a_gauntlet_gets_the_same_openings() {
        let schedule = Schedule::of(Format::Gauntlet { challengers: 2 }, 5, 6, Rounds::default());
        assert_eq!(schedule.games(), 36);
        for opponent in 2..5 {
            let rounds = schedule.pairings().filter(|pairing| pairing.white == opponent);
            assert_eq!(rounds.map(|pairing| pairing.round).collect::<Vec<_>>(), [0, 0, 1, 1, 2, 2]);
        }
    }

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

    #[test]
    fn a_knockout_has_more_games_when_their_players_are_known() {
        let mut schedule = Schedule::of(Format::Knockout { extra_pairs: 1 }, 4, 2, Rounds::default());
        assert_eq!((schedule.games(), schedule.pairings().count()), (6, 4));
        for (game, result) in
            [GameResult::WhiteWins, GameResult::Draw, GameResult::Draw].into_iter().enumerate()
        {
            schedule.record(game as u32, result);
        }
        assert_eq!(schedule.pairing(4), None, "the last game of the round is missing");
        schedule.record(3, GameResult::Draw);
        let extra = schedule.pairing(4).unwrap();
        assert_eq!((extra.white, extra.black, extra.round), (1, 2, 1), "the level tie is prolonged");
        assert_eq!(schedule.games(), 8);
        assert!(!schedule.may_need(3) && schedule.may_need(2));
        schedule.record(4, GameResult::BlackWins);
        schedule.record(5, GameResult::Draw);
        let last = schedule.pairing(6).unwrap();
        assert_eq!((last.white, last.black, last.round), (0, 2, 2));
        schedule.record(7, GameResult::WhiteWins);
        schedule.record(6, GameResult::Draw);
        assert!(schedule.is_over());
        assert_eq!(schedule.knockout().unwrap().winner(), Some(2));
    }

    #[test]
    fn a_shard_or_the_rest_of_a_run_is_a_part_of_the_same_games() {
        let whole = RunConfig::made_up(&["a", "b", "c"], "games = 8\nbook.path = 'x'");
        let all: Vec<Pairing> = Schedule::new(&whole).pairings().collect();
        let rest = RunConfig { skipped: 7, ..whole.clone() };
        assert_eq!(Schedule::new(&rest).pairings().collect::<Vec<_>>(), all[7..]);
        let shards = (1..=5).map(|number| {
            let shard = Some(format!("{number}/5").parse().unwrap());
            Schedule::new(&RunConfig { shard, ..whole.clone() })
        });
        let shards: Vec<Schedule> = shards.collect();
        assert_eq!(shards.iter().map(Schedule::games).collect::<Vec<_>>(), [4, 4, 6, 4, 6]);
        assert_eq!(shards.iter().flat_map(Schedule::pairings).collect::<Vec<_>>(), all);
        let mut second = shards[1].clone();
        (4..8).for_each(|game| second.record(game, GameResult::Draw));
        assert!(second.is_over() && !shards[1].is_over());
    }

    proptest! {
        #[test]
        fn the_order_in_which_games_end_does_not_change_a_knockout(
            engines in 2_usize..9,
            games in 1_u32..4,
            extra_pairs in 0_u32..3,
            seed in any::<u32>(),
            order in any::<u64>(),
        ) {
            let [in_order, shuffled] = [1, usize::MAX].map(|in_flight| {
                let format = Format::Knockout { extra_pairs };
                let mut schedule = Schedule::of(format, engines, 2 * games, Rounds::default());
                let record = |pairing: Pairing| GameRecord::of_pairing(pairing, result(pairing.game, seed));
                schedule.play_out(in_flight, order, record);
                schedule
            });
            prop_assert!(in_order.is_over());
            prop_assert_eq!(shuffled, in_order);
        }
    }
}
