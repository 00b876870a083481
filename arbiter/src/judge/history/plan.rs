//! The plan of a history: which versions play each other.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use crate::engines::Commit;
use crate::files::state_file;
use runner::{EngineConfig, RunConfig};

/// `history.toml`: written once, after the builds and before the first game. Each encounter is a run with a folder of
/// its own, so that an interrupted history continues with the games that are missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryPlan {
    /// The version of this format.
    pub schema: u32,
    pub engine: String,
    /// Whether an engine fault gives exit code 4.
    pub strict: bool,
    /// The versions, in the order of the engines of `run`, the oldest first.
    #[serde(rename = "version")]
    pub versions: Vec<Commit>,
    /// The versions that do not build.
    #[serde(rename = "skipped", default)]
    pub skipped: Vec<SkippedVersion>,
    /// The encounters, in the order in which they are played.
    #[serde(rename = "encounter")]
    pub encounters: Vec<Encounter>,
    /// The configuration of each run, with all versions as its engines.
    pub run: RunConfig,
}

/// A version that does not build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SkippedVersion {
    pub commit: Commit,
    /// The error of its build.
    pub reason: String,
}

/// Two versions that play each other, by their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encounter {
    /// The newer version, the first engine of the run.
    pub new: usize,
    pub old: usize,
}

/// Which versions play each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanShape {
    /// Each version plays the one before it.
    Chain,
    /// This version plays all others.
    Gauntlet(usize),
}

impl PlanShape {
    /// The encounters of these versions, each given as the first one with the same program: only that one plays.
    pub fn encounters(self, programs: &[usize]) -> Vec<Encounter> {
        let distinct: Vec<usize> =
            (0..programs.len()).filter(|&version| programs[version] == version).collect();
        match self {
            // The program before may be one that was there earlier still.
            PlanShape::Chain => {
                let mut encounters: Vec<Encounter> = Vec::new();
                for pair in programs.windows(2).filter(|pair| pair[0] != pair[1]) {
                    let encounter = Encounter { new: pair[0].max(pair[1]), old: pair[0].min(pair[1]) };
                    if !encounters.contains(&encounter) {
                        encounters.push(encounter);
                    }
                }
                encounters
            }
            PlanShape::Gauntlet(fixed) => {
                let fixed = programs[fixed];
                let others = distinct.into_iter().filter(|other| *other != fixed);
                others.map(|other| Encounter { new: fixed.max(other), old: fixed.min(other) }).collect()
            }
        }
    }
}

/// For each engine the first one that is the same program to the byte, started in the same way.
pub fn programs(engines: &[EngineConfig]) -> Vec<usize> {
    let is_same = |one: &EngineConfig, other: &EngineConfig| {
        one.sha256.is_some()
            && (&one.sha256, &one.args, &one.env, &one.dir, &one.options)
                == (&other.sha256, &other.args, &other.env, &other.dir, &other.options)
    };
    let first =
        |(index, engine)| engines[..index].iter().position(|other| is_same(other, engine)).unwrap_or(index);
    engines.iter().enumerate().map(first).collect()
}

impl HistoryPlan {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 1;

    /// The name of the file.
    pub const FILE: &str = "history.toml";

    /// Reads the plan in `folder`.
    pub fn read(folder: &Path) -> Result<HistoryPlan> {
        state_file::read(&HistoryPlan::path(folder), HistoryPlan::SCHEMA)
    }

    /// Writes the plan to `folder`.
    pub fn write(&self, folder: &Path) -> Result<()> {
        state_file::write(&HistoryPlan::path(folder), self)
    }

    /// The path of the file in `folder`.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(HistoryPlan::FILE)
    }

    /// The configuration of an encounter; the newer version is the first engine.
    pub fn config(&self, encounter: Encounter) -> RunConfig {
        let engines = [encounter.new, encounter.old].map(|version| self.run.engines[version].clone());
        RunConfig { engines: engines.into(), ..self.run.clone() }
    }

    /// The run folder of an encounter, such as `01-3f9c1ab-e3fb91d`.
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
    fn in_a_chain_each_version_plays_the_one_before() {
        let encounter = |new, old| Encounter { new, old };
        assert_eq!(PlanShape::Chain.encounters(&[0, 1, 2]), [encounter(1, 0), encounter(2, 1)]);
        assert_eq!(PlanShape::Chain.encounters(&[0]), []);
    }

    #[test]
    fn in_a_gauntlet_one_version_plays_all_others_and_the_newer_is_first() {
        let encounter = |new, old| Encounter { new, old };
        assert_eq!(PlanShape::Gauntlet(2).encounters(&[0, 1, 2]), [encounter(2, 0), encounter(2, 1)]);
        assert_eq!(PlanShape::Gauntlet(1).encounters(&[0, 1, 2]), [encounter(1, 0), encounter(2, 1)]);
    }

    #[test]
    fn versions_with_the_same_program_play_once() {
        let mut engines = crate::results::made_up_games::config(&["a", "b", "c", "d"], false).engines;
        for (engine, sha256) in engines.iter_mut().zip([Some("1"), Some("1"), Some("2"), None]) {
            engine.sha256 = sha256.map(str::to_owned);
        }
        let same = programs(&engines);
        assert_eq!(same, [0, 0, 2, 3]);
        let encounter = |new, old| Encounter { new, old };
        assert_eq!(PlanShape::Chain.encounters(&same), [encounter(2, 0), encounter(3, 2)]);
        assert_eq!(PlanShape::Gauntlet(1).encounters(&same), [encounter(2, 0), encounter(3, 0)]);
    }
}
