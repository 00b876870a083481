//! Millions of positions in little memory: all counts of features lie in one array.

use tarrasch::eval::Coefficients;

use super::labelled_position::Label;

/// How often a feature counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The place of its weight in the table.
    pub weight: u16,
    /// How often it counts.
    pub times: i16,
}

/// A position as the fit sees it.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// The game phase, from 0 (endgame) to 24 (middlegame).
    pub phase: u8,
    /// How much of the endgame score counts, of 64.
    pub scale: u8,
    /// White's features less Black's.
    pub linear: &'a [Count],
    /// The features of White's attack, and of Black's.
    pub dangers: [&'a [Count]; 2],
    /// What is known of the position's worth.
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
    /// Where its counts begin: the linear ones, then those of White's and those of Black's attack.
    first: u32,
    linear: u16,
    dangers: [u8; 2],
    /// [`NO_SCORE`] where nobody announced one.
    score: i16,
    phase: u8,
    scale: u8,
    half_points: u8,
}

const NO_SCORE: i16 = i16::MIN;

impl DataSet {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Adds a position.
    ///
    /// # Panics
    /// There are more than four billion counts, which take 16 GB.
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

    /// Adds the positions of another set behind these.
    pub fn append(&mut self, other: &DataSet) {
        let shift = u32::try_from(self.counts.len()).expect("the counts fit into 16 GB");
        self.counts.extend_from_slice(&other.counts);
        let moved = |record: &Record| Record { first: record.first + shift, ..*record };
        self.records.extend(other.records.iter().map(moved));
    }

    /// The position with this number.
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
