//! The speeds of engines and their comparison.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::speed_plan::{DepthReached, SpeedSample};
use crate::measure::Judgement;
use crate::report::verdict::Verdict;
use crate::results::LimitDoubt;
use crate::text::number_text::thousands;
use runner::process::HardwareCounts;
use stats::{PairedRatio, SpeedVerdict};

/// The searches of a position by the first engine and by another, two each, in the order A B B A or B A A B.
#[derive(Clone, Debug)]
pub struct SpeedPair {
    pub first: [SpeedSample; 2],
    pub other: [SpeedSample; 2],
    /// Two searches by each engine at the same time on one core, the first engine's first; `None` if there were none.
    pub simultaneous: Option<[[SpeedSample; 2]; 2]>,
}

impl SpeedPair {
    /// The sum of `value` over the first engine's searches divided by the sum over the other's; `None` if a search lacks
    /// the value.
    pub fn ratio(&self, value: impl Fn(&SpeedSample) -> Option<f64>) -> Option<f64> {
        ratio([&self.first, &self.other], value)
    }

    /// The ratio over the simultaneous searches, or over the searches in turns if there are none.
    fn ratio_simultaneous(&self, value: impl Fn(&SpeedSample) -> Option<f64>) -> Option<f64> {
        match &self.simultaneous {
            Some([first, other]) => ratio([first, other], value),
            None => self.ratio(value),
        }
    }

    /// The ratio at the deepest depth that all four searches reached.
    fn ratio_to_depth(&self, value: impl Fn(DepthReached) -> f64) -> Option<f64> {
        let depth = self.common_depth()?;
        self.ratio(|sample| sample.reached(depth).map(&value))
    }

    fn common_depth(&self) -> Option<u32> {
        let deepest = |sample: &SpeedSample| sample.depths.last().map(|reached| reached.depth);
        let depths: Option<Vec<u32>> = self.first.iter().chain(&self.other).map(deepest).collect();
        depths?.into_iter().min()
    }
}

fn ratio([first, other]: [&[SpeedSample; 2]; 2], value: impl Fn(&SpeedSample) -> Option<f64>) -> Option<f64> {
    let sum = |two: &[SpeedSample; 2]| Some(value(&two[0])? + value(&two[1])?);
    Some(sum(first)? / sum(other)?)
}

/// The first engine compared with another one, position by position. Ratios above 1 mean that the first is faster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpeedComparison {
    pub engine: usize,
    /// Nodes per CPU time, of the simultaneous searches if there are any; `None` if CPU time is unknown or there are too
    /// few searches.
    pub by_cpu_time: Option<PairedRatio>,
    /// Nodes per instruction, if instructions are counted: nearly without noise, but only one aspect of the speed.
    pub by_instructions: Option<PairedRatio>,
    pub by_wall_time: Option<PairedRatio>,
    /// The other engine's wall-clock time divided by the first one's: the speed of searches limited by depth.
    pub time: Option<PairedRatio>,
    pub to_depth: Option<DepthRace>,
    pub verdict: Option<SpeedVerdict>,
}

