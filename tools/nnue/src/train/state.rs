//! How far a training has come, and the file that keeps it.
//!
//! A checkpoint is, with little-endian integers: `TarrTrn2`; the length of a text in 4 bytes; the text, in TOML; then the
//! weights of the network, the means of their gradients and the means of the squares of these, as 32-bit fractions. In
//! each of the three the tiles come one after the other, and the biases of the outputs last. After the last epoch the
//! means are left out.

use std::fs;
use std::hash::Hasher;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::float_network::FloatNetwork;
use super::settings::Settings;
use crate::difference::{Difference, difference};

const MAGIC: [u8; 8] = *b"TarrTrn2";
const NO_CHECKPOINT: &str = "expected a checkpoint of nnue train";

/// What an epoch brought.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// How far a weight moved in its last step.
    pub rate: f64,
    /// The mean loss of the positions learnt from, each as it was when its turn came.
    pub training: f64,
    /// The mean loss of those held out, in the end.
    pub held_out: f64,
}

/// What decides a network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// A number that other positions do not have, in hexadecimal digits.
    pub data: String,
    /// The positions to learn from.
    pub positions: usize,
    /// How they are learnt from.
    pub settings: Settings,
}

/// The network and what the next step depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What all of it follows from.
    pub recipe: Recipe,
    /// The epochs that are over.
    pub epochs: Vec<Epoch>,
    /// The weights.
    pub network: FloatNetwork,
    /// The means of their derivatives, and of the squares of these.
    pub moments: [FloatNetwork; 2],
}

/// The text of a checkpoint.
#[derive(Serialize, Deserialize)]
struct Header {
    recipe: Recipe,
    #[serde(default)]
    epochs: Vec<Epoch>,
}

impl State {
    /// Before the first step, with random weights.
    pub fn new(recipe: Recipe) -> State {
        let network = FloatNetwork::new(recipe.settings.tiles(), recipe.settings.seed);
        State::with_network(recipe, network)
    }

    /// Before the first step, with these weights.
    fn with_network(recipe: Recipe, network: FloatNetwork) -> State {
        let tiles = recipe.settings.tiles();
        let moments = [(); 2].map(|()| FloatNetwork::zeros(tiles));
        State { recipe, epochs: Vec::new(), network, moments }
    }

    /// Where the checkpoint found in a file says that it is, or before the first step, with the weights of `first`, when
    /// there is no file.
    ///
    /// # Errors
    /// The file cannot be read, is no checkpoint, or its training was begun with other settings or positions.
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
        if let Some(Difference { field, ours, found }) = difference(&Table::try_from(&recipe)?, &begun) {
            let found = found.map_or("nothing".to_owned(), |value| value.to_string());
            bail!("recipe.{field}: the training was begun with {found}, and now it is {ours}");
        }
        let Header { epochs, .. } = header.try_into()?;
        let mut state = State { epochs, ..State::new(recipe) };
        let expected = state.weights().count();
        ensure!(numbers.len() == expected, "expected {expected} weights, found {}", numbers.len());
        for (weight, bytes) in state.weights_mut().zip(numbers) {
            *weight = f32::from_le_bytes(*bytes);
        }
        Ok(state)
    }

    /// Writes the checkpoint, whole or not at all.
    ///
    /// # Errors
    /// The disk is full or gone.
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

    /// What a checkpoint keeps of the network and the means.
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

/// The weights in a checkpoint, for a training with these settings, and a number that others do not have.
///
/// # Errors
/// The file cannot be read, is no checkpoint, or its network has another architecture.
pub fn read_weights(path: &Path, settings: &Settings) -> Result<(FloatNetwork, u64)> {
    let name = || path.display().to_string();
    let bytes = fs::read(path).with_context(name)?;
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
    Ok((network, hasher.finish()))
}

/// The text and the numbers.
fn parts(bytes: &[u8]) -> Option<(&str, &[[u8; 4]])> {
    let (length, rest) = bytes.strip_prefix(&MAGIC)?.split_first_chunk()?;
    let (text, numbers) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    Some((std::str::from_utf8(text).ok()?, numbers.as_chunks().0))
}
