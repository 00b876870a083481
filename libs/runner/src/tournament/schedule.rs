//! The schedule of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use referee::GameResult;
use stats::{Observations, Pentanomial, Wdl};

use super::pairings::{PairingGames, Pairings, TestInput, ordered};
use super::questions::{PairingTest, Question};
use super::{Part, Stage};
use crate::{FinishReason, GameRecord, Pairing, PoolDecision, RunConfig};

/// The games of a run in order, as far as they are known, and the results of those that ended: the one place where games are
/// counted and tests decided.
///
/// It depends only on the configuration and the results: not on the order in which games end, nor on how many are played at
/// once. The [question](Question) of the run says which games there are, and when no more are to be played. Games in progress
/// are played to their end even so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    question: Question,
    /// At least one stage.
    stages: Vec<Stage>,
    /// The number of stages whose results the question has.
    taken: usize,
    /// The games that are played here, if that is only a part of the known ones: a shard, or the rest of a run.
    part: Option<Part>,
    results: BTreeMap<u32, GameResult>,
    pairings: Pairings,
    games_of_pairing: u32,
    /// The number of games that are not played any more.
    dropped: u32,
    /// What the games played here add to a test that several shards share.
    tested: TestInput,
}

impl Schedule {
    /// The games that a configuration asks for.
    pub fn new(config: &RunConfig) -> Schedule {
        let mut question = Question::of_run(config);
        let first = question.rule_mut().first_stage(config);
        let mut schedule = Schedule {
            pairings: Pairings::of_engines(config.engines.len(), question.rule().tests().keys().copied()),
            question,
            stages: vec![first],
            taken: 0,
            part: None,
            results: BTreeMap::new(),
            games_of_pairing: config.games,
            dropped: 0,
            tested: TestInput::here(config),
        };
        schedule.grow();
        let known = 0..schedule.known();
        let open = schedule.question.rule().open(config, known.clone());
        let shard = config.shard.map(|shard| config.part_of(shard, open.len() as u32).later(open.start));
        let rest = (config.skipped > 0 || open != known).then(|| Part::from(open));
        schedule.part = shard.or(rest).map(|part| part.without_the_first(config.skipped));
        schedule
    }

    /// What the run asks, and what is known of the answer.
    pub const fn question(&self) -> &Question {
        &self.question
    }

    /// The games to be played that are known so far.
    pub fn to_play(&self) -> Part {
        self.part.clone().unwrap_or_else(|| Part::from(0..self.known()))
    }

    /// The number of games to be played, without dropped ones. For a knockout, the games to come are counted without extra
    /// pairs.
    pub fn games(&self) -> u32 {
        self.to_play().len() - self.dropped + self.question.rule().to_come().unwrap_or(0)
    }

    fn known(&self) -> u32 {
        self.stages.last().map_or(0, Stage::end)
    }

    /// A game by its index; `None` past the end, or while it is not known yet.
    pub fn pairing(&self, game: u32) -> Option<Pairing> {
        let stage = self.stages.iter().rev().find(|stage| stage.games().contains(&game))?;
        stage.pairing(game)
    }

    /// Whether it has this game between these engines, White first.
    pub fn has(&self, game: u32, players: [usize; 2]) -> bool {
        self.pairing(game).is_some_and(|pairing| [pairing.white, pairing.black] == players)
    }

    /// All games to be played that are known so far, in order.
    pub fn pairings(&self) -> impl Iterator<Item = Pairing> {
        self.to_play().games().filter_map(|game| self.pairing(game))
    }

    /// Counts a game, which may add games to be played. Games may come in any order. Returns whether it has a result and was
    /// not counted before.
    pub fn add(&mut self, game: &GameRecord) -> bool {
        let Some(result) = game.result.filter(|_| !self.has_result(game.game)) else { return false };
        if let Some(games) = self.pairings.add(game) {
            let is_over = self.question.rule_mut().take_game(game, games);
            let played = (games.scored.games().games() + games.after_decision.games()) as u32;
            let dropped = if is_over { self.games_of_pairing.saturating_sub(played) } else { 0 };
            self.dropped += dropped;
            self.dropped -= std::mem::replace(&mut games.dropped, dropped);
        }
        self.results.insert(game.game, result);
        self.grow();
        true
    }

    /// The games of two engines, in any order of the two.
    pub fn games_of(&self, one: usize, other: usize) -> Option<&PairingGames> {
        self.pairings.games.get(&ordered(one, other))
    }

    /// The games of every two engines that met or have a test, by the indices of the two, the lower first.
    pub fn games_by_pairing(&self) -> impl Iterator<Item = ((usize, usize), &PairingGames)> {
        self.pairings.games.iter().map(|(&pairing, games)| (pairing, games))
    }

