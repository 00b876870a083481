//! The positions of a fit. All counts of features lie in one array, so that millions of positions fit into memory.

use tarrasch::eval::Coefficients;

use super::positions_file::Label;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub weight: u16,
    pub times: i16,
}

#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// The game phase, from 0 (endgame) to 24 (middlegame).
    pub phase: u8,
    /// The endgame scale, from 0 to 64.
    pub scale: u8,
    /// White's features minus Black's.
    pub linear: &'a [Count],
    /// The king danger features of White's attack, and of Black's.
    pub dangers: [&'a [Count]; 2],
    pub label: Label,
}

/// The positions. One takes 16 bytes and 4 for each of its features: with some eighty of them, two million positions
/// take 700 MB.
#[derive(Clone, Debug, Default)]
pub struct DataSet {
    counts: Vec<Count>,
    records: Vec<Record>,
}

/// A position without its counts.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// The index of its first count. The linear ones come first, then those of White's and of Black's attack.
    first: u32,
    linear: u16,
    dangers: [u8; 2],
    /// [`NO_SCORE`] if there is none.
    score: i16,
    phase: u8,
    scale: u8,
    half_points: u8,
}

const NO_SCORE: i16 = i16::MIN;

impl DataSet {
    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn push(&mut self, coefficients: &Coefficients, label: Label) {
        let Coefficients { phase, scale, linear, danger } = coefficients;
        let first = u32::try_from(self.counts.len()).expect("the counts fit into 16 GB");
        let all = [linear, &danger[0], &danger[1]].into_iter().flatten();
        self.counts.extend(all.map(|&(weight, times)| Count { weight, times }));
        self.records.push(Record {
            first,
            linear: linear.len() as u16,
            dangers: [0, 1].map(|side| danger[side].len() as u8),
            score: label.score.unwrap_or(NO_SCORE),
            phase: *phase as u8,
            scale: *scale as u8,
            half_points: label.half_points,
        });
    }

    /// Appends the positions of another set.
    pub fn append(&mut self, other: &DataSet) {
        let shift = u32::try_from(self.counts.len()).expect("the counts fit into 16 GB");
        self.counts.extend_from_slice(&other.counts);
        let moved = |record: &Record| Record { first: record.first + shift, ..*record };
        self.records.extend(other.records.iter().map(moved));
    }

    pub fn get(&self, index: u32) -> Example<'_> {
        let record = self.records[index as usize];
        let (linear, rest) = self.counts[record.first as usize..].split_at(usize::from(record.linear));
        let (white, rest) = rest.split_at(usize::from(record.dangers[0]));
        let black = &rest[..usize::from(record.dangers[1])];
        let score = Some(record.score).filter(|score| *score != NO_SCORE);
        Example {
            phase: record.phase,
            scale: record.scale,
            linear,
            dangers: [white, black],
            label: Label { half_points: record.half_points, score },
        }
    }
}

/// Artificial positions made with known weights.
#[cfg(test)]
pub mod made_up {
    use chess::SplitMix;
    use tarrasch::eval::Coefficients;

    use super::DataSet;
    use crate::fit::below;
    use crate::model::{Evaluated, Weights};
    use crate::positions_file::Label;

    /// The number of features; the last three are those of king danger.
    const FEATURES: u16 = 10;

    /// Random weights, within ± 50 centipawns.
    pub fn made_up_weights(seed: u64) -> Weights {
        let mut numbers = SplitMix::new(seed);
        let mut weight = || below(&mut numbers, 100) as f64 - 50.0;
        (0..FEATURES).map(|_| [weight(), weight()]).collect()
    }

    /// Positions with a few features each. Their scores are `score` of the value by the weights of seed 1. All games are
    /// drawn.
    pub fn made_up_data(positions: usize, seed: u64, score: impl Fn(f64) -> i16) -> DataSet {
        let truth = made_up_weights(1);
        let mut numbers = SplitMix::new(seed);
        let mut data = DataSet::default();
        for _ in 0..positions {
            let mut some = |first: u16, end: u16, least: i16| -> Vec<(u16, i16)> {
                (first..end).map(|weight| (weight, below(&mut numbers, 5) as i16 + least)).collect()
            };
            let danger = [some(7, FEATURES, 0), some(7, FEATURES, 0)];
            let linear = some(0, 7, -2);
            let (phase, scale) = (below(&mut numbers, 25) as i32, 32 + 32 * below(&mut numbers, 2) as i32);
            let coefficients = Coefficients { phase, scale, linear, danger };
            let mut alone = DataSet::default();
            alone.push(&coefficients, Label { half_points: 1, score: None });
            let value = Evaluated::new(&alone.get(0), &truth).value;
            data.push(&coefficients, Label { half_points: 1, score: Some(score(value)) });
        }
        data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coefficients(number: u16) -> Coefficients {
        Coefficients {
            phase: i32::from(number),
            scale: 64 - i32::from(number),
            linear: (0..number).map(|weight| (weight, -(weight as i16))).collect(),
            danger: [vec![(number, 1)], vec![(number + 1, 2); usize::from(number)]],
        }
    }

    fn assert_same(example: Example<'_>, number: u16) {
        let expected = coefficients(number);
        let pairs = |counts: &[Count]| counts.iter().map(|c| (c.weight, c.times)).collect::<Vec<_>>();
        assert_eq!((i32::from(example.phase), i32::from(example.scale)), (expected.phase, expected.scale));
        assert_eq!(pairs(example.linear), expected.linear);
        assert_eq!(example.dangers.map(pairs), expected.danger);
    }

    #[test]
    fn what_was_pushed_and_appended_is_found_again() {
        let label = |half_points, score| Label { half_points, score };
        let (mut one, mut other) = (DataSet::default(), DataSet::default());
        one.push(&coefficients(3), label(2, Some(-77)));
        one.push(&coefficients(0), label(0, None));
        other.push(&coefficients(7), label(1, Some(0)));
        other.push(&coefficients(24), label(1, None));
        one.append(&other);
        assert_eq!(one.len(), 4);
        for (index, number) in [3, 0, 7, 24].into_iter().enumerate() {
            assert_same(one.get(index as u32), number);
        }
        let labels: Vec<Label> = (0..4).map(|index| one.get(index).label).collect();
        assert_eq!(labels, [label(2, Some(-77)), label(0, None), label(1, Some(0)), label(1, None)]);
    }

    #[test]
    fn a_position_takes_sixteen_bytes_and_four_for_each_feature() {
        assert_eq!((size_of::<Record>(), size_of::<Count>()), (16, 4));
    }
}
