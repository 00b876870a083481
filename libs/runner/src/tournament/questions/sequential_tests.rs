//! The sequential tests of two engines, or of each of several pairings.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Rule;
use crate::tournament::pairings::{TestInput, as_list, ordered};
use crate::{FinishReason, Format, GameRecord, PairingGames, RunConfig};
use stats::{Llr, Observations, PairCounter, Sprt, SprtBounds, SprtEstimate, SprtFutility, SprtStatus};

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

/// The sequential test of two engines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairingTest {
    /// Where it stands.
    pub sprt: SprtSummary,
    observed: Observations,
    tested: TestInput,
    /// The number of complete pairs among the games played here.
    pairs: u64,
    futility: Option<SprtFutility>,
    /// Whether it ends games, which it does in a run that has all its games.
    decides: bool,
}

impl PairingTest {
    /// What it counts, if that includes games played elsewhere.
    pub fn counted(&self) -> Option<Observations> {
        (self.tested.pooled.is_some() || self.tested.earlier.is_some()).then_some(self.observed)
    }

    /// The estimate after the test, or as if the games ended here: from all that it counts, earlier results included. `None`
    /// if it does not end games. It takes milliseconds.
    pub fn estimate(&self) -> Option<SprtEstimate> {
        if self.decides { self.sprt.test.estimate(&self.observed, self.futility) } else { None }
    }

    fn look(&mut self, scored: &PairCounter) {
        self.observed = self.tested.observations(scored);
        self.pairs = scored.pairs().pairs();
        self.sprt = SprtSummary::new(&self.sprt.test, &self.observed);
        if let Some(futility) = &mut self.futility {
            let left = futility.pairs.saturating_sub(self.pairs);
            let chance = self.sprt.test.chance_of_h1(&scored.new_pairs(), left);
            let is_futile = left > 0 && chance.is_some_and(|chance| chance < futility.chance);
            futility.gave_up = is_futile && !self.sprt.is_decided();
        }
    }

    fn gave_up(&self) -> bool {
        self.futility.is_some_and(|futility| futility.gave_up)
    }

    fn is_over(&self) -> bool {
        self.decides && (self.gave_up() || self.sprt.is_decided())
    }
}

/// The tests of all pairings.
///
/// The final verdicts depend on the games that count and not on their order, since no game counts that ended after the verdict
/// on its pairing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SequentialTests {
    #[serde(with = "as_list")]
    tests: BTreeMap<(usize, usize), PairingTest>,
    /// Whether there are several, of which each ends the games of its pairing.
    several: bool,
    /// Whether the first H1 ends the run.
    stops_at_first: bool,
    /// Why nothing is left to play: all tests have ended, or the first H1 is enough. H1 if any test accepted it, H0 if all
    /// accepted H0.
    verdict: Option<FinishReason>,
}

impl Rule for SequentialTests {
    fn of_run(config: &RunConfig) -> Option<SequentialTests> {
        let observed = Observations::none(config.trinomial);
        let (pairs, pooled) = (u64::from(config.games / 2), config.pool.as_ref().map(|_| observed));
        let mut test = PairingTest {
            sprt: SprtSummary::new(&config.sprt_of_pairing()?, &observed),
            observed,
            tested: TestInput { earlier: config.earlier, pooled, ..TestInput::here(config) },
            pairs: 0,
            futility: config.give_up.map(|chance| SprtFutility { chance, pairs, gave_up: false }),
            decides: config.is_whole(),
        };
        test.look(&PairCounter::default());
        let encounters = config.encounters();
        Some(SequentialTests {
            several: encounters.len() > 1,
            tests: encounters.into_iter().map(|(one, other)| (ordered(one, other), test.clone())).collect(),
            stops_at_first: config.stop_at_first,
            verdict: None,
        })
    }

    fn problems(config: &RunConfig) -> Vec<String> {
        let several = config.has_several_tests();
        let gives_up_rightly =
            |chance: f64| !config.trinomial && config.is_whole() && chance > 0.0 && chance < 1.0;
        crate::config::found([
            (
                config.format == Format::RoundRobin && config.engines.len() > 2,
                "sprt: expected two engines or a gauntlet, found a round robin of more",
            ),
            (
                config.rounds.games == 1 && !config.trinomial,
                "rounds, games: an SPRT that is not trinomial needs the two games of an opening",
            ),
            (
                several && (config.shard.is_some() || config.skipped > 0),
                "shard, skipped: expected an SPRT of two engines; one of several pairings drops games by the results of all",
            ),
            (config.stop_at_first && !several, "stop_at_first: expected an SPRT of several pairings"),
            (
                !config.give_up.is_none_or(gives_up_rightly),
                "give_up: expected an SPRT of pairs of a whole run, and a probability between 0 and 1, both excluded",
            ),
        ])
    }

    fn take_game(&mut self, record: &GameRecord, games: &PairingGames) -> bool {
        let Some(test) = self.tests.get_mut(&ordered(record.white, record.black)) else { return false };
        let is_news = test.tested.trinomial || games.scored.pairs().pairs() > test.pairs;
        if is_news && !record.after_decision {
            test.look(&games.scored);
            test.sprt.given_up = self.several && test.decides && test.gave_up();
        }
        let is_over = self.several && test.is_over();
        self.verdict = self.verdict.take().or_else(|| self.verdict_by_now());
        is_over
    }

