//! How far an ablation came, and what is missing of it.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::ablation::{Ablation, AblationOrder, AblationStep};
use crate::engines;
use crate::files::state_file;
use runner::{EngineConfig, RunConfig, SearchLimits, UciSetting};
use uci::Go;

/// `ablation.toml`: written anew after every step that was measured. Each match is a run in a folder of its own, which
/// knows itself how far it came; so an ablation that was killed goes on exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AblationPlan {
    /// The version of this format.
    pub schema: u32,
    /// What bounds the search of a position.
    pub limits: SearchLimits,
    /// The steps that were measured, in their order, without games.
    #[serde(rename = "step", default)]
    pub steps: Vec<AblationStep>,
    /// What is switched, and what is searched.
    pub ablation: Ablation,
    /// The engine, as it is but for what is switched.
    pub engine: EngineConfig,
    /// What each match is but for its engines.
    pub run: RunConfig,
}

impl AblationPlan {
    /// The version of the format that this program writes.
    pub const SCHEMA: u32 = 1;

    /// The file in the folder of an ablation.
    pub const FILE: &str = "ablation.toml";

    /// Reads the plan of the ablation in `folder`.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn read(folder: &Path) -> Result<AblationPlan> {
        state_file::read(&AblationPlan::path(folder), AblationPlan::SCHEMA)
    }

    /// Writes the plan to the folder of the ablation.
    ///
    /// # Errors
    /// The disk does not take it.
    pub fn write(&self, folder: &Path) -> Result<()> {
        state_file::write(&AblationPlan::path(folder), self)
    }

    /// Where the plan of a folder is.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(AblationPlan::FILE)
    }

    /// The search of a position.
    pub fn go(&self) -> Go {
        self.limits.go()
    }

    /// The matches, in the order in which they are played: a step and the one that it is held against.
    pub fn matches(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..=self.ablation.toggles.len()).filter_map(|step| Some((step, self.ablation.opponent_of(step)?)))
    }

    /// What the engine is called in a step: `tarrasch - PVS`, `tarrasch with everything`.
    pub fn name(&self, step: usize) -> String {
        let engine = &self.engine.name;
        match (step, self.ablation.order) {
            (0, AblationOrder::OneOff) => format!("{engine} with everything"),
            (0, AblationOrder::Cumulative) => format!("{engine} with nothing"),
            _ => format!("{engine} {}", self.ablation.change(step)),
        }
    }

    /// The configuration of a step's match.
    pub fn config(&self, step: usize, opponent: usize) -> RunConfig {
        RunConfig { engines: [step, opponent].map(|step| self.contestant(step)).into(), ..self.run.clone() }
    }

    /// The folder of a step's match, in that of the ablation: `03-Aspiration`.
    pub fn run_folder(&self, folder: &Path, step: usize) -> PathBuf {
        let option = &self.ablation.toggles[step - 1].option;
        folder.join(format!("{step:02}-{}", option.replace(['/', '\\', ' '], "_")))
    }

    /// The engine as it is in a step.
    fn contestant(&self, step: usize) -> EngineConfig {
        let mut contestant = EngineConfig { name: self.name(step), ..self.engine.clone() };
        for (option, value) in self.ablation.values(step) {
            let setting = UciSetting { name: option.to_owned(), value: Some(value.to_owned()) };
            engines::set_option(&mut contestant.options, setting);
        }
        contestant
    }
}
