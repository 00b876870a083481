//! The state of a training, and its checkpoint.
//!
//! A checkpoint is, with little-endian integers: `TarrTrn2`; the length of a text in 4 bytes; the text, in TOML; then the
//! weights of the network, the means of their gradients and the means of the squared gradients, as 32-bit floats. Each of
//! the three has all tiles, then the biases of the outputs. After the last epoch the means are omitted.

use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result, anyhow, ensure};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::float_network::FloatNetwork;
use super::settings::Settings;
use crate::check_same;

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

/// The recipe of a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// The fingerprint of the positions, in hexadecimal.
    pub data: String,
    /// The number of training positions.
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

    /// The state before the first step, with these weights.
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
        let partial = path.with_added_extension("partial");
        fs::write(&partial, bytes)
            .and_then(|()| fs::rename(&partial, path))
            .with_context(|| path.display().to_string())
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

/// The mean of the weights in checkpoints, one at least, for a training with these settings. Also their fingerprints in
/// hexadecimal, with spaces between.
pub fn read_weights(paths: &[PathBuf], settings: &Settings) -> Result<(FloatNetwork, String)> {
    let read: Result<Vec<_>> = paths.iter().map(|path| read_checkpoint(path, settings)).collect();
    let (networks, fingerprints): (Vec<_>, Vec<_>) = read?.into_iter().unzip();
    Ok((FloatNetwork::mean(&networks), fingerprints.join(" ")))
}

fn read_checkpoint(path: &Path, settings: &Settings) -> Result<(FloatNetwork, String)> {
    let name = || path.display().to_string();
    // A file that the user names may be missing, which is no fault of the system.
    let bytes = fs::read(path).map_err(|error| anyhow!("--from {}: {error}", path.display()))?;
    let (header, numbers) = parts(&bytes).context(NO_CHECKPOINT).with_context(name)?;
    let Header { recipe, .. } = toml::from_str(header).with_context(name)?;
    let [theirs, ours] = [&recipe.settings, settings].map(|settings| (settings.width, settings.mirror));
    ensure!(
        theirs == ours,
        "{}: expected a network of width {}, mirror {}, found width {}, mirror {}",
        path.display(),
        ours.0,
        ours.1,
        theirs.0,
        theirs.1
    );
    let mut network = FloatNetwork::zeros(settings.tiles());
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
    Ok((network, format!("{:016x}", hasher.finish())))
}

/// The text and the numbers.
fn parts(bytes: &[u8]) -> Option<(&str, &[[u8; 4]])> {
    let (length, rest) = bytes.strip_prefix(&MAGIC)?.split_first_chunk()?;
    let (text, numbers) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((std::str::from_utf8(text).ok()?, numbers.as_chunks().0))
}
