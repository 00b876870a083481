//! A position as the tuner sees it: how often each feature counts.

use super::feature::{COUNT, Feature};
use super::trace::Trace;
use super::{assess, assess_pawns};
use chess::{Color, Position};

/// How the evaluation of a position depends on the weights. With `x` the sum of weights times counts and `d` that of an
/// attack's features, White has `x + worth_of_attack(d by White) - worth_of_attack(d by Black)`, blended by phase and
/// scale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coefficients {
    /// The game phase, from 0 (endgame) to 24 (middlegame).
    pub phase: i32,
    /// How much of the endgame score counts, of 64.
    pub scale: i32,
    /// The place of a weight, and how often White has the feature more than Black.
    pub linear: Vec<(u16, i16)>,
    /// The place of a weight, and how often the attack of White, of Black, has the feature.
    pub danger: [Vec<(u16, i16)>; 2],
}

impl Coefficients {
    /// More middlegame danger than this counts as this.
    pub const DANGER_MG_LIMIT: i32 = super::trace::DANGER_MG_LIMIT;
    /// The middlegame danger is squared and divided by this.
    pub const DANGER_MG_DIVISOR: i32 = super::trace::DANGER_MG_DIVISOR;
    /// The endgame danger is divided by this.
    pub const DANGER_EG_DIVISOR: i32 = super::trace::DANGER_EG_DIVISOR;

    /// Those of a position.
    pub fn of(position: &Position) -> Coefficients {
        let mut counts = Counts::new();
        let pawns = assess_pawns(position, &mut counts);
        assess(position, &pawns, &mut counts);
        let (phase, scale) = (super::phase(position), super::explain(position).scale);
        let [white, black] = &counts.dangers;
        Coefficients {
            phase,
            scale,
            linear: occurring(&counts.linear),
            danger: [occurring(white), occurring(black)],
        }
    }
}

/// The counts that are not zero.
fn occurring(counts: &[i16]) -> Vec<(u16, i16)> {
    (0..).zip(counts.iter().copied()).filter(|&(_, count)| count != 0).collect()
}

/// Counts by the place of the weight.
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
