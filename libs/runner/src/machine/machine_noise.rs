//! How much the rest of the machine disturbs the games.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much other programs and the hypervisor disturb the games.
///
/// A machine is noisy if, over 10 seconds, no core was idle and other programs took 5% of the cores, or if a hypervisor
/// took 2% of their time. To an engine, both look like a clock that runs too fast. The machine is quiet again after a
/// minute without noise. Engines that disturb each other, at a concurrency too high for the machine, are not noise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineNoise {
    /// The share of the time of all cores, from 0 to 1, that other programs took; 0 while a core was to spare.
    pub others: f64,
    /// The share of the time of all cores, from 0 to 1, that a hypervisor took.
    pub stolen: f64,
}

impl MachineNoise {
    /// The share for other programs from which on the machine is noisy.
    pub const MOST_FOR_OTHERS: f64 = 0.05;

    /// The share of stolen time from which on the machine is noisy.
    pub const MOST_STOLEN: f64 = 0.02;

    /// Whether this is enough to disturb a game.
    pub fn is_noisy(self) -> bool {
        self.others >= MachineNoise::MOST_FOR_OTHERS || self.stolen >= MachineNoise::MOST_STOLEN
    }
}

/// `other programs take 23% of the cores`, or what the hypervisor takes where that is what makes the noise.
impl fmt::Display for MachineNoise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (others, stolen) = (self.others * 100.0, self.stolen * 100.0);
        match (self.others >= MachineNoise::MOST_FOR_OTHERS, self.stolen >= MachineNoise::MOST_STOLEN) {
            (false, true) => write!(f, "the hypervisor takes {stolen:.0}% of time"),
            (true, true) => {
                write!(f, "other programs take {others:.0}% of the cores, the hypervisor {stolen:.0}%")
            }
            _ => write!(f, "other programs take {others:.0}% of the cores"),
        }
    }
}

/// The last state of the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MachineState {
    /// The engines have the cores that they need.
    Quiet,
    /// Other programs or the hypervisor take time from the engines.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_name_what_makes_the_noise() {
        let text = |others, stolen| MachineNoise { others, stolen }.to_string();
        assert_eq!(text(0.23, 0.01), "other programs take 23% of the cores");
        assert_eq!(text(0.03, 0.04), "the hypervisor takes 4% of time");
        assert_eq!(text(0.5, 0.04), "other programs take 50% of the cores, the hypervisor 4%");
        assert!(!MachineNoise { others: 0.04, stolen: 0.01 }.is_noisy());
    }
}
