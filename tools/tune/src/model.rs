//! The evaluation as a function of floating-point weights, and its derivatives.

use std::array;

use tarrasch::eval::{Coefficients, Score};

use super::data_set::{Count, Example};

/// The weights of all features, each for the middlegame and the endgame, in centipawns; or a gradient by them.
pub type Weights = Vec<[f64; 2]>;

/// The value of a position, with what its derivatives need.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated {
    /// Centipawns for White.
    pub value: f64,
    /// The factors of the middlegame and of the endgame score.
    blend: [f64; 2],
    /// The danger of White's attack and of Black's, for the middlegame and the endgame.
    dangers: [[f64; 2]; 2],
}

/// White's attack is added, Black's subtracted.
const SIGNS: [f64; 2] = [1.0, -1.0];

impl Evaluated {
    pub fn new(example: &Example<'_>, weights: &[[f64; 2]]) -> Evaluated {
        let dangers = example.dangers.map(|counts| sum(counts, weights));
        let blend = blend(example);
        let attacks = dangers.map(score_of_attack);
        let linear = sum(example.linear, weights);
        let value =
            (0..2).map(|part| (linear[part] + attacks[0][part] - attacks[1][part]) * blend[part]).sum();
        Evaluated { value, blend, dangers }
    }

    /// Adds `factor` times the derivatives of the value by the weights.
    pub fn add_derivatives(&self, example: &Example<'_>, factor: f64, gradient: &mut [[f64; 2]]) {
        add(example.linear, self.blend.map(|share| share * factor), gradient);
        for ((counts, danger), sign) in example.dangers.into_iter().zip(self.dangers).zip(SIGNS) {
            let slope = slope_of_attack(danger);
            let share = array::from_fn(|part| sign * slope[part] * self.blend[part] * factor);
            add(counts, share, gradient);
        }
    }
}

/// The factors of the middlegame and of the endgame score.
fn blend(example: &Example<'_>) -> [f64; 2] {
    let middlegame = f64::from(example.phase) / f64::from(Score::MIDDLEGAME);
    [middlegame, (1.0 - middlegame) * f64::from(example.scale) / f64::from(Score::FULL_SCALE)]
}

fn sum(counts: &[Count], weights: &[[f64; 2]]) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for count in counts {
        let (weight, times) = (weights[usize::from(count.weight)], f64::from(count.times));
        sum[0] += weight[0] * times;
        sum[1] += weight[1] * times;
    }
    sum
}

fn add(counts: &[Count], share: [f64; 2], gradient: &mut [[f64; 2]]) {
    for count in counts {
        let (slope, times) = (&mut gradient[usize::from(count.weight)], f64::from(count.times));
        slope[0] += share[0] * times;
        slope[1] += share[1] * times;
    }
}

/// The score of an attack, without the rounding of the evaluation.
fn score_of_attack([mg, eg]: [f64; 2]) -> [f64; 2] {
    let mg = mg.clamp(0.0, f64::from(Coefficients::DANGER_MG_LIMIT));
    [
        mg * mg / f64::from(Coefficients::DANGER_MG_DIVISOR),
        eg.max(0.0) / f64::from(Coefficients::DANGER_EG_DIVISOR),
    ]
}

/// The derivatives of [`score_of_attack`].
fn slope_of_attack([mg, eg]: [f64; 2]) -> [f64; 2] {
    let is_inside = mg > 0.0 && mg < f64::from(Coefficients::DANGER_MG_LIMIT);
    [
        if is_inside { 2.0 * mg / f64::from(Coefficients::DANGER_MG_DIVISOR) } else { 0.0 },
        if eg > 0.0 { 1.0 / f64::from(Coefficients::DANGER_EG_DIVISOR) } else { 0.0 },
    ]
}

#[cfg(test)]
mod tests {
    use chess::{Color, Position, SplitMix};
    use tarrasch::eval::{WEIGHTS, explain};
    use uci::server::bench_positions;

    use super::*;
    use crate::data_set::DataSet;
    use crate::fit::below;
    use crate::positions_file::Label;

    fn present() -> Weights {
        WEIGHTS.iter().map(|weight| [f64::from(weight.mg()), f64::from(weight.eg())]).collect()
    }

    fn data() -> (Vec<Position>, DataSet) {
        let positions: Vec<Position> =
            bench_positions().map(|fen| Position::from_fen(fen).unwrap()).collect();
        let mut data = DataSet::default();
        for position in &positions {
            data.push(&Coefficients::of(position), Label { half_points: 1, score: None });
        }
        (positions, data)
    }

    #[test]
    fn the_model_agrees_with_the_evaluation() {
        let (positions, data) = data();
        for (position, index) in positions.iter().zip(0..) {
            let modelled = Evaluated::new(&data.get(index), &present()).value;
            let value = f64::from(explain(position).value.get());
            let for_white = if position.side_to_move() == Color::White { value } else { -value };
            // The evaluation truncates each attack, the scaled endgame and the blend.
            assert!((modelled - for_white).abs() < 4.0, "{position:?}: {modelled} and {for_white}");
        }
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let (_, data) = data();
        // Fractions, and attacks strong enough to have a score.
        let mut numbers = SplitMix::new(5);
        let mut fraction = || below(&mut numbers, 1000) as f64 / 500.0;
        let weights: Weights =
            present().into_iter().map(|weight| weight.map(|w| 1.5 * w + fraction())).collect();
        for index in 0..data.len() as u32 {
            let example = data.get(index);
            let mut gradient = vec![[0.0; 2]; weights.len()];
            Evaluated::new(&example, &weights).add_derivatives(&example, 3.0, &mut gradient);
            let counts = example.linear.iter().chain(example.dangers.into_iter().flatten());
            let places = counts.map(|count| usize::from(count.weight)).chain([0]);
            for (place, part) in places.flat_map(|place| [(place, 0), (place, 1)]) {
                let shifted = |by: f64| {
                    let mut weights = weights.clone();
                    weights[place][part] += by;
                    Evaluated::new(&example, &weights).value
                };
                let difference = 3.0 * (shifted(1e-4) - shifted(-1e-4)) / 2e-4;
                let derivative = gradient[place][part];
                assert!((derivative - difference).abs() < 1e-5, "{place}: {derivative} and {difference}");
            }
        }
    }

    #[test]
    fn some_positions_have_attacks_that_count_and_some_have_none() {
        let (_, data) = data();
        let counts =
            (0..data.len() as u32).flat_map(|index| Evaluated::new(&data.get(index), &present()).dangers);
        let strong = counts.filter(|danger| score_of_attack(*danger)[0] > 0.0).count();
        assert!(strong > 0 && strong < 2 * data.len(), "{strong}");
    }
}
