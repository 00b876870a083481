//! Whether the machine is fit to play on.

use super::MachineNoise;

/// What was last found about the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MachineState {
    /// The engines have the cores that they need.
    Quiet,
    /// They are kept waiting.
    Noisy(MachineNoise),
}

impl MachineState {
    /// The noise, if there is any.
    pub const fn noise(self) -> Option<MachineNoise> {
        match self {
            MachineState::Quiet => None,
            MachineState::Noisy(noise) => Some(noise),
        }
    }
}

impl From<Option<MachineNoise>> for MachineState {
    fn from(noise: Option<MachineNoise>) -> MachineState {
        noise.map_or(MachineState::Quiet, MachineState::Noisy)
    }
}