/// Time and nodes of two engines to the deepest depth that all searches of a position reached.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DepthRace {
    pub mean_depth: f64,
    /// The other engine's wall-clock time to that depth divided by the first one's: above 1 the first is faster.
    pub time: PairedRatio,
    /// The other engine's nodes to that depth divided by the first one's: above 1 the first needs fewer.
    pub nodes: PairedRatio,
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
    pub fn of(engine: usize, sessions: &[Vec<SpeedPair>]) -> SpeedComparison {
        let nodes = |sample: &SpeedSample| Some(sample.nodes as f64);
        let wall = |sample: &SpeedSample| Some(sample.wall.as_secs_f64());
        let cpu = |sample: &SpeedSample| Some(sample.cpu?.as_secs_f64());
        let instructions = |sample: &SpeedSample| Some(sample.hardware?.instructions as f64);
        let nodes_by = |value: &dyn Fn(&SpeedSample) -> Option<f64>| {
            over_sessions(sessions, |pair| Some(pair.ratio(nodes)? / pair.ratio(value)?))
        };
        let nodes_by_cpu_time =
            |pair: &SpeedPair| Some(pair.ratio_simultaneous(nodes)? / pair.ratio_simultaneous(cpu)?);
        SpeedComparison {
            engine,
            by_cpu_time: over_sessions(sessions, nodes_by_cpu_time),
            by_instructions: nodes_by(&instructions),
            by_wall_time: nodes_by(&wall),
            time: over_sessions(sessions, |pair| pair.ratio(wall).map(f64::recip)),
            to_depth: DepthRace::of(sessions),
            verdict: None,
        }
    }

    /// Sets the verdict. A difference below the resolution, a share of the speed, is not claimed.
    pub fn judge(&mut self, resolution: Option<f64>) {
        let ratio = self.by_cpu_time.as_mut().or(self.by_wall_time.as_mut());
        self.verdict = ratio.map(|ratio| {
            ratio.is_sure &= resolution.is_none_or(|least| ratio.ratio.ln().abs() > least.ln_1p());
            ratio.verdict()
        });
    }

    /// Whether it is still unclear if the first engine loses more than this share.
    pub fn is_open(&self, share: f64) -> bool {
        let judged = self.nodes_per_second().map(|ratio| judge(ratio, share, "").verdict);
        judged == Some(Verdict::CannotTell)
    }

    /// The ratio that decides: by CPU time if it is known, because other work on the machine does not change it.
    pub fn nodes_per_second(&self) -> Option<&PairedRatio> {
        self.by_cpu_time.as_ref().or(self.by_wall_time.as_ref())
    }
}

