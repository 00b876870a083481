//! The plan of an ablation and the steps measured so far.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::ablation::{Ablation, AblationOrder, AblationStep};
use crate::engines;
use crate::files::state_file;
use runner::{EngineConfig, RunConfig, SearchLimits, UciSetting};
use uci::Go;

/// `ablation.toml`, rewritten after every measured step. Each match is a run in its own folder with its own journal; so
/// an ablation that was killed continues exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AblationPlan {
    /// The version of this format.
    pub schema: u32,
    /// The limits of the search of a position.
    pub limits: SearchLimits,
    /// The measured steps in their order, without games.
    #[serde(rename = "step", default)]
    pub steps: Vec<AblationStep>,
    /// The techniques and the positions.
    pub ablation: Ablation,
    /// The engine without the switched options.
    pub engine: EngineConfig,
    /// The configuration of each match without its engines.
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
    /// The file is missing or cannot be read.
    pub fn read(folder: &Path) -> Result<AblationPlan> {
        state_file::read(&AblationPlan::path(folder), AblationPlan::SCHEMA)
    }

    /// Writes the plan to the folder of the ablation.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        state_file::write(&AblationPlan::path(folder), self)
    }

    /// The path of the plan in a folder.
    pub fn path(folder: &Path) -> PathBuf {
        folder.join(AblationPlan::FILE)
    }

    /// The search of a position.
    pub fn go(&self) -> Go {
        self.limits.go()
    }

    /// The matches in their order: a step and its opponent.
    pub fn matches(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..=self.ablation.toggles.len()).filter_map(|step| Some((step, self.ablation.opponent_of(step)?)))
    }

    /// The engine's name in a step: `tarrasch - PVS`, `tarrasch all on`.
    pub fn name(&self, step: usize) -> String {
        let engine = &self.engine.name;
        match (step, self.ablation.order) {
            (0, AblationOrder::OneOff) => format!("{engine} all on"),
            (0, AblationOrder::Cumulative) => format!("{engine} all off"),
            _ => format!("{engine} {}", self.ablation.change(step)),
        }
    }

    /// The configuration of a step's match.
    pub fn config(&self, step: usize, opponent: usize) -> RunConfig {
        RunConfig {
            engines: [step, opponent].map(|step| self.engine_in_step(step)).into(),
            ..self.run.clone()
        }
    }

    /// The folder of a step's match in the folder of the ablation: `03-Aspiration`.
    pub fn run_folder(&self, folder: &Path, step: usize) -> PathBuf {
        let option = &self.ablation.toggles[step - 1].option;
        folder.join(format!("{step:02}-{}", option.replace(['/', '\\', ' '], "_")))
    }

    /// The engine with the options of a step.
    fn engine_in_step(&self, step: usize) -> EngineConfig {
        let mut engine = EngineConfig { name: self.name(step), ..self.engine.clone() };
        for (option, value) in self.ablation.values(step) {
            let setting = UciSetting { name: option.to_owned(), value: Some(value.to_owned()) };
            engines::set_option(&mut engine.options, setting);
        }
        engine
    }
}
