//! Quantization, and its cost.

use chess::Color;
use tarrasch::nnue::{FEATURES, LARGEST_OUTPUT_WEIGHT, Network, NetworkWeights, QA, SCALE_UNITS};
use tune::expectation;

use super::batch::Target;
use super::float_network::{BIASES, FloatNetwork, LANES, OUTPUTS};
use super::training_position::TrainingPosition;

/// The largest unit of the output weights.
const MOST_OUTPUT_UNIT: f32 = 1024.0;

/// The quantized network. An output of 1 is this many centipawns.
pub fn quantized(network: &FloatNetwork, mirrors: bool, centipawns: f64) -> NetworkWeights {
    let columns = |lane: usize| network.tiles.iter().flat_map(move |tile| tile[lane].0);
    let rounded = |unit: f32| move |weight: f32| (weight * unit).round() as i16;
    let of_rows = rounded(f32::from(QA));
    let output = || (OUTPUTS..LANES).flat_map(columns);
    // As fine as the largest weight allows.
    let largest = output().fold(0.0, |largest: f32, weight| largest.max(weight.abs()));
    let output_unit = (f32::from(LARGEST_OUTPUT_WEIGHT) / largest).floor().min(MOST_OUTPUT_UNIT);
    let of_bias = f64::from(QA) * f64::from(output_unit);
    NetworkWeights {
        mirrors,
        scale: (centipawns * f64::from(SCALE_UNITS)).round() as u32,
        rows: (0..FEATURES).flat_map(columns).map(of_rows).collect(),
        biases: columns(BIASES).map(of_rows).collect(),
        outputs: output().map(rounded(output_unit)).collect(),
        output_unit: output_unit as u16,
        output_biases: network.output_biases.map(|bias| (f64::from(bias) * of_bias).round() as i32),
    }
}

/// The cost of quantization.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rounding {
    /// The mean loss of the quantized network.
    pub loss: f64,
    /// The mean difference in centipawns.
    pub mean: f64,
    /// The largest difference in centipawns.
    pub worst: f64,
}

impl Rounding {
    /// Compares the networks on positions. `outputs` are those before quantization; an output of 1 is this many centipawns.
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
            rounding.loss += (expectation(value / centipawns * f64::from(position.share())) - wanted).powi(2);
            rounding.mean += away;
            rounding.worst = rounding.worst.max(away);
        }
        let count = positions.len().max(1) as f64;
        Rounding { loss: rounding.loss / count, mean: rounding.mean / count, ..rounding }
    }
}
