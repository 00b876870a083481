//! The sequential tests of a run, one for each pairing.

use std::collections::BTreeMap;

use crate::{FinishReason, GameRecord, RunConfig};
use referee::Side;
use stats::{PairCounter, Pentanomial, Sprt, SprtStatus};

/// The verdict of the test of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingVerdict {
    /// The test accepted H0.
    AcceptedH0,
    /// The test accepted H1.
    AcceptedH1,
    /// The test was given up: the games left would hardly take it to H1.
    GaveUp,
}

/// The tests of all pairings with the games that they count. A pairing is that of the engines with two indices, seen by
/// the first.
///
/// In the end the verdicts depend on the games that count and not on their order, since no game counts that ended after
/// the verdict on its pairing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PairingTests {
    rule: TestRule,
    /// Whether the first H1 ends the run.
    stops_at_first: bool,
    pairings: BTreeMap<(usize, usize), CountedGames>,
}

/// The test that each pairing has.
#[derive(Clone, Copy, Debug, PartialEq)]
struct TestRule {
    sprt: Sprt,
    /// The chance of H1 below which a test is given up.
    give_up: Option<f64>,
    /// The pairs of each pairing.
    planned_pairs: u64,
    /// Whether single games are counted.
    trinomial: bool,
}

/// The games of a pairing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct CountedGames {
    games: PairCounter,
    verdict: Option<PairingVerdict>,
}

impl PairingTests {
    /// The tests of a run without games; `None` if it has none, or its games are not the whole.
    pub(crate) fn of_run(config: &RunConfig) -> Option<PairingTests> {
        let sprt = config.sprt_of_pairing().filter(|_| config.is_whole())?;
        let rule = TestRule {
            sprt,
            give_up: config.give_up,
            planned_pairs: u64::from(config.games) / 2,
            trinomial: config.trinomial,
        };
        let earlier = config.earlier.map(PairCounter::after).unwrap_or_default();
        let counted = CountedGames { games: earlier, verdict: None };
        let pairings = config.encounters().into_iter().map(|pairing| (pairing, counted.clone()));
        Some(PairingTests { rule, stops_at_first: config.stop_at_first, pairings: pairings.collect() })
    }

    /// How many tests there are.
    pub(crate) fn len(&self) -> usize {
        self.pairings.len()
    }

    /// Counts a game, unless it has no result or ended after the verdict.
    pub(crate) fn add(&mut self, record: &GameRecord) {
        let pairing = pairing_of(record);
        let Some(outcome) = record.scored_outcome(pairing.0) else { return };
        if let Some(counted) = self.pairings.get_mut(&pairing) {
            counted.games.record(record.pair, outcome);
            counted.verdict = self.rule.verdict(&counted.games);
        }
    }

    /// The verdict on two engines, if there is one. The order of the two does not matter.
    pub(crate) fn verdict_on(&self, one: usize, other: usize) -> Option<PairingVerdict> {
        self.pairings.get(&(one.min(other), one.max(other)))?.verdict
    }

    /// The pairings that have their verdict.
    pub(crate) fn decided(&self) -> impl Iterator<Item = (usize, usize)> {
        let decided = self.pairings.iter().filter(|(_, counted)| counted.verdict.is_some());
        decided.map(|(&pairing, _)| pairing)
    }

    /// Whether an engine has a test without a verdict.
    pub(crate) fn needs(&self, engine: usize) -> bool {
        let mut open = self.pairings.iter().filter(|(_, counted)| counted.verdict.is_none());
        open.any(|(&(first, second), _)| first == engine || second == engine)
    }

    /// Whether there is nothing more to play: all tests have their verdict, or the first H1 is enough. H1 if any test
    /// accepted it, H0 if all did.
    pub(crate) fn verdict(&self) -> Option<FinishReason> {
        let count = |verdict| self.pairings.values().filter(|counted| counted.verdict == verdict).count();
        let (open, h1) = (count(None), count(Some(PairingVerdict::AcceptedH1)));
        if open > 0 && !(self.stops_at_first && h1 > 0) {
            return None;
        }
        let all_h0 = count(Some(PairingVerdict::AcceptedH0)) == self.len();
        Some(match h1 {
            0 if all_h0 => FinishReason::AcceptedH0,
            0 => FinishReason::GaveUp,
            _ => FinishReason::AcceptedH1,
        })
    }
}

impl TestRule {
    fn verdict(&self, games: &PairCounter) -> Option<PairingVerdict> {
        match self.sprt.status(games.observations(self.trinomial).llr(&self.sprt)) {
            SprtStatus::Continue => self.is_futile(games.pairs()).then_some(PairingVerdict::GaveUp),
            SprtStatus::AcceptH0 => Some(PairingVerdict::AcceptedH0),
            SprtStatus::AcceptH1 => Some(PairingVerdict::AcceptedH1),
        }
    }

