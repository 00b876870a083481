//! What one engine did.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::sample::SpeedSample;
use runner::process::HardwareCounts;

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
    /// The part of the CPU time that was not spent in the system, in seconds.
    #[serde(default)]
    pub user_seconds: Option<f64>,
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
    /// What the processor did for a node; `None` where it is not counted.
    #[serde(default)]
    pub hardware: Option<HardwareByNode>,
}

/// Events of the processor for each node, without what the system did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HardwareByNode {
    /// Instructions that were executed.
    pub instructions: f64,
    /// Cycles.
    pub cycles: f64,
    /// Branches whose target was guessed wrongly.
    pub branch_misses: f64,
    /// Accesses to memory that the last cache did not have.
    pub cache_misses: f64,
}

impl EngineSpeed {
    /// Sums up the searches of an engine.
    pub fn of(name: &str, samples: &[SpeedSample], peak_memory: Option<u64>) -> EngineSpeed {
        let nodes: u64 = samples.iter().map(|sample| sample.nodes).sum();
        let wall = samples.iter().map(|sample| sample.wall).sum::<Duration>().as_secs_f64();
        let cpu: Option<Duration> = samples.iter().map(|sample| sample.cpu).sum();
        let cpu = cpu.map(|cpu| cpu.as_secs_f64()).filter(|cpu| *cpu > 0.0);
        let user: Option<Duration> = samples.iter().map(|sample| sample.user).sum();
        let depths: f64 = samples.iter().map(|sample| f64::from(sample.depth)).sum();
        EngineSpeed {
            name: name.to_owned(),
            searches: samples.len(),
            nodes,
            wall_seconds: wall,
            cpu_seconds: cpu,
            // Its steps are coarse, so that it may come out a little above the whole.
            user_seconds: user.map(|user| user.as_secs_f64().min(cpu.unwrap_or(f64::INFINITY))),
            nodes_per_second: nodes as f64 / wall,
            nodes_per_cpu_second: cpu.map(|cpu| nodes as f64 / cpu),
            mean_depth: depths / samples.len().max(1) as f64,
            hashfull: samples.iter().filter_map(|sample| sample.hashfull).max(),
            memory_mb: peak_memory.map(|bytes| bytes as f64 / (1024.0 * 1024.0)),
            hardware: HardwareByNode::of(samples),
        }
    }
}

impl HardwareByNode {
    /// The events of all searches by their nodes; `None` unless all were counted.
    fn of(samples: &[SpeedSample]) -> Option<HardwareByNode> {
        let nodes: u64 = samples.iter().map(|sample| sample.nodes).sum();
        let mut sum = HardwareCounts::default();
        for sample in samples {
            sum += sample.hardware?;
        }
        let by_node = |count: u64| count as f64 / nodes as f64;
        (nodes > 0).then(|| HardwareByNode {
            instructions: by_node(sum.instructions),
            cycles: by_node(sum.cycles),
            branch_misses: by_node(sum.branch_misses),
            cache_misses: by_node(sum.cache_misses),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speed::made_up_searches::twice;

    #[test]
    fn events_of_the_processor_are_told_by_the_node_unless_a_search_was_not_counted() {
        let mut samples = twice(1000, 50, 60);
        assert_eq!(EngineSpeed::of("plain", &samples, None).hardware, None);
        for sample in &mut samples {
            sample.hardware = Some(HardwareCounts { instructions: 3_000_000, ..HardwareCounts::default() });
        }
        let speed = EngineSpeed::of("counted", &samples, None);
        assert!((speed.hardware.unwrap().instructions - 3000.0).abs() < 1e-9);
        assert!((speed.user_seconds.unwrap() - 0.09).abs() < 1e-9);
    }
}
