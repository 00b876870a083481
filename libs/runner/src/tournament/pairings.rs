//! The games of each pairing of a run, each counted once, and the sequential tests that end them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FinishReason, GameRecord, PoolDecision, RunConfig};
use stats::{
    KnownMoves, Llr, Observations, PairCounter, Pentanomial, Sprt, SprtBounds, SprtEstimate, SprtFutility,
    SprtStatus, Wdl,
};

/// A sequential test and its current state.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct SprtSummary {
    /// The hypotheses and the error probabilities; if there are several tests, each has a share of alpha.
    pub test: Sprt,
    /// The log-likelihood ratio of the completed pairs, or of single games if openings are not played in pairs.
    pub llr: Llr,
    /// The ratio at which H0 is accepted.
    pub lower: Llr,
    /// The ratio at which H1 is accepted.
    pub upper: Llr,
    /// Which hypothesis is accepted, if any.
    pub status: SprtStatus,
    /// Whether this test, one of several, was given up because the remaining games were unlikely to lead to H1.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given_up: bool,
}

impl SprtSummary {
    /// The state of the test after these results.
    pub fn new(test: &Sprt, observations: &Observations) -> SprtSummary {
        let (llr, bounds) = (observations.llr(test), test.bounds(observations));
        let SprtBounds { lower, upper } = bounds;
        SprtSummary { test: *test, llr, lower, upper, status: bounds.status(llr), given_up: false }
    }

    /// Whether a hypothesis is accepted. An estimate from the games up to that point is too far from 0.
    pub fn is_decided(&self) -> bool {
        self.status != SprtStatus::Continue
    }

    /// Whether the test has decided or was given up.
    pub fn is_over(&self) -> bool {
        self.given_up || self.is_decided()
    }
}

/// The games of two engines, from the point of view of the one that the configuration lists first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairingGames {
    /// The games that count.
    pub scored: PairCounter,
    /// The games that ended after the decision of a test.
    pub after_decision: Wdl,
    /// The test of the pairing, if it has one.
    pub sprt: Option<SprtSummary>,
    /// What the test counts, if that includes games played elsewhere.
    #[serde(default)]
    pub counted: Option<Observations>,
    gave_up: bool,
}

/// The games of every two engines of a run that met or have a test, by the indices of the two, the lower first.
///
/// The final verdicts depend on the games that count and not on their order, since no game counts that ended after the verdict
/// on its pairing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Pairings {
    #[serde(with = "as_list")]
    games: BTreeMap<(usize, usize), PairingGames>,
    /// The pairs of each engine, from its point of view, without repeated ones.
    of_engine: Vec<Pentanomial>,
    /// The games after a decision, from the point of view of the first of their two engines.
    pub(super) after_decision: Wdl,
    /// The number of games that repeat an earlier one.
    pub(super) repeated: u64,
    /// The number of games of each pairing in the schedule.
    planned: u32,
    /// The chance of accepting H1 below which a test is given up.
    give_up: Option<f64>,
    tested: Tested,
    /// Whether the tests end games, which they do in a run that has all its games.
    decide: bool,
    /// The number of tests. If there are several, each ends the games of its pairing.
    tests: usize,
    /// Whether the first H1 ends the run.
    stops_at_first: bool,
    /// Why nothing is left to play: all tests have ended, or the first H1 is enough. H1 if any test accepted it, H0 if all
    /// accepted H0. It stays the same, whatever games follow.
    pub(super) verdict: Option<FinishReason>,
    known: KnownMoves,
}

/// A map as a list, since JSON keys are strings.
mod as_list {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        map: &BTreeMap<impl Serialize, impl Serialize>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>, K: Deserialize<'a> + Ord, V: Deserialize<'a>>(
        deserializer: D,
    ) -> Result<BTreeMap<K, V>, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}

impl Pairings {
    /// The pairings of this many engines, without tests.
    pub(super) fn of_engines(engines: usize, planned: u32) -> Pairings {
        Pairings {
            games: BTreeMap::new(),
            of_engine: vec![Pentanomial::default(); engines],
            after_decision: Wdl::default(),
            repeated: 0,
            planned,
            give_up: None,
            tested: Tested::default(),
            decide: false,
            tests: 0,
            stops_at_first: false,
            verdict: None,
            known: KnownMoves::default(),
        }
    }

