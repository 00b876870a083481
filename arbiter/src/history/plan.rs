//! Which runs a history of versions consists of.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::engines::Commit;
use crate::files::state_file;
use runner::RunConfig;

/// `history.toml`: written once, when all versions are built and before the first game. Each encounter is a run in a
/// folder of its own, which knows itself how far it came; so a history that was killed goes on exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryPlan {
    /// The version of this format.
    pub schema: u32,
    /// The engine's manifest.
    pub engine: String,
    /// Whether an engine that breaks decides the exit code.
    pub strict: bool,
    /// The versions, in the order of the engines of `run`, the oldest first.
    #[serde(rename = "version")]
    pub versions: Vec<Commit>,
    /// Those that could not be built.
    #[serde(rename = "skipped", default)]
    pub skipped: Vec<SkippedVersion>,
    /// Who meets whom, in the order in which that is played.
    #[serde(rename = "encounter")]
    pub encounters: Vec<Encounter>,
    /// What each run is, with all versions as its engines.
    pub run: RunConfig,
}

/// A version without a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedVersion {
    /// The commit.
    pub commit: Commit,
    /// Why it has no build.
    pub reason: String,
}

/// Two versions that meet, by their places among the versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encounter {
    /// The one that the result is about.
    pub new: usize,
    /// The one that it is held against.
    pub old: usize,
}

/// Who meets whom among the versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanShape {
    /// Each meets the one before it.
    Chain,
    /// This one meets all others.
    Gauntlet(usize),
}

impl PlanShape {
    /// The encounters of so many versions.
    pub fn encounters(self, versions: usize) -> Vec<Encounter> {
        match self {
            PlanShape::Chain => (1..versions).map(|new| Encounter { new, old: new - 1 }).collect(),
            PlanShape::Gauntlet(fixed) => {
                let others = (0..versions).filter(|other| *other != fixed);
                others.map(|other| Encounter { new: fixed.max(other), old: fixed.min(other) }).collect()
            }
        }
    }
}

impl HistoryPlan {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 1;

    /// The file in the folder of a history.
    pub const FILE: &str = "history.toml";

    /// Reads the plan of the history in `folder`.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn read(folder: &Path) -> Result<HistoryPlan> {
        state_file::read(&HistoryPlan::path(folder), HistoryPlan::SCHEMA)
    }

    /// Writes the plan to the folder of the history.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn write(&self, folder: &Path) -> Result<()> {
        state_file::write(&HistoryPlan::path(folder), self)
    }

    /// Where the plan of a folder is.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(HistoryPlan::FILE)
    }

    /// The configuration of an encounter: the newer version is the one that the result is about.
    pub fn config(&self, encounter: Encounter) -> RunConfig {
        let engines = [encounter.new, encounter.old].map(|version| self.run.engines[version].clone());
        RunConfig { engines: engines.into(), ..self.run.clone() }
    }

    /// The folder of an encounter, in that of the history: `01-3f9c1ab-e3fb91d`.
    pub fn run_folder(&self, folder: &Path, number: usize) -> PathBuf {
        let Encounter { new, old } = self.encounters[number];
        let [new, old] = [new, old].map(|version| self.versions[version].short_hash());
        folder.join(format!("{:02}-{new}-{old}", number + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_chain_each_meets_the_one_before() {
        let encounter = |new, old| Encounter { new, old };
        assert_eq!(PlanShape::Chain.encounters(3), [encounter(1, 0), encounter(2, 1)]);
        assert_eq!(PlanShape::Chain.encounters(1), []);
    }

    #[test]
    fn in_a_gauntlet_one_meets_all_others_and_the_newer_is_named_first() {
        let encounter = |new, old| Encounter { new, old };
        assert_eq!(PlanShape::Gauntlet(2).encounters(3), [encounter(2, 0), encounter(2, 1)]);
        assert_eq!(PlanShape::Gauntlet(1).encounters(3), [encounter(1, 0), encounter(2, 1)]);
    }
}
