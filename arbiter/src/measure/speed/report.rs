//! The result of a speed measurement.

use serde::{Deserialize, Serialize};

use super::comparison::SpeedComparison;
use super::engine_speed::EngineSpeed;
use stats::SpeedVerdict;

/// An engine with less CPU time than this share of the wall time shared its core with other work.
const OWN_CORE_SHARE: f64 = 0.95;

/// The speeds of the engines. `schema` changes whenever a field changes its meaning or goes away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedReport {
    /// The version of this format.
    pub schema: u32,
    /// The `go` command of every search.
    pub limit: String,
    /// Number of positions.
    pub positions: usize,
    /// Number of rounds.
    pub rounds: u32,
    /// The engines in the order given.
    pub engines: Vec<EngineSpeed>,
    /// The comparison of the first engine with each other one.
    pub comparisons: Vec<SpeedComparison>,
}

impl SpeedReport {
    /// The version that this program writes.
    pub const SCHEMA: u32 = 1;

    /// The reasons to doubt the result: other work on the machine, or an interval that is too wide.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for engine in &self.engines {
            // An engine with several threads has more CPU time than wall time.
            let share = engine.cpu_seconds.map(|cpu| cpu / engine.wall_seconds);
            if let Some(share) = share.filter(|share| *share < OWN_CORE_SHARE) {
                warnings.push(format!(
                    "{} had a CPU core for only {:.0}% of the time; stop other work on this machine and repeat",
                    engine.name,
                    share * 100.0
                ));
            }
        }
        for comparison in &self.comparisons {
            if comparison.verdict == Some(SpeedVerdict::TooNoisy) {
                warnings.push(format!(
                    "the result vs {} is too noisy to show a difference of 1%; stop other work or use more --rounds",
                    self.engines[comparison.engine].name
                ));
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::speed::sample_searches::twice;

    #[test]
    fn an_engine_that_had_to_wait_for_a_core_gives_a_warning() {
        let engine = |cpu| EngineSpeed::of("slow", &twice(1000, cpu, 100), None);
        let report = |cpu| SpeedReport {
            schema: SpeedReport::SCHEMA,
            limit: "go nodes 1000".to_owned(),
            positions: 1,
            rounds: 1,
            engines: vec![engine(cpu)],
            comparisons: Vec::new(),
        };
        assert!(report(99).warnings().is_empty());
        assert_eq!(report(80).warnings().len(), 1);
    }
}
