//! The SPSA of a tuning run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Rule;
use crate::{FinishReason, GameRecord, PairingGames, RunConfig, UciSetting};
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

    fn settings(&self, pair: u32) -> Option<[Vec<UciSetting>; 2]> {
        let parameters = &self.spsa.plan().parameters;
        let settings = |values: &Vec<f64>| {
            let pairs = parameters.iter().zip(values);
            let setting = pairs.map(|(parameter, &value)| UciSetting {
                name: parameter.name.clone(),
                value: Some(parameter.text(value)),
            });
            setting.collect()
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
    use crate::{Question, Schedule};
    use referee::GameResult;

    #[test]
    fn a_tuning_is_over_when_little_is_left_to_gain_and_its_values_are_those_of_then() {
        let played = |worth: f64, in_flight| {
            let lines = format!(
                "games = 1400\nbook.path = 'x'\nspsa.pairs = 700\nspsa.delay = 8\nspsa.seed = 1\n\
                 spsa.steps.learned.worth = {worth:?}\nspsa.parameters = [{{ name = 'Margin', type = 'int', \
                 value = 5.0, min = 0.0, max = 10.0, c_end = 1.0, r_end = 1.0 }}]"
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
