//! Detects noise on the machine: whether other programs take cores from the engines.

mod machine_counters;
mod machine_noise;
mod noise_meter;
mod noise_watch;

pub use machine_noise::{MachineNoise, MachineState};
pub(super) use noise_watch::NoiseWatch;
