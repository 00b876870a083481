//! The tuned values of a run, and the options of its engines.

use std::collections::BTreeMap;

use crate::{GameRecord, RunConfig, UciSetting};
use stats::Spsa;

/// The SPSA of a run. It takes the games in any order.
#[derive(Clone, Debug)]
pub struct Tuning {
    spsa: Spsa,
    /// By pair with one finished game: the index of that game, and the half points of the first engine.
    open: BTreeMap<u32, (u32, u8)>,
}

impl Tuning {
    /// The tuning before the first game; `None` if the run has none.
    ///
    /// # Panics
    /// If the plan of the configuration is not valid.
    pub fn of_run(config: &RunConfig) -> Option<Tuning> {
        let spsa = Spsa::new(config.spsa.clone()?);
        Some(Tuning { spsa, open: BTreeMap::new() })
    }

    /// The SPSA.
    pub fn spsa(&self) -> &Spsa {
        &self.spsa
    }

    /// Adds a game. Ignores games without a result and known games.
    pub fn add(&mut self, record: &GameRecord) {
        let (Some(half_points), game, pair) = (record.half_points(0), record.game, record.pair) else {
            return;
        };
        match self.open.get(&pair) {
            None => {
                self.open.insert(pair, (game, half_points));
            }
            Some(&(other, first)) if other != game => {
                self.open.remove(&pair);
                self.spsa.record(pair, (first + half_points) as i8 - 2);
            }
            Some(_) => {}
        }
    }

    /// The options of both engines in a pair, in the order of the configuration; `None` while they depend on
    /// unfinished games.
    pub(crate) fn settings(&self, pair: u32) -> Option<[Vec<UciSetting>; 2]> {
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
}
