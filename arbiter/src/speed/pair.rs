//! Two engines on the same position.

use super::sample::{DepthReached, SpeedSample};

/// The searches of one position by the first engine and by another, two each, in the order A B B A or B A A B.
#[derive(Clone, Debug)]
pub struct SpeedPair {
    /// Those of the first engine.
    pub first: [SpeedSample; 2],
    /// Those of the other.
    pub other: [SpeedSample; 2],
    /// One search by each at the same time on the same core, the first engine's first; `None` where none was made.
    pub side_by_side: Option<[SpeedSample; 2]>,
}

impl SpeedPair {
    /// The two engines' searches summed up by `value`, the first by the other: how many times as much it was. `None`
    /// where a search has no such value.
    pub fn ratio(&self, value: impl Fn(&SpeedSample) -> Option<f64>) -> Option<f64> {
        let sum = |two: &[SpeedSample; 2]| Some(value(&two[0])? + value(&two[1])?);
        Some(sum(&self.first)? / sum(&self.other)?)
    }

    /// The same for the searches side by side, and where there are none, for those in turns.
    pub fn ratio_side_by_side(&self, value: impl Fn(&SpeedSample) -> Option<f64>) -> Option<f64> {
        match &self.side_by_side {
            Some([first, other]) => Some(value(first)? / value(other)?),
            None => self.ratio(value),
        }
    }

    /// The same for the moment in which the deepest depth was reached that all four searches reached.
    pub fn ratio_to_depth(&self, value: impl Fn(DepthReached) -> f64) -> Option<f64> {
        let depth = self.common_depth()?;
        self.ratio(|sample| sample.reached(depth).map(&value))
    }

    /// The deepest depth that all four searches told of, or passed.
    pub fn common_depth(&self) -> Option<u32> {
        let deepest = |sample: &SpeedSample| sample.depths.last().map(|reached| reached.depth);
        let depths: Option<Vec<u32>> = self.first.iter().chain(&self.other).map(deepest).collect();
        depths?.into_iter().min()
    }
}