    fn take_pool(&mut self, counts: Observations, told: Option<&FinishReason>) -> Option<FinishReason> {
        let test = self.tests.get_mut(&(0, 1)).filter(|_| self.verdict.is_none())?;
        if !counts.are_like(test.tested.trinomial) {
            return None;
        }
        let mut seen = test.clone();
        seen.tested.pooled = Some(counts);
        // The pool's results include the games played here.
        seen.look(&PairCounter::default());
        let reason = match seen.sprt.status {
            SprtStatus::AcceptH0 => Some(FinishReason::AcceptedH0),
            SprtStatus::AcceptH1 => Some(FinishReason::AcceptedH1),
            SprtStatus::Continue => None,
        };
        if told.is_none_or(|told| reason.as_ref() == Some(told)) {
            *test = seen;
            self.verdict = told.cloned();
            return reason;
        }
        None
    }

    fn tests(&self) -> &BTreeMap<(usize, usize), PairingTest> {
        &self.tests
    }

    fn may_need(&self, engine: usize) -> bool {
        let mut open = self.tests.iter().filter(|(_, test)| !test.is_over());
        !self.several || open.any(|(pair, _)| pair.0 == engine || pair.1 == engine)
    }

    fn verdict(&self) -> Option<&FinishReason> {
        self.verdict.as_ref()
    }
}

impl SequentialTests {
    fn verdict_by_now(&self) -> Option<FinishReason> {
        let over = || self.tests.values().filter(|test| test.is_over());
        let count = |status| over().filter(|test| test.sprt.status == status).count();
        let (h0, h1) = (count(SprtStatus::AcceptH0), count(SprtStatus::AcceptH1));
        if over().count() < self.tests.len() && !(self.stops_at_first && h1 > 0) {
            return None;
        }
        Some(match h1 {
            0 if h0 == self.tests.len() => FinishReason::AcceptedH0,
            0 => FinishReason::GaveUp,
            _ => FinishReason::AcceptedH1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pairing, Schedule};
    use stats::Pentanomial;

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
        let (candidate, base) = ordered(pairing.white, pairing.black);
        let wins = match (candidate, pairing.round % 8) {
            (0, place) => place != 3,
            (1, place) => place == 3,
            (_, place) => place % 3 != 2 && place != 7,
        };
        GameRecord::won_by(if wins { candidate } else { base }, pairing)
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
        let status = |one, other| schedule.test_of(one, other).map(|test| test.sprt.status);
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
            let sprt = |schedule: &Schedule| schedule.test_of(candidate, 3).map(|test| test.sprt);
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
            (schedule.test_of(0, 3).unwrap().sprt, games.scored.repeats().games.games())
        };
        let ((few, again), (all, none)) = (llr(5), llr(200));
        assert_eq!((few.status, again), (SprtStatus::Continue, 390));
        assert_eq!((all.status, none), (SprtStatus::AcceptH1, 0));
    }

    #[test]
    fn after_a_test_that_ends_games_there_is_an_estimate_of_all_that_it_counts() {
        let config = config(60);
        let (games, schedule, _) = play(&config, 1);
        let estimate = schedule.test_of(2, 3).unwrap().estimate().unwrap();
        assert_eq!(schedule.test_of(0, 1), None, "they do not meet");
        let fold = |config: &RunConfig| {
            let mut schedule = Schedule::new(config);
            assert!(games.iter().all(|game| schedule.add(game)));
            schedule.test_of(2, 3)?.estimate()
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
        let mut tests = SequentialTests::of_run(&config(60)).unwrap();
        let mut verdict = |statuses: [Option<SprtStatus>; 3]| {
            for (test, status) in tests.tests.values_mut().zip(statuses) {
                let gave_up = status == Some(SprtStatus::Continue);
                test.futility = Some(SprtFutility { chance: 0.1, pairs: 30, gave_up });
                test.sprt.status = status.unwrap_or(SprtStatus::Continue);
            }
            tests.verdict_by_now()
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
        one.format = Format::RoundRobin;
        assert_eq!(one.sprt_of_pairing(), one.sprt);
        one.sprt = one.sprt.map(Sprt::with_bayes_elo);
        assert_eq!(one.sprt_of_pairing(), one.sprt);
        one.sprt = config(60).sprt;
        let shard = RunConfig { shard: Some("1/2".parse().unwrap()), ..config(60) };
        let decides =
            |config: &RunConfig| Schedule::new(config).test_of(0, config.engines.len() - 1).unwrap().decides;
        assert!(!decides(&shard));
        let rest = RunConfig { skipped: 2, ..one.clone() };
        assert!(decides(&one) && !decides(&rest));
        let pairs = Observations::Pairs(Pentanomial::new([0, 0, 0, 0, 400]));
        let rest = RunConfig { earlier: Some(pairs), ..rest };
        let mut schedule = Schedule::new(&rest);
        assert_eq!(schedule.verdict(), None);
        for game in 2..4 {
            schedule.add(&record(schedule.pairing(game).unwrap()));
        }
        assert_eq!(schedule.verdict(), Some(&FinishReason::AcceptedH1));
    }
}
