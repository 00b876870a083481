//! The plan of an ablation and the steps measured so far.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};

use super::ablation::{Ablation, AblationOrder, AblationStep, StepGameResults};
use super::ablation_text::{TableFormat, ablation_csv};
use crate::cli::{Blame, CliError, CliResult, ExitCode, console};
use crate::engines;
use crate::engines::sessions;
use crate::files::{state_file, write_whole};
use crate::options::ConclusionArgs;
use crate::results::PairingSummary;
use crate::run::{Played, Series};
use crate::text::number_text::limits;
use runner::{EngineConfig, FinishReason, RunConfig, SearchLimits, UciSetting};
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
    pub fn read(folder: &Path) -> Result<AblationPlan> {
        state_file::read(&AblationPlan::path(folder), AblationPlan::SCHEMA)
    }

    /// Writes the plan to the folder of the ablation.
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

/// The table of the steps, in the folder of the ablation.
const TABLE: &str = "ablation.csv";

/// Measures and plays what is missing of the ablation in a folder, and prints all steps.
pub fn continue_in(folder: &Path, format: TableFormat, conclusion: ConclusionArgs) -> CliResult {
    let mut plan = AblationPlan::read(folder).usage()?;
    let series = Series::begin(folder, conclusion).fault()?;
    measure(&mut plan, folder)?;
    let matches: Vec<(usize, usize)> = plan.matches().collect();
    let mut steps = plan.steps.clone();
    for &(step, opponent) in &matches {
        let (name, other) = (plan.name(step), plan.name(opponent));
        console::note(&format!("match {step} of {}: {name} vs {other}", matches.len()));
        let played = series.play(&plan.config(step, opponent), &plan.run_folder(folder, step))?;
        let Played { mut summary, reason } = played;
        match reason {
            FinishReason::Requested => return Ok(series.interrupted()),
            FinishReason::EngineDoesNotStart { detail, .. } => return Err(anyhow!(detail)).usage(),
            _ => {}
        }
        let PairingSummary { wdl, pentanomial: pairs, elo, .. } = summary.pairings.swap_remove(0);
        steps[step].games = Some(StepGameResults { wdl, pairs, elo });
    }
    let table = folder.join(TABLE);
    write_whole(&table, ablation_csv(&steps).fault()?)
        .with_context(|| table.display().to_string())
        .fault()?;
    let games = format!("{}, games in {}", limits(&plan.run.limits), folder.display());
    format.print(&plan.ablation, &plan.go(), &steps, Some(&games))?;
    Ok(ExitCode::Done)
}

/// Measures the missing steps, and saves each.
fn measure(plan: &mut AblationPlan, folder: &Path) -> Result<(), CliError> {
    let missing = plan.steps.len()..=plan.ablation.toggles.len();
    if missing.is_empty() {
        return Ok(());
    }
    engines::check_unchanged(std::slice::from_ref(&plan.engine)).usage()?;
    let mut session = sessions::start(&plan.engine).usage()?;
    for step in missing {
        let measured = plan.ablation.measure(&mut session, &plan.engine.name, step, &plan.go()).usage()?;
        plan.steps.push(measured);
        plan.write(folder).fault()?;
    }
    session.quit();
    Ok(())
}