    /// The sequential test of two engines, in any order of the two.
    pub fn test_of(&self, one: usize, other: usize) -> Option<&PairingTest> {
        self.question.rule().tests().get(&ordered(one, other))
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
        self.pairings.of_engine.get(engine).copied().unwrap_or_default()
    }

    /// The number of games played here that count, and their results for a shared test, which is one of two engines.
    pub fn own_counts(&self) -> (u32, Observations) {
        let none = PairingGames::default();
        if self.pairings.of_engine.len() > 2 {
            return (self.results.len() as u32, self.tested.observations(&none.scored));
        }
        let games = self.games_of(0, 1).unwrap_or(&none);
        (games.scored.games().games() as u32, self.tested.observations(&games.scored))
    }

    /// Adds the results of all shards of a pool, including this one, which the sequential test counts. Returns the verdict, if
    /// the test has one with them.
    pub fn take_pool(&mut self, counts: Observations) -> Option<FinishReason> {
        self.question.rule_mut().take_pool(counts, None)
    }

    /// Accepts the decision of a pool, which is final. Returns whether there was no verdict before and the test agrees with the
    /// decision's counts.
    pub fn decide(&mut self, decision: &PoolDecision) -> bool {
        self.question.rule_mut().take_pool(decision.counts, Some(&decision.reason)).is_some()
    }

    /// The verdict, once nothing more is to be played for it.
    pub fn verdict(&self) -> Option<&FinishReason> {
        self.question.rule().verdict()
    }

    /// Whether a game of two engines that ends now ends after the decision on the run or on the two.
    pub fn has_decided(&self, one: usize, other: usize) -> bool {
        self.verdict().is_some() || self.has_dropped(one, other)
    }

    /// Whether the remaining games of two engines are not played because their test, one of several, has ended.
    pub fn has_dropped(&self, one: usize, other: usize) -> bool {
        self.games_of(one, other).is_some_and(|games| games.dropped > 0)
    }

    /// Whether a game has its result.
    pub fn has_result(&self, game: u32) -> bool {
        self.results.contains_key(&game)
    }

    /// Whether nothing more is to be played: there is a verdict, or every game has its result or was dropped and no more are to
    /// come.
    pub fn is_over(&self) -> bool {
        let games = self.to_play();
        self.verdict().is_some()
            || self.question.rule().to_come().is_none()
                && self.results.range(games.range()).count() as u32 + self.dropped == games.len()
    }

    /// Whether an engine may have to play again, according to the results.
    pub fn may_need(&self, engine: usize) -> bool {
        self.question.rule().may_need(engine)
    }

    /// Passes the results of finished stages to the question, and adds the stages that it then knows.
    fn grow(&mut self) {
        loop {
            let all_taken = self.taken == self.stages.len();
            let rule = self.question.rule_mut();
            if let Some(next) = self.stages.last().and_then(|last| rule.next_stage(last, all_taken)) {
                self.stages.push(next);
                continue;
            }
            let Some(stage) = self.stages.get(self.taken).filter(|stage| self.is_over_in(stage)) else {
                return;
            };
            let games = self.results.range(stage.games());
            let games: Vec<_> =
                games.filter_map(|(&game, &result)| Some((stage.pairing(game)?, result))).collect();
            self.question.rule_mut().take_stage(&games);
            self.taken += 1;
        }
    }

    /// Whether all games of a stage and of those before it have their results.
    fn is_over_in(&self, stage: &Stage) -> bool {
        let games = stage.games();
        self.results.len() >= games.end as usize && self.results.range(games.clone()).count() == games.len()
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
                playing
                    .extend(Some(pairing).filter(|pairing| !self.has_dropped(pairing.white, pairing.black)));
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

#[cfg(test)]
mod tests {
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

    fn of(format: &str, engines: usize, games: u32) -> Schedule {
        let lines = format!("games = {games}\nformat = '{format}'\nbook.path = 'x'");
        Schedule::new(&RunConfig::made_up(&vec!["x"; engines], &lines))
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
        for pairing in shards[1].pairings() {
            second.add(&GameRecord::of_pairing(pairing, GameResult::Draw));
        }
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
                let mut schedule = of(&format!("knockout,extra-pairs={extra_pairs}"), engines, 2 * games);
                let record = |pairing: Pairing| GameRecord::of_pairing(pairing, result(pairing.game, seed));
                schedule.play_out(in_flight, order, record);
                schedule
            });
            prop_assert!(in_order.is_over());
            prop_assert_eq!(shuffled, in_order);
        }
    }
}
