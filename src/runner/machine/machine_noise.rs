//! How much the rest of the machine disturbs the games.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What was measured while the machine was called noisy.
///
/// A machine is noisy when, over ten seconds, work that was ready to run had to wait for a core for a tenth of the
/// time, or when a hypervisor gave a fiftieth of the time to others. Either is felt by an engine as a clock that runs
/// too fast. It is quiet again after a minute without. More games at once than there are cores make noise, too: it is
/// the same to an engine who keeps it waiting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineNoise {
    /// The share of the time, from 0 to 1, in which work waited for a core: of each core, weighted by how busy it was.
    pub waiting: f64,
    /// The share of the time of all cores, from 0 to 1, that a hypervisor took.
    pub stolen: f64,
}

impl MachineNoise {
    /// Waiting for more of the time than this is noise.
    pub const MOST_WAITING: f64 = 0.10;

    /// More stolen time than this is noise.
    pub const MOST_STOLEN: f64 = 0.02;

    /// Whether this is enough to disturb a game.
    pub fn is_noisy(self) -> bool {
        self.waiting >= MachineNoise::MOST_WAITING || self.stolen >= MachineNoise::MOST_STOLEN
    }
}

/// `work waits for cores 23% of the time`, or what the hypervisor takes where that is what makes the noise.
impl fmt::Display for MachineNoise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (waiting, stolen) = (self.waiting * 100.0, self.stolen * 100.0);
        match (self.waiting >= MachineNoise::MOST_WAITING, self.stolen >= MachineNoise::MOST_STOLEN) {
            (false, true) => write!(f, "the hypervisor takes {stolen:.0}% of time"),
            (true, true) => {
                write!(f, "work waits for cores {waiting:.0}% of time, the hypervisor takes {stolen:.0}%")
            }
            _ => write!(f, "work waits for cores {waiting:.0}% of time"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_name_what_makes_the_noise() {
        let text = |waiting, stolen| MachineNoise { waiting, stolen }.to_string();
        assert_eq!(text(0.23, 0.01), "work waits for cores 23% of time");
        assert_eq!(text(0.03, 0.04), "the hypervisor takes 4% of time");
        assert_eq!(text(0.5, 0.04), "work waits for cores 50% of time, the hypervisor takes 4%");
        assert!(!MachineNoise { waiting: 0.09, stolen: 0.01 }.is_noisy());
    }
}