    /// The pairings of a run before its first game.
    pub(super) fn of_run(config: &RunConfig) -> Pairings {
        let mut pairings = Pairings {
            give_up: config.give_up,
            tested: Tested {
                trinomial: config.trinomial,
                repeats: config.test_repeats,
                earlier: config.earlier,
                pooled: config.pool.as_ref().map(|_| Observations::none(config.trinomial)),
            },
            decide: config.is_whole(),
            stops_at_first: config.stop_at_first,
            ..Pairings::of_engines(config.engines.len(), config.games)
        };
        if let Some(test) = config.sprt_of_pairing() {
            let tested = config.encounters();
            pairings.tests = tested.len();
            for (one, other) in tested {
                let games = pairings.games.entry(ordered(one, other)).or_default();
                games.look(&test, &pairings.tested);
            }
        }
        pairings
    }

    pub(super) fn add(&mut self, record: &GameRecord) {
        let pairing = ordered(record.white, record.black);
        let Some(outcome) = record.outcome(pairing.0).filter(|_| pairing.1 < self.of_engine.len()) else {
            return;
        };
        let games = self.games.entry(pairing).or_default();
        if record.after_decision {
            games.after_decision.record(outcome);
            self.after_decision.record(outcome);
            return;
        }
        let (pairs, new) = (games.scored.pairs().pairs(), games.scored.new_pairs());
        let repeated = games.scored.repeats().games.games();
        let key = KnownMoves::key([record.white, record.black], record.moves_hash());
        games.scored.record(record.pair, outcome, key, &mut self.known);
        self.repeated += games.scored.repeats().games.games() - repeated;
        let added = games.scored.new_pairs() - new;
        self.of_engine[pairing.0] += added;
        self.of_engine[pairing.1] += added.reversed();
        let is_news = self.tested.trinomial || games.scored.pairs().pairs() > pairs;
        if let Some(test) = games.sprt.map(|sprt| sprt.test).filter(|_| is_news) {
            let left = u64::from(self.planned / 2).saturating_sub(games.scored.pairs().pairs());
            let pairs = games.scored.new_pairs();
            let sprt = games.look(&test, &self.tested);
            let gave_up = self.decide && !sprt.is_decided() && is_futile(&test, &pairs, left, self.give_up);
            sprt.given_up = gave_up && self.tests > 1;
            games.gave_up = gave_up;
            self.verdict = self.verdict.take().or_else(|| self.verdict_by_now());
        }
    }

