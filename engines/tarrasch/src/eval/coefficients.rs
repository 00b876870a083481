//! The counts of all features of a position, for the tuner.

use super::feature::{COUNT, Feature};
use super::trace::Trace;
use super::{count_pawn_terms, count_terms};
use chess::{Color, Position};

/// The evaluation of a position as a function of the weights. With `x` the sum of weights × `linear` and `d` the sums of
/// weights × `danger`, White's score is `x + king_danger_score(d[white]) - king_danger_score(d[black])`, interpolated by
/// phase and scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coefficients {
    /// The game phase, from 0 (endgame) to 24 (middlegame).
    pub phase: i32,
    /// The endgame scale, from 0 to 64.
    pub scale: i32,
    /// The index of a weight, and White's count of the feature minus Black's.
    pub linear: Vec<(u16, i16)>,
    /// For the attacks of White and of Black: the index of a weight and the count of the feature.
    pub danger: [Vec<(u16, i16)>; 2],
}

impl Coefficients {
    /// The middlegame danger is at most this.
    pub const DANGER_MG_LIMIT: i32 = super::trace::DANGER_MG_LIMIT;
    /// The middlegame danger is squared and divided by this.
    pub const DANGER_MG_DIVISOR: i32 = super::trace::DANGER_MG_DIVISOR;
    /// The endgame danger is divided by this.
    pub const DANGER_EG_DIVISOR: i32 = super::trace::DANGER_EG_DIVISOR;

    /// Counts the features of a position.
    pub fn of(position: &Position) -> Coefficients {
        let mut counts = Counts::new();
        let pawns = count_pawn_terms(position, &mut counts);
        count_terms(position, &pawns, &mut counts);
        let (phase, scale) = (super::phase(position), super::explain(position).scale);
        let [white, black] = &counts.dangers;
        Coefficients {
            phase,
            scale,
            linear: nonzero(&counts.linear),
            danger: [nonzero(white), nonzero(black)],
        }
    }
}

/// The counts that are not zero, with their indices.
fn nonzero(counts: &[i16]) -> Vec<(u16, i16)> {
    (0..).zip(counts.iter().copied()).filter(|&(_, count)| count != 0).collect()
}

/// Counts by the index of the weight.
struct Counts {
    linear: Vec<i16>,
    dangers: [Vec<i16>; 2],
}

impl Counts {
    fn new() -> Counts {
        Counts { linear: vec![0; COUNT], dangers: [vec![0; COUNT], vec![0; COUNT]] }
    }
}

impl Trace for Counts {
    fn add(&mut self, color: Color, feature: Feature, count: i32) {
        let count = count as i16;
        self.linear[feature.index()] += if color == Color::White { count } else { -count };
    }

    fn add_danger(&mut self, color: Color, feature: Feature, count: i32) {
        self.dangers[color.index()][feature.index()] += count as i16;
    }
}
