//! The training loop.

use chess::SplitMix;
use tune::shuffle;

use super::batch::{Batch, Target};
use super::float_network::AdamW;
use super::state::{Epoch, State};
use super::training_data::{TrainingData, TrainingPosition};

/// Trains a network.
#[derive(Debug)]
pub struct Trainer<'a> {
    data: &'a TrainingData,
    batch: Batch,
    state: State,
}

#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The epoch, from 1.
    pub epoch: usize,
    /// The positions used in all epochs.
    pub positions: u64,
    /// The mean loss in this epoch.
    pub loss: f64,
}

impl<'a> Trainer<'a> {
    /// Continues from a state. The number of threads changes only the time.
    pub fn new(data: &'a TrainingData, target: Target, state: State, threads: usize) -> Trainer<'a> {
        let settings = &state.recipe.settings;
        let batch = Batch::new(settings.tiles(), settings.mirror, target, threads);
        Trainer { data, batch, state }
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether all epochs are over.
    pub fn is_done(&self) -> bool {
        self.state.epochs.len() >= self.state.recipe.settings.epochs as usize
    }

    /// Trains one epoch. `report` gets the progress after every step.
    pub fn epoch(&mut self, report: &mut dyn FnMut(Step)) -> Epoch {
        let State { recipe, epochs, network, moments } = &mut self.state;
        let (settings, training) = (&recipe.settings, &self.data.training);
        let steps_of_epoch = training.len().div_ceil(settings.batch);
        let all_steps = steps_of_epoch * settings.epochs as usize;
        let order = epoch_order(training.len(), settings.seed, epochs.len() as u32);
        let (mut loss, mut rate, mut positions) = (0.0, 0.0, 0);
        for (step, numbers) in order.chunks(settings.batch).enumerate() {
            let number = epochs.len() * steps_of_epoch + step;
            rate = settings.rate_at(number as f64 / all_steps as f64);
            let position = |index: usize| &training[numbers[index] as usize];
            loss += self.batch.forward(network, numbers.len(), position);
            self.batch.backward(network);
            self.batch.step(network, moments, AdamW::new(number as u64 + 1, rate));
            positions += numbers.len();
            let trained = epochs.len() * training.len() + positions;
            report(Step {
                epoch: epochs.len() + 1,
                positions: trained as u64,
                loss: loss / positions as f64,
            });
        }
        let training = loss / positions.max(1) as f64;
        let held_out = self.evaluate(&self.data.held_out).0;
        let epoch = Epoch { rate, training, held_out };
        self.state.epochs.push(epoch);
        epoch
    }

    /// The mean loss of positions, and the output for each.
    pub fn evaluate(&mut self, positions: &[TrainingPosition]) -> (f64, Vec<f32>) {
        let (mut loss, mut outputs) = (0.0, Vec::with_capacity(positions.len()));
        for positions in positions.chunks(self.state.recipe.settings.batch) {
            loss += self.batch.forward(&self.state.network, positions.len(), |index| &positions[index]);
            outputs.extend(self.batch.outputs());
        }
        (loss / positions.len().max(1) as f64, outputs)
    }
}

/// The numbers below `positions`, shuffled by seed and epoch.
pub fn epoch_order(positions: usize, seed: u32, epoch: u32) -> Vec<u32> {
    let mut numbers = SplitMix::new(u64::from(seed) << 32 | u64::from(epoch));
    let mut order: Vec<u32> = (0..positions as u32).collect();
    shuffle(&mut order, &mut numbers);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_epoch_has_every_position_in_an_order_of_its_own() {
        let first = epoch_order(1000, 1, 0);
        assert_ne!(first, epoch_order(1000, 1, 1));
        assert_ne!(first, epoch_order(1000, 2, 0));
        assert_eq!(first, epoch_order(1000, 1, 0));
        let mut sorted = first;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..1000).collect::<Vec<u32>>());
    }
}
