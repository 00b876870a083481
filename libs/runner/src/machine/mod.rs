//! The machine that a run is played on: whether it leaves the engines the cores that they need.

mod machine_counters;
mod machine_noise;
mod noise_meter;
mod noise_watch;

pub use machine_noise::{MachineNoise, MachineState};
pub(super) use noise_watch::NoiseWatch;
