//! What came of the measurements.

use serde::{Deserialize, Serialize};

use super::comparison::SpeedComparison;
use super::engine_speed::EngineSpeed;
use stats::SpeedVerdict;

/// Below this share of the time an engine did not have a core to itself.
const QUIET_SHARE: f64 = 0.95;

/// The speeds of some engines. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedReport {
    /// The version of this format.
    pub schema: u32,
    /// The limit of every search, as it was sent.
    pub limit: String,
    /// How many positions were searched.
    pub positions: usize,
    /// How often each was gone through.
    pub rounds: u32,
    /// The engines in the order given.
    pub engines: Vec<EngineSpeed>,
    /// The first engine held against every other one.
    pub comparisons: Vec<SpeedComparison>,
}

impl SpeedReport {
    /// The version that this program writes.
    pub const SCHEMA: u32 = 1;

    /// What makes the result doubtful, one sentence each: other work on the machine, or too wide an interval.
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = Vec::new();
        for engine in &self.engines {
            // More than the time on the clock is several threads.
            let share = engine.cpu_seconds.map(|cpu| cpu / engine.wall_seconds);
            if let Some(share) = share.filter(|share| *share < QUIET_SHARE) {
                doubts.push(format!(
                    "{} had a core for {:.0}% of its time only: the machine has other work to do",
                    engine.name,
                    share * 100.0
                ));
            }
        }
        for comparison in &self.comparisons {
            if comparison.verdict == Some(SpeedVerdict::TooNoisy) {
                doubts.push(format!(
                    "a difference of a percent to {} could hide in the noise: quiet the machine, or take more --rounds",
                    self.engines[comparison.engine].name
                ));
            }
        }
        doubts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speed::made_up_searches::twice;

    #[test]
    fn an_engine_that_had_to_wait_for_a_core_is_a_doubt() {
        let engine = |cpu| EngineSpeed::of("slow", &twice(1000, cpu, 100), None);
        let report = |cpu| SpeedReport {
            schema: SpeedReport::SCHEMA,
            limit: "go nodes 1000".to_owned(),
            positions: 1,
            rounds: 1,
            engines: vec![engine(cpu)],
            comparisons: Vec::new(),
        };
        assert!(report(99).doubts().is_empty());
        assert_eq!(report(80).doubts().len(), 1);
    }
}
