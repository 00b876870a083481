//! Ranges of the advantage that an opening gives to one side.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Ranges that follow each other, written as their bounds: `0,50,100` is 0 to 49 and 50 to 99.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalBins(Vec<u32>);

/// A range of advantages in centipawns, of either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvalBin {
    /// The smallest advantage.
    pub least: u32,
    /// The largest.
    pub most: u32,
}

impl EvalBins {
    /// The ranges in ascending order.
    pub fn bins(&self) -> impl Iterator<Item = EvalBin> {
        self.0.windows(2).map(|bounds| EvalBin { least: bounds[0], most: bounds[1] - 1 })
    }

    /// The place of the range that an eval belongs to; `None` outside of all.
    pub fn place_of(&self, eval: i32) -> Option<usize> {
        self.bins().position(|bin| (bin.least..=bin.most).contains(&eval.unsigned_abs()))
    }
}

impl FromStr for EvalBins {
    type Err = String;

    fn from_str(text: &str) -> Result<EvalBins, String> {
        let bounds: Result<Vec<u32>, _> = text.split(',').map(|bound| bound.trim().parse()).collect();
        match bounds {
            Ok(bounds) if bounds.len() > 1 && bounds.is_sorted_by(|one, other| one < other) => {
                Ok(EvalBins(bounds))
            }
            _ => Err("expected at least two ascending bounds in centipawns, as in 0,50,100".to_owned()),
        }
    }
}

impl fmt::Display for EvalBin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.least, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advantage_of_either_side_belongs_to_one_range() {
        let bins: EvalBins = "0,50, 100".parse().unwrap();
        assert_eq!(bins.bins().map(|bin| bin.to_string()).collect::<Vec<_>>(), ["0..49", "50..99"]);
        let places = [0, -49, 50, -99, 100].map(|eval| bins.place_of(eval));
        assert_eq!(places, [Some(0), Some(0), Some(1), Some(1), None]);
    }

    #[test]
    fn bounds_that_do_not_ascend_are_refused() {
        for text in ["", "50", "50,50", "100,50", "0,x", "-50,0"] {
            assert!(text.parse::<EvalBins>().unwrap_err().contains("0,50,100"), "{text}");
        }
    }
}