    /// The games of two engines, in any order of the two.
    pub(super) fn of(&self, one: usize, other: usize) -> Option<&PairingGames> {
        self.games.get(&ordered(one, other))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = ((usize, usize), &PairingGames)> {
        self.games.iter().map(|(&pairing, games)| (pairing, games))
    }

    /// The estimate after the test of two engines, or as if it ended here; `None` without a test that ends games.
    pub(super) fn estimate(&self, one: usize, other: usize) -> Option<SprtEstimate> {
        let games = self.of(one, other).filter(|_| self.decide)?;
        let pairs = u64::from(self.planned / 2);
        let futility = self.give_up.map(|chance| SprtFutility { chance, pairs, gave_up: games.gave_up });
        games.sprt?.test.estimate(&self.tested.observations(&games.scored), futility)
    }

    /// The pairs of an engine, from its point of view, without repeated ones.
    pub(super) fn pairs_of(&self, engine: usize) -> Pentanomial {
        self.of_engine.get(engine).copied().unwrap_or_default()
    }

    /// Whether the test of two engines has a verdict.
    pub(super) fn is_decided(&self, one: usize, other: usize) -> bool {
        self.decide && self.of(one, other).is_some_and(PairingGames::has_verdict)
    }

    /// Whether the remaining games of two engines are dropped, because their test, one of several, has a verdict.
    pub(super) fn is_dropped(&self, one: usize, other: usize) -> bool {
        self.tests > 1 && self.is_decided(one, other)
    }

    /// The number of dropped games without a result.
    pub(super) fn dropped(&self) -> u32 {
        if self.tests < 2 || !self.decide {
            return 0;
        }
        let dropped = self.iter().filter(|((first, second), _)| self.is_dropped(*first, *second));
        dropped.map(|(_, games)| self.planned - games.played() as u32).sum()
    }

    pub(super) fn may_need(&self, engine: usize) -> bool {
        let mut open = self.iter().filter(|(_, games)| games.sprt.is_some() && !games.has_verdict());
        !(self.decide && self.tests > 1)
            || open.any(|((first, second), _)| first == engine || second == engine)
    }

    pub(super) fn own_counts(&self) -> Option<(u32, Observations)> {
        let none = PairingGames::default();
        let games = if self.of_engine.len() == 2 { self.of(0, 1).unwrap_or(&none) } else { return None };
        let counts = Tested { earlier: None, pooled: None, ..self.tested }.observations(&games.scored);
        Some((games.scored.games().games() as u32, counts))
    }

    pub(super) fn take_pool(&mut self, counts: Observations) -> Option<FinishReason> {
        if self.verdict.is_some() || !counts.are_like(self.tested.trinomial) {
            return None;
        }
        self.tested.pooled = Some(counts);
        let games = self.games.get_mut(&(0, 1))?;
        let test = games.sprt?.test;
        match games.look(&test, &self.tested).status {
            SprtStatus::AcceptH0 => Some(FinishReason::AcceptedH0),
            SprtStatus::AcceptH1 => Some(FinishReason::AcceptedH1),
            SprtStatus::Continue => None,
        }
    }

    pub(super) fn decide(&mut self, decision: &PoolDecision) -> bool {
        let mut decided = self.clone();
        let is_borne_out = decided.take_pool(decision.counts).as_ref() == Some(&decision.reason);
        if is_borne_out {
            *self = Pairings { verdict: Some(decision.reason.clone()), ..decided };
        }
        is_borne_out
    }

    fn verdict_by_now(&self) -> Option<FinishReason> {
        let tests = || self.games.values().filter(|games| games.sprt.is_some());
        let count = |status| {
            let accepted = tests().filter_map(|games| games.sprt).filter(|sprt| sprt.status == status);
            accepted.count()
        };
        let (h0, h1) = (count(SprtStatus::AcceptH0), count(SprtStatus::AcceptH1));
        let is_open = tests().any(|games| !games.has_verdict());
        if !self.decide || is_open && !(self.stops_at_first && h1 > 0) {
            return None;
        }
        Some(match h1 {
            0 if h0 == tests().count() => FinishReason::AcceptedH0,
            0 => FinishReason::GaveUp,
            _ => FinishReason::AcceptedH1,
        })
    }
}

/// What the tests count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Tested {
    /// Whether single games are counted.
    trinomial: bool,
    /// Whether repeated games are counted.
    repeats: bool,
    /// The results of games that were played elsewhere, which are counted first.
    earlier: Option<Observations>,
    /// The results of all shards, if they have a pool; they are counted instead of the games played here.
    #[serde(default)]
    pooled: Option<Observations>,
}

impl Tested {
    fn observations(&self, scored: &PairCounter) -> Observations {
        if let Some(pooled) = self.pooled {
            return self.earlier.map_or(pooled, |earlier| earlier + pooled);
        }
        let (games, pairs) = (*scored.games(), *scored.pairs());
        let all = match self.earlier {
            Some(Observations::Pairs(earlier)) => Observations::Pairs(earlier + pairs),
            Some(Observations::Games(earlier)) => Observations::Games(earlier + games),
            None if self.trinomial => Observations::Games(games),
            None => Observations::Pairs(pairs),
        };
        if self.repeats { all } else { scored.repeats().left_out_of(all) }
    }
}

impl PairingGames {
    /// Updates the test by the games so far.
    fn look(&mut self, test: &Sprt, tested: &Tested) -> &mut SprtSummary {
        let observed = tested.observations(&self.scored);
        self.counted = (tested.pooled.is_some() || tested.earlier.is_some()).then_some(observed);
        self.sprt.insert(SprtSummary::new(test, &observed))
    }

    fn has_verdict(&self) -> bool {
        self.gave_up || self.sprt.is_some_and(|sprt| sprt.is_decided())
    }

    fn played(&self) -> u64 {
        self.scored.games().games() + self.after_decision.games()
    }
}

/// Whether the remaining pairs would hardly make a test accept H1.
fn is_futile(test: &Sprt, pairs: &Pentanomial, left: u64, give_up: Option<f64>) -> bool {
    let chance = give_up.and_then(|least| Some((test.chance_of_h1(pairs, left)?, least)));
    left > 0 && chance.is_some_and(|(chance, least)| chance < least)
}

