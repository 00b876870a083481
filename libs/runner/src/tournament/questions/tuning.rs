//! The SPSA of a tuning run.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::Rule;
use crate::{FinishReason, GameRecord, PairingGames, PoolPlace, RunConfig, UciSetting};
use stats::Spsa;

/// The SPSA of a run. It takes the games in any order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tuning {
    spsa: Spsa,
    /// By pair with one finished game: the index of that game, and the half points of the first engine.
    open: BTreeMap<u32, (u32, usize)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    verdict: Option<FinishReason>,
}

impl Tuning {
    /// The tuning itself: its plan, and the values of the parameters after the pairs that have ended.
    pub fn spsa(&self) -> &Spsa {
        &self.spsa
    }
}

impl Rule for Tuning {
    fn of_run(config: &RunConfig) -> Option<Tuning> {
        Some(Tuning { spsa: Spsa::new(config.spsa.clone()?), open: BTreeMap::new(), verdict: None })
    }

    fn problems(config: &RunConfig) -> Vec<String> {
        let Some(plan) = &config.spsa else { return Vec::new() };
        let (expected, found) = (config.games / 2, plan.pairs);
        let wrong_pairs = format!("spsa.pairs: expected half of games, {expected}; found {found}");
        let mut problems = crate::config::found([
            (config.engines.len() != 2, "spsa: expected two engines"),
            (expected != found, &wrong_pairs),
        ]);
        let by_arbiter = config.pool.as_ref().is_some_and(|pool| pool.place == PoolPlace::Pipe);
        if config.shard.is_some() && !by_arbiter {
            problems.push("shard: several machines play a tuning by `arbiter tune --on`".to_owned());
        }
        problems.extend(plan.validate().err().map(|error| format!("spsa: {error}")));
        problems
    }

    fn take_game(&mut self, record: &GameRecord, _games: &PairingGames) -> bool {
        let (Some(outcome), game, pair) = (record.outcome(0), record.game, record.pair) else { return false };
        // The values are those of the verdict, whatever was still being played.
        if self.verdict.is_some() {
            return false;
        }
        let half_points = outcome.half_points();
        match self.open.get(&pair) {
            None => {
                self.open.insert(pair, (game, half_points));
            }
            Some(&(other, first)) if other != game => {
                self.open.remove(&pair);
                self.spsa.record(pair, (first + half_points) as i8 - 2);
                self.verdict = self.spsa.is_over().then_some(FinishReason::LittleToGain);
            }
            Some(_) => {}
        }
        false
    }

    /// Without the pairs whose scores are known. Shards, which do not hear of each other's scores, play those pairs whose
    /// values do not depend on them.
    fn open(&self, config: &RunConfig, known: Range<u32>) -> Range<u32> {
        let plan = self.spsa.plan();
        let first = 2 * plan.known.len() as u32;
        let end = first.saturating_add(2 * plan.delay + 2);
        first..if config.shard.is_some() { end.min(known.end) } else { known.end }
    }

    fn settings(&self, pair: u32) -> Option<[Vec<UciSetting>; 2]> {
        let parameters = &self.spsa.plan().parameters;
        let settings = |values: &Vec<f64>| {
            let pairs = parameters.iter().zip(values);
            pairs.map(|(parameter, &value)| UciSetting::of_parameter(parameter, value)).collect()
        };
        self.spsa.ends(pair).map(|ends| ends.each_ref().map(settings))
    }

    fn verdict(&self) -> Option<&FinishReason> {
        self.verdict.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PoolConfig, Question, Schedule};
    use referee::GameResult;
    use stats::SpsaPlan;

    const MARGIN: &str = "spsa.seed = 1\nspsa.parameters = [{ name = 'Margin', type = 'int', value = 5.0, min = 0.0, max = 10.0, \
        c_end = 1.0, r_end = 1.0 }]";

    #[test]
    fn rounds_that_machines_share_lead_to_the_values_of_one_run() {
        let lines =
            format!("games = 60\nbook.path = 'x'\nspsa.pairs = 30\nspsa.delay = 6\nspsa.steps.learned.worth = 0.0\n{MARGIN}");
        let whole = RunConfig::made_up(&["a+", "a-"], &lines);
        let score = |pair: u32| (pair.wrapping_mul(2_654_435_761) >> 13) as i8 % 3;
        let mut known = Vec::new();
        while known.len() < 30 {
            let spsa = whole.spsa.clone().map(|spsa| SpsaPlan { known: known.clone(), ..spsa });
            let pool = Some(PoolConfig { weights: vec![1, 4], ..PoolConfig::PIPE });
            let mut played: Vec<u32> = Vec::new();
            for shard in ["1/2", "2/2"].map(|shard| Some(shard.parse().unwrap())) {
                let shard = RunConfig { spsa: spsa.clone(), pool: pool.clone(), shard, ..whole.clone() };
                assert_eq!(Question::problems(&shard), [""; 0]);
                assert_eq!(shard.essence_of_all_shards(), whole.essence_of_all_shards());
                let schedule = Schedule::new(&shard);
                let pairs: Vec<u32> = schedule.pairings().map(|game| game.pair).collect();
                assert!(pairs.iter().all(|&pair| schedule.question().rule().settings(pair).is_some()));
                played.extend(pairs);
            }
            played.sort_unstable();
            let (first, end) = (known.len() as u32, (known.len() as u32 + 7).min(30));
            assert_eq!(played, (first..end).flat_map(|pair| [pair, pair]).collect::<Vec<_>>());
            known.extend((first..end).map(score));
        }
        let plan = whole.spsa.unwrap();
        let mut one = Spsa::new(plan.clone());
        (0..30).for_each(|pair| one.record(pair, score(pair)));
        assert_eq!(Spsa::new(SpsaPlan { known, ..plan }).parameters(), one.parameters());
    }

    #[test]
    fn a_tuning_is_over_when_little_is_left_to_gain_and_its_values_are_those_of_then() {
        let played = |worth: f64, in_flight| {
            let lines = format!(
                "games = 1400\nbook.path = 'x'\nspsa.pairs = 700\nspsa.delay = 8\nspsa.steps.learned.worth = {worth:?}\n{MARGIN}"
            );
            let mut schedule = Schedule::new(&RunConfig::made_up(&["a+", "a-"], &lines));
            let draw = |pairing| GameRecord::of_pairing(pairing, GameResult::Draw);
            let games = schedule.play_out(in_flight, 1, draw).len();
            let Question::Tuning(tuning) = schedule.question() else { panic!() };
            (games, schedule.verdict().cloned(), tuning.spsa().pairs())
        };
        assert_eq!(played(900.0, 1), (1000, Some(FinishReason::LittleToGain), 500));
        assert_eq!(played(900.0, 7).2, 500);
        assert_eq!(played(0.0, 7), (1400, None, 700));
    }
}