    /// Whether the pairs that are left would hardly take the test to H1.
    fn is_futile(&self, pairs: &Pentanomial) -> bool {
        let left = self.planned_pairs.saturating_sub(pairs.pairs());
        let chance = self.give_up.and_then(|least| Some((self.sprt.chance_of_h1(pairs, left)?, least)));
        left > 0 && chance.is_some_and(|(chance, least)| chance < least)
    }
}

/// The engines of a game, the one that the configuration lists first before the other.
fn pairing_of(record: &GameRecord) -> (usize, usize) {
    (record.white.min(record.black), record.white.max(record.black))
}

/// Counts finished games and decides when the run ends.
#[derive(Debug)]
pub(crate) struct StopRule {
    tests: Option<PairingTests>,
    start_attempts: u32,
    /// How often in a row each engine failed to start.
    failed_starts: Vec<u32>,
    verdict: Option<FinishReason>,
}

impl StopRule {
    pub(crate) fn new(config: &RunConfig) -> StopRule {
        StopRule {
            tests: PairingTests::of_run(config),
            start_attempts: config.start_attempts,
            failed_starts: vec![0; config.engines.len()],
            verdict: None,
        }
    }

    /// Takes note of a finished game; `unready` is whether it was lost by an engine that did not get ready to play.
    pub(crate) fn add(&mut self, record: &GameRecord, unready: bool) {
        self.count_failed_starts(record, unready);
        if let Some(tests) = &mut self.tests {
            tests.add(record);
            self.verdict = self.verdict.take().or_else(|| tests.verdict());
        }
    }

    fn count_failed_starts(&mut self, record: &GameRecord, unready: bool) {
        for side in [Side::White, Side::Black] {
            let engine = record.engine(side);
            let count = &mut self.failed_starts[engine];
            if unready && record.offender == Some(side) {
                *count += 1;
            } else if !unready {
                *count = 0;
            }
            if *count >= self.start_attempts && self.verdict.is_none() {
                let detail = record.detail.clone().unwrap_or_default();
                self.verdict = Some(FinishReason::EngineDoesNotStart { engine, detail });
            }
        }
    }

    /// Why no further game is to be started, if so.
    pub(crate) fn verdict(&self) -> Option<&FinishReason> {
        self.verdict.as_ref()
    }

    /// Whether a game that ends now ends after the decision: that on the run, or that on its pairing.
    pub(crate) fn has_decided(&self, record: &GameRecord) -> bool {
        let on_run = matches!(
            self.verdict,
            Some(FinishReason::AcceptedH0 | FinishReason::AcceptedH1 | FinishReason::GaveUp)
        );
        let on_pairing = self.tests.as_ref().and_then(|tests| tests.verdict_on(record.white, record.black));
        on_run || on_pairing.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pairing, Schedule};
    use referee::GameResult;
    use stats::Observations;

    /// Three candidates against one base, the last engine.
    fn config(games: u32) -> RunConfig {
        let engines = ["good", "bad", "same", "base"];
        let engines = engines.map(|name| format!("[[engine]]\nname = '{name}'\nprogram = '{name}'\n"));
        let text = format!(
            "games = {games}\nformat = 'gauntlet,challengers=3'\n[limits]\nnodes = 5\n[book]\npath = 'x'\n\
             [sprt]\nelo0 = 0.0\nelo1 = 200.0\nalpha = 0.05\nbeta = 0.05\nmodel = 'logistic'\n{}",
            engines.concat()
        );
        toml::from_str(&text).unwrap()
    }

    /// The candidates by their numbers: of eight pairs the first wins seven, the second one, the third five, which is
    /// between the hypotheses.
    fn record(pairing: Pairing) -> GameRecord {
        let candidate = pairing.white.min(pairing.black);
        let wins = match (candidate, pairing.round % 8) {
            (0, place) => place != 3,
            (1, place) => place == 3,
            (_, place) => place % 3 != 2 && place != 7,
        };
        let white_wins = wins == (pairing.white == candidate);
        let result = if white_wins { GameResult::WhiteWins } else { GameResult::BlackWins };
        GameRecord {
            game: pairing.game,
            pair: pairing.pair,
            white: pairing.white,
            black: pairing.black,
            result: Some(result),
            ..GameRecord::made_up()
        }
    }

    /// Plays with so many games in flight, each of which takes as long as the others. Returns the games in the order in
    /// which they ended.
    fn play(config: &RunConfig, in_flight: usize) -> (Vec<GameRecord>, Schedule, Option<FinishReason>) {
        let (mut schedule, mut tests) = (Schedule::new(config), PairingTests::of_run(config).unwrap());
        let (mut next, mut playing, mut ended) = (0, std::collections::VecDeque::new(), Vec::new());
        loop {
            while playing.len() < in_flight && tests.verdict().is_none() {
                let Some(pairing) = schedule.pairing(next) else { break };
                next += 1;
                if !schedule.is_dropped(&pairing) {
                    playing.push_back(pairing);
                }
            }
            let Some(pairing) = playing.pop_front() else { break };
            let late = tests.verdict().is_some() || schedule.is_dropped(&pairing);
            let record = GameRecord { after_decision: late, ..record(pairing) };
            tests.add(&record);
            schedule.add(&record);
            ended.push(record);
        }
        (ended, schedule, tests.verdict())
    }

