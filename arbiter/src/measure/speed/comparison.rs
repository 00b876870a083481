//! The comparison of two engines.

use serde::{Deserialize, Serialize};

use super::sample::{DepthReached, SpeedSample};
use stats::{PairedRatio, SpeedVerdict};

/// The searches of one position by the first engine and by another, two each, in the order A B B A or B A A B.
#[derive(Clone, Debug)]
pub struct SpeedPair {
    /// By the first engine.
    pub first: [SpeedSample; 2],
    /// By the other engine.
    pub other: [SpeedSample; 2],
    /// One search by each engine at the same time on one core, the first engine's first; `None` where none was made.
    pub simultaneous: Option<[SpeedSample; 2]>,
}

impl SpeedPair {
    /// The sum of `value` over the first engine's searches divided by that over the other's; `None` where a search lacks
    /// the value.
    pub fn ratio(&self, value: impl Fn(&SpeedSample) -> Option<f64>) -> Option<f64> {
        let sum = |two: &[SpeedSample; 2]| Some(value(&two[0])? + value(&two[1])?);
        Some(sum(&self.first)? / sum(&self.other)?)
    }

    /// The same for the simultaneous searches, or without these for the searches in turns.
    pub fn ratio_simultaneous(&self, value: impl Fn(&SpeedSample) -> Option<f64>) -> Option<f64> {
        match &self.simultaneous {
            Some([first, other]) => Some(value(first)? / value(other)?),
            None => self.ratio(value),
        }
    }

    /// The same at the moment when the deepest depth common to all four searches was reached.
    pub fn ratio_to_depth(&self, value: impl Fn(DepthReached) -> f64) -> Option<f64> {
        let depth = self.common_depth()?;
        self.ratio(|sample| sample.reached(depth).map(&value))
    }

    /// The deepest depth that all four searches reached.
    pub fn common_depth(&self) -> Option<u32> {
        let deepest = |sample: &SpeedSample| sample.depths.last().map(|reached| reached.depth);
        let depths: Option<Vec<u32>> = self.first.iter().chain(&self.other).map(deepest).collect();
        depths?.into_iter().min()
    }
}

/// The first engine compared with another one, position by position. Ratios above 1: the first is faster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedComparison {
    /// The index of the other engine.
    pub engine: usize,
    /// Nodes per CPU time, of the simultaneous searches if there are any; `None` where CPU time is unknown or searches are
    /// too few.
    pub by_cpu_time: Option<PairedRatio>,
    /// Nodes per instruction, where instructions are counted: nearly without noise, but only a part of the speed.
    #[serde(default)]
    pub by_instructions: Option<PairedRatio>,
    /// Nodes per wall time.
    pub by_wall_time: Option<PairedRatio>,
    /// The other engine's wall time divided by the first one's: the speed in searches limited by depth.
    pub time: Option<PairedRatio>,
    /// Time and nodes to the same depth, where the engines report depths.
    #[serde(default)]
    pub to_depth: Option<DepthRace>,
    /// The verdict on the speed; `None` with too few searches.
    #[serde(default)]
    pub verdict: Option<SpeedVerdict>,
}

/// Time and nodes of two engines to the deepest depth that all searches of a position reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DepthRace {
    /// Mean of these depths, in plies.
    pub mean_depth: f64,
    /// The other engine's wall time to it divided by the first one's: above 1 the first is faster.
    pub time: PairedRatio,
    /// The other engine's nodes to it divided by the first one's: above 1 the first needs fewer.
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
    /// Compares the searches of the first engine with those of another, session by session.
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
        let mut comparison = SpeedComparison {
            engine,
            by_cpu_time: over_sessions(sessions, nodes_by_cpu_time),
            by_instructions: nodes_by(&instructions),
            by_wall_time: nodes_by(&wall),
            time: over_sessions(sessions, |pair| pair.ratio(wall).map(f64::recip)),
            to_depth: DepthRace::of(sessions),
            verdict: None,
        };
        comparison.verdict = comparison.nodes_per_second().map(PairedRatio::verdict);
        comparison
    }

    /// The ratio of the verdict: by CPU time where that is known, because other work on the machine does not change it.
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
    use std::time::Duration;

    use super::*;
    use crate::measure::speed::sample_searches::twice;

    fn pair(first: [SpeedSample; 2], other: [SpeedSample; 2]) -> SpeedPair {
        SpeedPair { first, other, simultaneous: None }
    }

    #[test]
    fn simultaneous_searches_decide_where_there_are_any() {
        let mut pair = pair(twice(1000, 50, 60), twice(1000, 100, 120));
        let [[first, _], [other, _]] = [twice(4000, 100, 300), twice(4000, 300, 300)];
        pair.simultaneous = Some([first, other]);
        let comparison = SpeedComparison::of(1, &[vec![pair.clone()], vec![pair]]);
        assert!((comparison.nodes_per_second().unwrap().ratio - 3.0).abs() < 1e-9);
        assert!((comparison.by_wall_time.unwrap().ratio - 2.0).abs() < 1e-9);
    }

    #[test]
    fn other_work_on_the_machine_does_not_change_the_ratio() {
        let session = |wall| vec![pair(twice(1000, 50, wall), twice(1000, 100, 100))];
        let comparison = SpeedComparison::of(1, &[session(90), session(400), session(70)]);
        let ratio = comparison.nodes_per_second().unwrap();
        assert!((ratio.ratio - 2.0).abs() < 1e-9 && ratio.is_clear());
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
}
