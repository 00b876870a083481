//! What came of the measurements.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::SpeedSample;
use crate::stats::PairedRatio;

/// Below this share of the time an engine did not have a core to itself.
const QUIET_SHARE: f64 = 0.95;

/// A result that is less certain than this is called noisy.
const NOISY: f64 = 0.02;

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

/// One engine, all searches together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineSpeed {
    /// What it is called.
    pub name: String,
    /// How many searches.
    pub searches: usize,
    /// Nodes that it reported.
    pub nodes: u64,
    /// Time on our clock, in seconds.
    pub wall_seconds: f64,
    /// CPU time, in seconds; `None` where the system does not tell.
    pub cpu_seconds: Option<f64>,
    /// Nodes by time on our clock.
    pub nodes_per_second: f64,
    /// Nodes by CPU time.
    pub nodes_per_cpu_second: Option<f64>,
    /// The mean of the depths, in plies.
    pub mean_depth: f64,
    /// How full its hash table was at most, in thousandths.
    pub hashfull: Option<u32>,
    /// The most memory that it held, in megabytes.
    pub memory_mb: Option<f64>,
}

/// The first engine held against another one, position by position: above 1 the first is faster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedComparison {
    /// The index of the other engine.
    pub engine: usize,
    /// Nodes by CPU time, where that is known; `None` when there are not enough searches.
    pub by_cpu_time: Option<PairedRatio>,
    /// Nodes by time on our clock.
    pub by_wall_time: Option<PairedRatio>,
    /// The time of the searches on our clock, the other engine's by the first one's: what counts where depth is the
    /// limit.
    pub time: Option<PairedRatio>,
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
            let uncertainty = comparison.nodes_per_second().map(PairedRatio::uncertainty);
            if let Some(uncertainty) = uncertainty.filter(|uncertainty| *uncertainty > NOISY) {
                doubts.push(format!(
                    "the difference to {} cannot be told to better than ±{:.1}%: quiet the machine, or take more --rounds",
                    self.engines[comparison.engine].name,
                    uncertainty * 100.0
                ));
            }
        }
        doubts
    }
}

impl EngineSpeed {
    /// Sums up the searches of an engine.
    pub fn of(name: &str, samples: &[SpeedSample], peak_memory: Option<u64>) -> EngineSpeed {
        let nodes: u64 = samples.iter().map(|sample| sample.nodes).sum();
        let wall = samples.iter().map(|sample| sample.wall).sum::<Duration>().as_secs_f64();
        let cpu: Option<Duration> = samples.iter().map(|sample| sample.cpu).sum();
        let cpu = cpu.map(|cpu| cpu.as_secs_f64()).filter(|cpu| *cpu > 0.0);
        let depths: f64 = samples.iter().map(|sample| f64::from(sample.depth)).sum();
        EngineSpeed {
            name: name.to_owned(),
            searches: samples.len(),
            nodes,
            wall_seconds: wall,
            cpu_seconds: cpu,
            nodes_per_second: nodes as f64 / wall,
            nodes_per_cpu_second: cpu.map(|cpu| nodes as f64 / cpu),
            mean_depth: depths / samples.len().max(1) as f64,
            hashfull: samples.iter().filter_map(|sample| sample.hashfull).max(),
            memory_mb: peak_memory.map(|bytes| bytes as f64 / (1024.0 * 1024.0)),
        }
    }
}

impl SpeedComparison {
    /// Compares the searches of the first engine with those of another, two and two for each position.
    pub fn of(engine: usize, pairs: &[([SpeedSample; 2], [SpeedSample; 2])]) -> SpeedComparison {
        let ratios = |value: &dyn Fn(&[SpeedSample; 2]) -> Option<f64>| {
            let ratios: Option<Vec<f64>> =
                pairs.iter().map(|(first, other)| Some(value(first)? / value(other)?)).collect();
            ratios.and_then(|ratios| PairedRatio::of(&ratios))
        };
        let nodes = |two: &[SpeedSample; 2]| (two[0].nodes + two[1].nodes) as f64;
        let wall = |two: &[SpeedSample; 2]| (two[0].wall + two[1].wall).as_secs_f64();
        let cpu = |two: &[SpeedSample; 2]| Some((two[0].cpu? + two[1].cpu?).as_secs_f64());
        SpeedComparison {
            engine,
            by_cpu_time: ratios(&|two| Some(nodes(two) / cpu(two)?)),
            by_wall_time: ratios(&|two| Some(nodes(two) / wall(two))),
            time: ratios(&|two| Some(1.0 / wall(two))),
        }
    }

    /// The ratio that the verdict is about: by CPU time where that is known, since other work on the machine does not
    /// enter it.
    pub fn nodes_per_second(&self) -> Option<&PairedRatio> {
        self.by_cpu_time.as_ref().or(self.by_wall_time.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(nodes: u64, cpu: u64, wall: u64) -> SpeedSample {
        let [cpu, wall] = [cpu, wall].map(Duration::from_millis);
        SpeedSample { wall, cpu: Some(cpu), nodes, depth: 10, hashfull: Some(5) }
    }

    #[test]
    fn what_others_do_on_the_machine_does_not_enter_the_ratio() {
        let pair = |wall| ([sample(1000, 50, wall); 2], [sample(1000, 100, 100); 2]);
        let comparison = SpeedComparison::of(1, &[pair(90), pair(400), pair(70)]);
        let ratio = comparison.nodes_per_second().unwrap();
        assert!((ratio.ratio - 2.0).abs() < 1e-9 && ratio.is_clear());
        assert!(comparison.by_wall_time.unwrap().ratio < 1.5);
    }

    #[test]
    fn an_engine_that_had_to_wait_for_a_core_is_a_doubt() {
        let engine = |cpu| EngineSpeed::of("slow", &[sample(1000, cpu, 100)], None);
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