/// The ratio over the pairs of all sessions; `None` if a pair has no ratio.
fn over_sessions(
    sessions: &[Vec<SpeedPair>],
    ratio: impl Fn(&SpeedPair) -> Option<f64>,
) -> Option<PairedRatio> {
    let of_session = |pairs: &Vec<SpeedPair>| pairs.iter().map(&ratio).collect();
    let ratios: Option<Vec<Vec<f64>>> = sessions.iter().map(of_session).collect();
    PairedRatio::of_sessions(ratios?.iter().map(Vec::as_slice))
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineSpeed {
    pub name: String,
    pub searches: usize,
    pub nodes: u64,
    pub wall_seconds: f64,
    /// CPU time, in seconds; `None` if the system does not measure it.
    pub cpu_seconds: Option<f64>,
    /// User time, in seconds: CPU time without system time.
    pub user_seconds: Option<f64>,
    pub nodes_per_second: f64,
    pub nodes_per_cpu_second: Option<f64>,
    pub mean_depth: f64,
    pub hashfull: Option<u32>,
    pub memory_mb: Option<f64>,
    pub hardware: Option<HardwarePerNode>,
    /// Warnings of limits that the engine did not keep.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<LimitDoubt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HardwarePerNode {
    pub instructions: f64,
    pub cycles: f64,
    pub branch_misses: f64,
    /// Misses of the last-level cache.
    pub cache_misses: f64,
}

impl EngineSpeed {
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
            doubts: Vec::new(),
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

/// The maximum factor by which advice may lengthen a measurement.
const MOST_TOLD: f64 = 50.0;

/// An engine with less CPU time than this share of the wall-clock time shared its core with other work.
const OWN_CORE_SHARE: f64 = 0.95;

/// The speeds of the engines. `schema` changes whenever a field changes its meaning or is removed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpeedReport {
    pub schema: u32,
    pub limit: String,
    pub positions: usize,
    pub rounds: u32,
    pub engines: Vec<EngineSpeed>,
    pub comparisons: Vec<SpeedComparison>,
    /// The 90th percentile of the first engine's difference from itself, measured at the same time and as often: a share of
    /// the speed, below which no difference is claimed.
    pub resolution: Option<f64>,
}

impl SpeedReport {
    pub const SCHEMA: u32 = 2;

    /// Judges whether the first engine is slower than the second by more than this share. It cannot tell if the interval
    /// contains that limit. `None` if there are too few measurements.
    pub fn judge(&self, share: f64, other: &str) -> Option<Judgement> {
        Some(judge(self.comparisons.first()?.nodes_per_second()?, share, other))
    }

    /// How many times as long a measurement must be to tell whether the first engine loses more than this share of its
    /// speed; `None` if its loss is too close to that.
    pub fn times_as_long(&self, share: f64) -> Option<f64> {
        let ratio = self.comparisons.first()?.nodes_per_second()?;
        let half_width = (ratio.upper / ratio.lower).ln() / 2.0;
        let times = (half_width / (ratio.ratio / (1.0 - share)).ln()).powi(2);
        (times < MOST_TOLD).then_some(times.max(1.0))
    }

    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for engine in &self.engines {
            let doubts = engine.doubts.iter();
            warnings.extend(doubts.map(|doubt| format!("{} {doubt}; use another limit", engine.name)));
            // An engine with several threads has more CPU time than wall-clock time.
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

/// A speed and the machine on which it was measured; speeds of two machines cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeedRecord {
    /// Nodes per second of CPU time, or of wall-clock time if the CPU time is unknown.
    pub nodes_per_second: u64,
    pub machine: String,
}

impl SpeedRecord {
    pub fn of(report: &SpeedReport, machine: &str) -> SpeedRecord {
        let EngineSpeed { nodes_per_cpu_second, nodes_per_second, .. } = report.engines[0];
        let nodes_per_second = nodes_per_cpu_second.unwrap_or(nodes_per_second) as u64;
        SpeedRecord { nodes_per_second, machine: machine.to_owned() }
    }

    pub fn text(&self, baseline: Option<&SpeedRecord>) -> String {
        let measured = format!("{} NPS", thousands(self.nodes_per_second));
        match baseline {
            None => measured,
            Some(SpeedRecord { machine, .. }) if *machine != self.machine => {
                format!("{measured}; not compared, because the baseline is of another machine ({machine})")
            }
            Some(before) => {
                let change = (self.nodes_per_second as f64 / before.nodes_per_second as f64 - 1.0) * 100.0;
                format!(
                    "{measured}, {change:+.1}% vs baseline (not judged, because it was measured at another time)"
                )
            }
        }
    }
}

fn judge(ratio: &PairedRatio, share: f64, other: &str) -> Judgement {
    let limit = 1.0 - share;
    let verdict = if ratio.upper < limit && ratio.is_sure {
        Verdict::Worse
    } else if ratio.lower <= limit {
        Verdict::CannotTell
    } else if ratio.verdict() == SpeedVerdict::Faster {
        Verdict::Better
    } else {
        Verdict::Same
    };
    let (change, interval) = change_texts(ratio);
    let sentence = format!("{change} NPS vs {other} ({interval})");
    if verdict != Verdict::CannotTell {
        return Judgement::new(verdict, sentence);
    }
    let doubt = format!("cannot tell whether it loses more than {}%", (share * 1e5).round() / 1e3);
    Judgement::new(verdict, format!("{sentence}: {doubt}"))
}

/// A change such as `+3.1% (95%: +2.6% to +3.7%)`.
pub fn change_text(ratio: &PairedRatio) -> String {
    let (change, interval) = change_texts(ratio);
    format!("{change} ({interval})")
}

/// The change and its interval, such as `+3.1%` and `95%: +2.6% to +3.7%`.
fn change_texts(ratio: &PairedRatio) -> (String, String) {
    let [change, low, high] = [ratio.ratio, ratio.lower, ratio.upper].map(|ratio| (ratio - 1.0) * 100.0);
    (format!("{change:+.1}%"), format!("95%: {low:+.1}% to {high:+.1}%"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same search twice; times in milliseconds.
    fn twice(nodes: u64, cpu: u64, wall: u64) -> [SpeedSample; 2] {
        let [cpu, wall] = [cpu, wall].map(Duration::from_millis);
        let depths = vec![DepthReached { depth: 9, nodes: nodes / 2, wall: wall / 2 }];
        let (user, hashfull) = (Some(cpu * 9 / 10), Some(5));
        let (cpu, hardware) = (Some(cpu), None);
        let sample = SpeedSample { wall, cpu, user, nodes, depth: 10, hashfull, depths, hardware };
        [sample.clone(), sample]
    }

    fn pair(first: [SpeedSample; 2], other: [SpeedSample; 2]) -> SpeedPair {
        SpeedPair { first, other, simultaneous: None }
    }

    #[test]
    fn simultaneous_searches_decide_where_there_are_any() {
        let mut pair = pair(twice(1000, 50, 60), twice(1000, 100, 120));
        pair.simultaneous = Some([twice(4000, 100, 300), twice(4000, 300, 300)]);
        let comparison = SpeedComparison::of(1, &[vec![pair.clone()], vec![pair]]);
        assert!((comparison.nodes_per_second().unwrap().ratio - 3.0).abs() < 1e-9);
        assert!((comparison.by_wall_time.unwrap().ratio - 2.0).abs() < 1e-9);
    }

    #[test]
    fn other_work_on_the_machine_does_not_change_the_ratio() {
        let session = |wall| vec![pair(twice(1000, 50, wall), twice(1000, 100, 100))];
        let comparison = SpeedComparison::of(1, &[session(90), session(400), session(70)]);
        let ratio = comparison.nodes_per_second().unwrap();
        assert!((ratio.ratio - 2.0).abs() < 1e-9 && ratio.is_sure);
        assert!(comparison.by_wall_time.unwrap().ratio < 1.5);
    }

    #[test]
    fn time_and_nodes_are_compared_at_the_deepest_depth_that_all_reached() {
        let session = || {
            let mut pair = pair(twice(1000, 50, 60), twice(3000, 100, 120));
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

    fn report_of(engines: Vec<EngineSpeed>) -> SpeedReport {
        SpeedReport {
            schema: SpeedReport::SCHEMA,
            limit: "go nodes 1000".to_owned(),
            positions: 1,
            rounds: 1,
            engines,
            comparisons: Vec::new(),
            resolution: None,
        }
    }

    #[test]
    fn an_engine_that_had_to_wait_for_a_core_gives_a_warning() {
        let engine = |cpu| EngineSpeed::of("slow", &twice(1000, cpu, 100), None);
        let report = |cpu| report_of(vec![engine(cpu)]);
        assert!(report(99).warnings().is_empty());
        assert_eq!(report(80).warnings().len(), 1);
    }

    #[test]
    fn no_difference_is_claimed_below_the_resolution() {
        let verdict = |resolution| {
            let session = || vec![pair(twice(1004, 100, 100), twice(1000, 100, 100))];
            let mut comparison = SpeedComparison::of(1, &[session(), session(), session()]);
            comparison.judge(resolution);
            comparison.verdict.unwrap()
        };
        assert_eq!(verdict(None), SpeedVerdict::Faster);
        assert_eq!(verdict(Some(0.003)), SpeedVerdict::Faster);
        assert_eq!(verdict(Some(0.005)), SpeedVerdict::NoDifference);
    }

    #[test]
    fn an_interval_that_contains_the_limit_decides_nothing() {
        let judge = |lower: f64, upper: f64, is_sure| {
            judge(&PairedRatio { ratio: f64::midpoint(lower, upper), lower, upper, is_sure }, 0.02, "old")
        };
        assert_eq!(judge(0.96, 0.979, false).verdict, Verdict::CannotTell);
        let worse = Judgement::new(Verdict::Worse, "-10.0% NPS vs old (95%: -12.0% to -8.0%)");
        assert_eq!(judge(0.88, 0.92, true), worse);
        for (lower, upper, verdict) in
            [(0.90, 0.99, Verdict::CannotTell), (0.99, 1.06, Verdict::Same), (1.05, 1.06, Verdict::Better)]
        {
            assert_eq!(judge(lower, upper, lower > 1.0 || upper < 1.0).verdict, verdict);
        }
    }

    #[test]
    fn how_much_longer_would_tell_depends_on_the_distance_from_the_limit() {
        let times = |ratio: f64, half_width: f64| {
            let [lower, upper] = [ratio / half_width.exp(), ratio * half_width.exp()];
            let mut comparison = SpeedComparison::of(1, &[]);
            comparison.by_wall_time = Some(PairedRatio { ratio, lower, upper, is_sure: false });
            let is_open = comparison.is_open(0.1);
            let report = SpeedReport { comparisons: vec![comparison], ..report_of(Vec::new()) };
            (is_open, report.times_as_long(0.1).map(|times| (times * 10.0).round() / 10.0))
        };
        let limit = 0.9_f64.ln().abs();
        assert_eq!(times(1.0, limit * 2.0), (true, Some(4.0)));
        assert_eq!(times(1.0, limit / 2.0), (false, Some(1.0)));
        assert_eq!(times(0.9, limit), (true, None));
    }
}