    #[test]
    fn who_has_a_verdict_plays_no_more_and_all_others_go_on_with_the_same_openings() {
        let config = config(400);
        let (games, schedule, verdict) = play(&config, 1);
        let of = |candidate: usize| games.iter().filter(move |game| game.white.min(game.black) == candidate);
        assert_eq!(schedule.verdict_on(3, 1), Some(PairingVerdict::AcceptedH0));
        assert_eq!(schedule.verdict_on(0, 3), Some(PairingVerdict::AcceptedH1));
        assert_eq!(schedule.verdict_on(0, 1), None, "they do not meet");
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
        assert_eq!(verdict.is_some(), schedule.verdict_on(2, 3).is_some());
    }

    #[test]
    fn games_in_flight_at_a_verdict_do_not_count_and_the_order_of_the_others_does_not_matter() {
        let config = config(60);
        let (games, schedule, _) = play(&config, 7);
        assert!(games.iter().any(|game| game.after_decision));
        let mut backwards = Schedule::new(&config);
        games.iter().rev().for_each(|game| backwards.add(game));
        for candidate in 0..3 {
            assert_eq!(backwards.verdict_on(candidate, 3), schedule.verdict_on(candidate, 3), "{candidate}");
        }
        assert_eq!((backwards.games(), backwards.is_over()), (schedule.games(), true));
    }

    #[test]
    fn the_first_h1_may_be_enough() {
        let first = RunConfig { stop_at_first: true, ..config(60) };
        let ((all, ..), (games, _, verdict)) = (play(&config(60), 1), play(&first, 1));
        assert_eq!(verdict, Some(FinishReason::AcceptedH1));
        assert!(games.len() < all.len() && all.starts_with(&games), "{} of {}", games.len(), all.len());
    }

    #[test]
    fn without_h1_the_run_says_h0_only_if_all_did() {
        let mut tests = PairingTests::of_run(&config(60)).unwrap();
        let mut verdicts = |verdicts: [Option<PairingVerdict>; 3]| {
            tests
                .pairings
                .values_mut()
                .zip(verdicts)
                .for_each(|(counted, verdict)| counted.verdict = verdict);
            tests.verdict()
        };
        let [h0, h1, gave_up] =
            [PairingVerdict::AcceptedH0, PairingVerdict::AcceptedH1, PairingVerdict::GaveUp].map(Some);
        assert_eq!(verdicts([h0, h0, None]), None);
        assert_eq!(verdicts([h0, h0, h0]), Some(FinishReason::AcceptedH0));
        assert_eq!(verdicts([h0, gave_up, h0]), Some(FinishReason::GaveUp));
        assert_eq!(verdicts([h0, gave_up, h1]), Some(FinishReason::AcceptedH1));
    }

    #[test]
    fn several_tests_share_alpha_and_one_has_it_alone() {
        let several = config(60);
        assert!((several.sprt_of_pairing().unwrap().alpha() - 0.05 / 3.0).abs() < 1e-12);
        let mut one = config(60);
        one.engines.drain(..2);
        one.format = crate::Format::RoundRobin;
        assert_eq!(one.sprt_of_pairing(), one.sprt);
        one.sprt = one.sprt.map(stats::Sprt::with_bayes_elo);
        assert_eq!(one.sprt_of_pairing(), one.sprt);
        one.sprt = config(60).sprt;
        let shard = RunConfig { shard: Some("1/2".parse().unwrap()), ..config(60) };
        assert_eq!(PairingTests::of_run(&shard), None);
        let message = shard.validate().unwrap_err().to_string();
        assert!(message.contains("shard: expected an SPRT of two engines"), "{message}");
        let rest = RunConfig { skipped: 2, ..one.clone() };
        assert!(PairingTests::of_run(&one).is_some() && PairingTests::of_run(&rest).is_none());
        let pairs = Observations::Pairs(Pentanomial::new([0, 0, 0, 0, 400]));
        let rest = RunConfig { earlier: Some(pairs), ..rest };
        let mut tests = PairingTests::of_run(&rest).unwrap();
        assert_eq!(tests.verdict(), None);
        for game in 2..4 {
            let pairing = Schedule::new(&rest).pairing(game).unwrap();
            tests.add(&record(pairing));
        }
        assert_eq!(tests.verdict(), Some(FinishReason::AcceptedH1));
        let alone = RunConfig { stop_at_first: true, ..one };
        assert!(alone.validate().unwrap_err().to_string().contains("stop_at_first"));
    }
}
