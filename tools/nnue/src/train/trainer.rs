//! The training loop, its state, and the checkpoint.
//!
//! A checkpoint is, with little-endian integers: `TarrTrn2`; the length of a text in 4 bytes; the text, in TOML; then the
//! weights of the network, the means of their gradients and the means of the squared gradients, as 32-bit floats. Each of
//! the three has all tiles, then the biases of the outputs. After the last epoch the means are omitted.

use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result, anyhow, ensure};
use chess::SplitMix;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::batch::{Batch, Target};
use super::float_network::{AdamW, FloatNetwork};
use super::settings::Settings;
use super::training_data::{TrainingData, TrainingPosition};
use crate::files::write_whole;
use crate::{check_same, shuffle};

const MAGIC: [u8; 8] = *b"TarrTrn2";
const NO_CHECKPOINT: &str = "expected a checkpoint of nnue train";

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// The learning rate of its last step.
    pub rate: f64,
    /// The mean training loss, of each position when it was used.
    pub training: f64,
    /// The mean held-out loss at its end.
    pub held_out: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// The fingerprint of the positions, in hexadecimal.
    pub data: String,
    pub positions: usize,
    pub settings: Settings,
}

/// The network and the state of the optimizer.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub recipe: Recipe,
    pub epochs: Vec<Epoch>,
    pub network: FloatNetwork,
    /// The means of the gradient, and of the squared gradient.
    pub moments: [FloatNetwork; 2],
}

/// The TOML text of a checkpoint.
#[derive(Serialize, Deserialize)]
struct Header {
    recipe: Recipe,
    #[serde(default)]
    epochs: Vec<Epoch>,
}

impl State {
    /// The state before the first step, with random weights.
    pub fn new(recipe: Recipe) -> State {
        let network = FloatNetwork::new(recipe.settings.tiles(), recipe.settings.seed);
        State::with_network(recipe, network)
    }

    fn with_network(recipe: Recipe, network: FloatNetwork) -> State {
        let tiles = recipe.settings.tiles();
        let moments = [(); 2].map(|()| FloatNetwork::zeros(tiles));
        State { recipe, epochs: Vec::new(), network, moments }
    }

    /// The state of a checkpoint; without a file the state before the first step, with the weights of `first`.
    pub fn open(path: &Path, recipe: Recipe, first: FloatNetwork) -> Result<State> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(State::with_network(recipe, first));
            }
            bytes => bytes.with_context(|| path.display().to_string())?,
        };
        State::from_bytes(&bytes, recipe).with_context(|| path.display().to_string())
    }

    fn from_bytes(bytes: &[u8], recipe: Recipe) -> Result<State> {
        let (header, numbers) = parts(bytes).context(NO_CHECKPOINT)?;
        let header: Table = header.parse()?;
        let begun = header.get("recipe").and_then(|value| value.as_table()).cloned().unwrap_or_default();
        check_same("the training was begun", &begun, &Table::try_from(&recipe)?)
            .map_err(|error| anyhow!("recipe.{error}"))?;
        let Header { epochs, .. } = header.try_into()?;
        let mut state = State { epochs, ..State::new(recipe) };
        let expected = state.weights().count();
        ensure!(numbers.len() == expected, "expected {expected} weights, found {}", numbers.len());
        for (weight, bytes) in state.weights_mut().zip(numbers) {
            *weight = f32::from_le_bytes(*bytes);
        }
        Ok(state)
    }

    /// Writes the checkpoint, completely or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        let header = Header { recipe: self.recipe.clone(), epochs: self.epochs.clone() };
        let text = toml::to_string(&header)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        self.weights().for_each(|weight| bytes.extend(weight.to_le_bytes()));
        write_whole(path, bytes)
    }

    /// The numbers of a checkpoint: weights, then means.
    fn kept(&self) -> usize {
        if self.epochs.len() < self.recipe.settings.epochs as usize { 3 } else { 1 }
    }

    fn weights(&self) -> impl Iterator<Item = &f32> {
        let [means, squares] = &self.moments;
        [&self.network, means, squares].into_iter().take(self.kept()).flat_map(FloatNetwork::weights)
    }

    fn weights_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let kept = self.kept();
        let [means, squares] = &mut self.moments;
        [&mut self.network, means, squares].into_iter().take(kept).flat_map(FloatNetwork::weights_mut)
    }
}

/// The mean of the weights in one or more checkpoints, widened to the width in the settings, and the checkpoints'
/// fingerprints in hexadecimal, separated by spaces.
pub fn read_weights(paths: &[PathBuf], settings: &Settings) -> Result<(FloatNetwork, String)> {
    let read: Result<Vec<_>> = paths.iter().map(|path| read_checkpoint(path, settings)).collect();
    let (networks, fingerprints): (Vec<_>, Vec<_>) = read?.into_iter().unzip();
    Ok((FloatNetwork::mean(&networks), fingerprints.join(" ")))
}

fn read_checkpoint(path: &Path, settings: &Settings) -> Result<(FloatNetwork, String)> {
    let name = || path.display().to_string();
    // A missing file that the user named is an error of usage, not of the system.
    let bytes = fs::read(path).map_err(|error| anyhow!("--from {}: {error}", path.display()))?;
    let (header, numbers) = parts(&bytes).context(NO_CHECKPOINT).with_context(name)?;
    let Header { recipe, .. } = toml::from_str(header).with_context(name)?;
    let [theirs, ours] = [&recipe.settings, settings].map(|settings| (settings.width, settings.mirror));
    ensure!(
        theirs.0 <= ours.0 && theirs.1 == ours.1,
        "{}: expected a network of width {} or less, mirror {}, found width {}, mirror {}",
        path.display(),
        ours.0,
        ours.1,
        theirs.0,
        theirs.1
    );
    let mut network = FloatNetwork::zeros(recipe.settings.tiles());
    let expected = network.weights().count();
    ensure!(
        [expected, 3 * expected].contains(&numbers.len()),
        "{}: expected {expected} weights, or three times as many numbers, found {}",
        path.display(),
        numbers.len()
    );
    let mut hasher = FxHasher::default();
    for (weight, bytes) in network.weights_mut().zip(numbers) {
        *weight = f32::from_le_bytes(*bytes);
        hasher.write(bytes);
    }
    Ok((network.widened(settings.tiles(), settings.seed), format!("{:016x}", hasher.finish())))
}

/// The text of a checkpoint and its numbers.
fn parts(bytes: &[u8]) -> Option<(&str, &[[u8; 4]])> {
    let (length, rest) = bytes.strip_prefix(&MAGIC)?.split_first_chunk()?;
    let (text, numbers) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((std::str::from_utf8(text).ok()?, numbers.as_chunks().0))
}

#[derive(Debug)]
pub struct Trainer<'a> {
    data: &'a TrainingData,
    batch: Batch,
    pub state: State,
}

#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The epoch, from 1.
    pub epoch: usize,
    /// The positions used in all epochs.
    pub positions: u64,
    pub loss: f64,
}

impl<'a> Trainer<'a> {
    /// Continues from a state. The number of threads changes only the time.
    pub fn new(data: &'a TrainingData, target: Target, state: State, threads: usize) -> Trainer<'a> {
        let settings = &state.recipe.settings;
        let batch = Batch::new(settings.tiles(), settings.mirror, target, threads);
        Trainer { data, batch, state }
    }

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
