//! What came of the measurements.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{DepthReached, SpeedPair, SpeedSample};
use crate::process::HardwareCounts;
use crate::stats::{PairedRatio, SpeedVerdict};

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

/// The first engine held against another one, position by position: above 1 the first is faster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedComparison {
    /// The index of the other engine.
    pub engine: usize,
    /// Nodes by CPU time, where that is known; `None` when there are not enough searches.
    pub by_cpu_time: Option<PairedRatio>,
    /// Nodes by instructions of the processor, where they are counted: hardly any noise, but not all of the speed.
    #[serde(default)]
    pub by_instructions: Option<PairedRatio>,
    /// Nodes by time on our clock.
    pub by_wall_time: Option<PairedRatio>,
    /// The time of the searches on our clock, the other engine's by the first one's: what counts where depth is the
    /// limit.
    pub time: Option<PairedRatio>,
    /// The way to the same depth, where the engines tell of depths.
    #[serde(default)]
    pub to_depth: Option<DepthRace>,
    /// What is said of the speed; `None` when there are not enough searches.
    #[serde(default)]
    pub verdict: Option<SpeedVerdict>,
}

/// What it took two engines to reach the deepest depth that all searches of a position reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DepthRace {
    /// The mean of these depths, in plies.
    pub mean_depth: f64,
    /// The time to it on our clock, the other engine's by the first one's: above 1 the first is faster.
    pub time: PairedRatio,
    /// The nodes to it, the other engine's by the first one's: above 1 the first needs fewer.
    pub nodes: PairedRatio,
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

impl DepthRace {
    fn of(sessions: &[Vec<SpeedPair>]) -> Option<DepthRace> {
        let depths: Option<Vec<u32>> = sessions.iter().flatten().map(SpeedPair::common_depth).collect();
        let depths = depths?;
        let seconds = |reached: DepthReached| reached.wall.as_secs_f64();
        Some(DepthRace {
            mean_depth: depths.iter().map(|&depth| f64::from(depth)).sum::<f64>()
                / depths.len().max(1) as f64,
            time: over_sessions(sessions, |pair| pair.ratio_to_depth(seconds).map(f64::recip))?,
            nodes: over_sessions(sessions, |pair| {
                pair.ratio_to_depth(|reached| reached.nodes as f64).map(f64::recip)
            })?,
        })
    }
}

impl SpeedComparison {
    /// Compares the searches of the first engine with those of another, session by session.
    pub fn of(engine: usize, sessions: &[Vec<SpeedPair>]) -> SpeedComparison {
        let nodes = |sample: &SpeedSample| Some(sample.nodes as f64);
        let wall = |sample: &SpeedSample| Some(sample.wall.as_secs_f64());
        let cpu = |sample: &SpeedSample| Some(sample.cpu?.as_secs_f64());
        let instructions = |sample: &SpeedSample| Some(sample.hardware?.instructions as f64);
        let nodes_by = |value: &dyn Fn(&SpeedSample) -> Option<f64>| {
            over_sessions(sessions, |pair| Some(pair.ratio(nodes)? / pair.ratio(value)?))
        };
        let mut comparison = SpeedComparison {
            engine,
            by_cpu_time: nodes_by(&cpu),
            by_instructions: nodes_by(&instructions),
            by_wall_time: nodes_by(&wall),
            time: over_sessions(sessions, |pair| pair.ratio(wall).map(f64::recip)),
            to_depth: DepthRace::of(sessions),
            verdict: None,
        };
        comparison.verdict = comparison.nodes_per_second().map(PairedRatio::verdict);
        comparison
    }

    /// The ratio that the verdict is about: by CPU time where that is known, since other work on the machine does not
    /// enter it.
    pub fn nodes_per_second(&self) -> Option<&PairedRatio> {
        self.by_cpu_time.as_ref().or(self.by_wall_time.as_ref())
    }
}

/// The ratio of the pairs of all sessions; `None` where one of them has none.
fn over_sessions(
    sessions: &[Vec<SpeedPair>],
    ratio: impl Fn(&SpeedPair) -> Option<f64>,
) -> Option<PairedRatio> {
    let of_session = |pairs: &Vec<SpeedPair>| pairs.iter().map(&ratio).collect();
    let ratios: Option<Vec<Vec<f64>>> = sessions.iter().map(of_session).collect();
    PairedRatio::of_sessions(ratios?.iter().map(Vec::as_slice))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(nodes: u64, cpu: u64, wall: u64) -> SpeedSample {
        let [cpu, wall] = [cpu, wall].map(Duration::from_millis);
        let depths = vec![DepthReached { depth: 9, nodes: nodes / 2, wall: wall / 2 }];
        let user = Some(cpu * 9 / 10);
        let hashfull = Some(5);
        SpeedSample { wall, cpu: Some(cpu), user, nodes, depth: 10, hashfull, depths, hardware: None }
    }

    /// The same search twice.
    fn twice(nodes: u64, cpu: u64, wall: u64) -> [SpeedSample; 2] {
        [0, 1].map(|_| sample(nodes, cpu, wall))
    }

    #[test]
    fn what_others_do_on_the_machine_does_not_enter_the_ratio() {
        let session = |wall| vec![SpeedPair { first: twice(1000, 50, wall), other: twice(1000, 100, 100) }];
        let comparison = SpeedComparison::of(1, &[session(90), session(400), session(70)]);
        let ratio = comparison.nodes_per_second().unwrap();
        assert!((ratio.ratio - 2.0).abs() < 1e-9 && ratio.is_clear());
        assert!(comparison.by_wall_time.unwrap().ratio < 1.5);
    }

    #[test]
    fn the_way_to_a_depth_is_compared_at_the_deepest_that_all_reached() {
        let session = || {
            let mut pair = SpeedPair { first: twice(1000, 50, 60), other: twice(3000, 100, 120) };
            pair.other[1].depths.push(DepthReached {
                depth: 11,
                nodes: 2900,
                wall: Duration::from_millis(110),
            });
            vec![pair]
        };
        let race = SpeedComparison::of(1, &[session(), session()]).to_depth.unwrap();
        assert!((race.mean_depth - 9.0).abs() < 1e-9);
        assert!((race.time.ratio - 2.0).abs() < 1e-9 && (race.nodes.ratio - 3.0).abs() < 1e-9, "{race:?}");
    }

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
