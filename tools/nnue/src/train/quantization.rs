//! The network in whole numbers, and what that costs.

use chess::Color;
use tarrasch::nnue::{FEATURES, Network, NetworkWeights, QA, QB, SCALE_UNITS};
use tune::expectation;

use super::batch::Target;
use super::float_network::{BIASES, FloatNetwork, OUTPUT};
use super::training_position::TrainingPosition;

/// The network in whole numbers, whose output of 1 is so many centipawns.
pub fn quantized(network: &FloatNetwork, mirrors: bool, centipawns: f64) -> NetworkWeights {
    let columns = |lane: usize, unit: i16| {
        let lanes = network.tiles.iter().flat_map(move |tile| tile[lane].0);
        lanes.map(move |weight| (weight * f32::from(unit)).round() as i16)
    };
    let output_unit = f64::from(QA) * f64::from(QB);
    NetworkWeights {
        mirrors,
        scale: (centipawns * f64::from(SCALE_UNITS)).round() as u32,
        rows: (0..FEATURES).flat_map(|lane| columns(lane, QA)).collect(),
        biases: columns(BIASES, QA).collect(),
        output: (OUTPUT..OUTPUT + 2).flat_map(|lane| columns(lane, QB)).collect(),
        output_bias: (f64::from(network.output_bias) * output_unit).round() as i32,
    }
}

/// What the whole numbers cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rounding {
    /// The mean loss of the network in whole numbers and whole centipawns.
    pub loss: f64,
    /// How many centipawns it is away from the other, in the mean.
    pub mean: f64,
    /// The same in the worst case.
    pub worst: f64,
}

impl Rounding {
    /// Compares the networks on positions; `outputs` are those of the one with fractions, and an output of 1 is so many
    /// centipawns.
    pub fn of(
        network: &Network,
        centipawns: f64,
        positions: &[TrainingPosition],
        outputs: &[f32],
        target: Target,
    ) -> Rounding {
        let mut rounding = Rounding::default();
        for (position, &output) in positions.iter().zip(outputs) {
            let value = f64::from(network.evaluate_board(&position.board(), Color::White));
            let wanted = position.target(target.result_share, target.score_scale);
            let away = (value - centipawns * f64::from(output)).abs();
            rounding.loss += (expectation(value / centipawns) - wanted).powi(2);
            rounding.mean += away;
            rounding.worst = rounding.worst.max(away);
        }
        let count = positions.len().max(1) as f64;
        Rounding { loss: rounding.loss / count, mean: rounding.mean / count, ..rounding }
    }
}
