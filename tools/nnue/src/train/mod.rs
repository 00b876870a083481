//! `nnue train`: trains a network on files of games.
//!
//! [`TrainingData`] holds the positions, 32 bytes each, and one game in fifty held out. A [`Trainer`] shuffles them in each
//! epoch and updates the weights of a [`FloatNetwork`] ([`AdamW`]) batch by batch ([`Batch`]). Each epoch writes its
//! [`State`] to a checkpoint. At the end the weights are quantized ([`quantized`]) and written for Tarrasch.
//!
//! The same seed gives the same network: tasks have a fixed size with any number of threads, and sums have a fixed order. A
//! killed and resumed training ends with the same bytes.

mod batch;
mod command;
mod expectation;
mod float_network;
mod report;
mod settings;
mod trainer;
mod training_data;

pub use batch::{Batch, Target};
pub use command::command;
pub use float_network::{AdamW, FloatNetwork, Rounding, quantized};
pub use settings::{Settings, TrainArguments};
pub use trainer::{Epoch, Recipe, State, Step, Trainer, read_weights};
pub use training_data::{Inputs, TrainingData, TrainingPosition};
