//! `nnue train`: a network from files of games.
//!
//! [`TrainingData`] holds the positions, 32 bytes each, and keeps one game in fifty apart to judge by. A [`Trainer`] goes
//! through them epoch after epoch in a new order, batch by batch ([`Batch`]), and moves the weights of a
//! [`FloatNetwork`] against the gradient ([`AdamW`]). Its [`State`] is written to a checkpoint after each epoch. At last the
//! weights are rounded to whole numbers ([`quantized`]) and written as Tarrasch reads them.
//!
//! The seed decides the network: work is cut into the same parts whatever the number of threads, and sums are added in a
//! fixed order. A training that was killed and goes on ends with the same bytes.

mod adam_w;
mod batch;
mod command;
mod curves;
mod distillation;
mod float_network;
mod lanes;
mod order;
mod parallel;
mod progress;
mod quantization;
mod report;
mod settings;
mod state;
mod trainer;
mod training_data;
mod training_position;

pub use adam_w::AdamW;
pub use batch::{Batch, Target};
pub use command::command;
pub use float_network::FloatNetwork;
pub use quantization::{Rounding, quantized};
pub use settings::Settings;
pub use state::{Epoch, Recipe, State, read_weights};
pub use trainer::{Step, Trainer};
pub use training_data::TrainingData;
pub use training_position::{Inputs, TrainingPosition};