fn ordered(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pairing, Schedule};
    use referee::GameResult;

    /// Three candidates against one base, the last engine.
    fn config(games: u32) -> RunConfig {
        let lines = format!(
            "games = {games}\nbook.path = 'x'\nformat = 'gauntlet,challengers=3'\n\
             sprt = {{ elo0 = 0.0, elo1 = 200.0, alpha = 0.05, beta = 0.05, model = 'logistic' }}"
        );
        RunConfig::made_up(&["good", "bad", "same", "base"], &lines)
    }

    /// Of eight pairs, the first candidate wins seven, the second one, and the third five, which is between the hypotheses.
    fn record(pairing: Pairing) -> GameRecord {
        let candidate = pairing.white.min(pairing.black);
        let wins = match (candidate, pairing.round % 8) {
            (0, place) => place != 3,
            (1, place) => place == 3,
            (_, place) => place % 3 != 2 && place != 7,
        };
        let white_wins = wins == (pairing.white == candidate);
        let result = if white_wins { GameResult::WhiteWins } else { GameResult::BlackWins };
        GameRecord::of_pairing(pairing, result)
    }

    fn play(config: &RunConfig, in_flight: usize) -> (Vec<GameRecord>, Schedule, Option<FinishReason>) {
        let mut schedule = Schedule::new(config);
        let ended = schedule.play_out(in_flight, 1, record);
        let verdict = schedule.verdict().cloned();
        (ended, schedule, verdict)
    }

    #[test]
    fn who_has_a_verdict_plays_no_more_and_all_others_go_on_with_the_same_openings() {
        let config = config(400);
        let (games, schedule, verdict) = play(&config, 1);
        let of = |candidate: usize| games.iter().filter(move |game| game.white.min(game.black) == candidate);
        let status = |one, other| schedule.games_of(one, other).and_then(|games| Some(games.sprt?.status));
        assert_eq!(status(3, 1), Some(SprtStatus::AcceptH0));
        assert_eq!(status(0, 3), Some(SprtStatus::AcceptH1));
        assert_eq!(status(0, 1), None, "they do not meet");
        assert!(
            of(1).count() < of(0).count() && of(0).count() < 100 && of(2).count() > 100,
            "{}",
            games.len()
        );
        let openings = |candidate| of(candidate).map(|game| game.pair / 3).collect::<Vec<_>>();
        assert!(openings(2).starts_with(&openings(0)) && openings(0).starts_with(&openings(1)));
        assert!(!schedule.may_need(0) && !schedule.may_need(1));
        assert_eq!((schedule.games() as usize, schedule.is_over()), (games.len(), true));
        assert!(games.iter().all(|game| !game.after_decision));
        assert_eq!(verdict.is_some(), schedule.has_decided(2, 3));
    }

    #[test]
    fn games_in_flight_at_a_verdict_do_not_count_and_the_order_of_the_others_does_not_matter() {
        let config = config(60);
        let (games, schedule, _) = play(&config, 7);
        assert!(games.iter().any(|game| game.after_decision));
        let mut backwards = Schedule::new(&config);
        for game in games.iter().rev() {
            backwards.add(game);
        }
        for candidate in 0..3 {
            let sprt = |schedule: &Schedule| schedule.games_of(candidate, 3).map(|games| games.sprt);
            assert_eq!(sprt(&backwards), sprt(&schedule), "{candidate}");
        }
        assert_eq!((backwards.games(), backwards.is_over()), (schedule.games(), true));
    }

    #[test]
    fn repeated_games_take_no_test_to_its_bound() {
        let text = r#"{"uci": "e2e4", "san": "e4", "time_us": 1}"#;
        let config = config(400);
        // Games of the best candidate from this many openings, over and over.
        let llr = |openings: u32| {
            let mut schedule = Schedule::new(&config);
            let pairings: Vec<Pairing> = schedule.pairings().collect();
            for pairing in pairings.into_iter().filter(|pairing| [pairing.white, pairing.black].contains(&0))
            {
                let round = pairing.round % openings;
                let moves = vec![serde_json::from_str(text).unwrap()];
                let (record, final_fen) = (record(Pairing { round, ..pairing }), round.to_string());
                schedule.add(&GameRecord { moves, final_fen, ..record });
            }
            let games = schedule.games_of(0, 3).unwrap();
            assert_eq!(games.scored.games().games(), 400);
            (games.sprt.unwrap(), games.scored.repeats().games.games())
        };
        let ((few, again), (all, none)) = (llr(5), llr(200));
        assert_eq!((few.status, again), (SprtStatus::Continue, 390));
        assert_eq!((all.status, none), (SprtStatus::AcceptH1, 0));
    }

    #[test]
    fn the_first_h1_may_be_enough() {
        let first = RunConfig { stop_at_first: true, ..config(60) };
        let ((all, ..), (games, _, verdict)) = (play(&config(60), 1), play(&first, 1));
        assert_eq!(verdict, Some(FinishReason::AcceptedH1));
        assert!(games.len() < all.len() && all.starts_with(&games), "{} of {}", games.len(), all.len());
    }

    #[test]
    fn after_a_test_that_ends_games_there_is_an_estimate_of_all_that_it_counts() {
        let config = config(60);
        let (games, schedule, _) = play(&config, 1);
        let estimate = schedule.estimate_of(2, 3).unwrap();
        assert_eq!(schedule.estimate_of(0, 1), None, "they do not meet");
        let fold = |config: &RunConfig| {
            let mut schedule = Schedule::new(config);
            assert!(games.iter().all(|game| schedule.add(game)));
            schedule.estimate_of(2, 3)
        };
        let futile = fold(&RunConfig { give_up: Some(0.3), ..config.clone() }).unwrap();
        assert_ne!(futile, estimate, "another lower bound");
        let earlier = Some(Observations::Pairs(Pentanomial::new([0, 0, 30, 20, 10])));
        let longer = fold(&RunConfig { earlier, ..config.clone() }).unwrap();
        assert!(longer.elo.margin() < estimate.elo.margin());
        let shard = RunConfig { shard: Some("1/1".parse().unwrap()), ..config };
        assert_eq!(fold(&shard), None, "all its games are played");
    }

    #[test]
    fn without_h1_the_run_says_h0_only_if_all_did() {
        let mut pairings = Pairings::of_run(&config(60));
        let tested: Vec<_> =
            pairings.iter().filter(|(_, games)| games.sprt.is_some()).map(|of| of.0).collect();
        let mut verdict = |statuses: [Option<SprtStatus>; 3]| {
            for (pairing, status) in tested.iter().zip(statuses) {
                let games = pairings.games.get_mut(pairing).unwrap();
                games.gave_up = status == Some(SprtStatus::Continue);
                games.sprt.as_mut().unwrap().status = status.unwrap_or(SprtStatus::Continue);
            }
            pairings.verdict_by_now()
        };
        let [h0, h1, gave_up] = [SprtStatus::AcceptH0, SprtStatus::AcceptH1, SprtStatus::Continue].map(Some);
        assert_eq!(verdict([h0, h0, None]), None);
        assert_eq!(verdict([h0, h0, h0]), Some(FinishReason::AcceptedH0));
        assert_eq!(verdict([h0, gave_up, h0]), Some(FinishReason::GaveUp));
        assert_eq!(verdict([h0, gave_up, h1]), Some(FinishReason::AcceptedH1));
    }

    #[test]
    fn several_tests_share_alpha_and_one_has_it_alone() {
        let several = config(60);
        assert!((several.sprt_of_pairing().unwrap().alpha() - 0.05 / 3.0).abs() < 1e-12);
        let mut one = config(60);
        one.engines.drain(..2);
        one.format = crate::Format::RoundRobin;
        assert_eq!(one.sprt_of_pairing(), one.sprt);
        one.sprt = one.sprt.map(Sprt::with_bayes_elo);
        assert_eq!(one.sprt_of_pairing(), one.sprt);
        one.sprt = config(60).sprt;
        let shard = RunConfig { shard: Some("1/2".parse().unwrap()), ..config(60) };
        assert!(!Pairings::of_run(&shard).decide);
        let message = shard.validate().unwrap_err().to_string();
        assert!(message.contains("shard: expected an SPRT of two engines"), "{message}");
        let rest = RunConfig { skipped: 2, ..one.clone() };
        assert!(Pairings::of_run(&one).decide && !Pairings::of_run(&rest).decide);
        let pairs = Observations::Pairs(Pentanomial::new([0, 0, 0, 0, 400]));
        let rest = RunConfig { earlier: Some(pairs), ..rest };
        let mut pairings = Pairings::of_run(&rest);
        assert_eq!(pairings.verdict, None);
        for game in 2..4 {
            pairings.add(&record(Schedule::new(&rest).pairing(game).unwrap()));
        }
        assert_eq!(pairings.verdict, Some(FinishReason::AcceptedH1));
        let alone = RunConfig { stop_at_first: true, ..one };
        assert!(alone.validate().unwrap_err().to_string().contains("stop_at_first"));
    }
}
