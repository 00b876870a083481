//! The speed of one engine.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::sample::SpeedSample;
use runner::process::HardwareCounts;

/// One engine, over all searches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineSpeed {
    /// Its name.
    pub name: String,
    /// Number of searches.
    pub searches: usize,
    /// Nodes that it reported.
    pub nodes: u64,
    /// Wall time, in seconds.
    pub wall_seconds: f64,
    /// CPU time, in seconds; `None` where the system does not measure it.
    pub cpu_seconds: Option<f64>,
    /// User time, in seconds: CPU time without that of the system.
    #[serde(default)]
    pub user_seconds: Option<f64>,
    /// Nodes per second of wall time.
    pub nodes_per_second: f64,
    /// Nodes per second of CPU time.
    pub nodes_per_cpu_second: Option<f64>,
    /// Mean depth, in plies.
    pub mean_depth: f64,
    /// Largest `hashfull`, in permille.
    pub hashfull: Option<u32>,
    /// Peak memory, in megabytes.
    pub memory_mb: Option<f64>,
    /// Hardware counters per node; `None` where the system has none.
    #[serde(default)]
    pub hardware: Option<HardwarePerNode>,
}

/// Hardware counters per node, for the engine's own code.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HardwarePerNode {
    /// Instructions.
    pub instructions: f64,
    /// Cycles.
    pub cycles: f64,
    /// Mispredicted branches.
    pub branch_misses: f64,
    /// Misses of the last-level cache.
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
            // User time is measured in coarse steps and may come out slightly above the CPU time.
            user_seconds: user.map(|user| user.as_secs_f64().min(cpu.unwrap_or(f64::INFINITY))),
            nodes_per_second: nodes as f64 / wall,
            nodes_per_cpu_second: cpu.map(|cpu| nodes as f64 / cpu),
            mean_depth: depths / samples.len().max(1) as f64,
            hashfull: samples.iter().filter_map(|sample| sample.hashfull).max(),
            memory_mb: peak_memory.map(|bytes| bytes as f64 / (1024.0 * 1024.0)),
            hardware: HardwarePerNode::of(samples),
        }
    }
}

impl HardwarePerNode {
    /// The counters of all searches per node; `None` unless all searches have counters.
    fn of(samples: &[SpeedSample]) -> Option<HardwarePerNode> {
        let nodes: u64 = samples.iter().map(|sample| sample.nodes).sum();
        let mut sum = HardwareCounts::default();
        for sample in samples {
            sum += sample.hardware?;
        }
        let per_node = |count: u64| count as f64 / nodes as f64;
        (nodes > 0).then(|| HardwarePerNode {
            instructions: per_node(sum.instructions),
            cycles: per_node(sum.cycles),
            branch_misses: per_node(sum.branch_misses),
            cache_misses: per_node(sum.cache_misses),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::speed::sample_searches::twice;

    #[test]
    fn hardware_counters_are_per_node_and_missing_if_one_search_has_none() {
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
