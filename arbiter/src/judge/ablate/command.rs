//! `arbiter ablate ENGINE --toggle OPTION…`: measures what each technique of an engine gains.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::ablation::{Ablation, AblationError, AblationOrder, AblationStep, Toggle};
use super::ablation_text::TableFormat;
use super::plan;
use super::plan::AblationPlan;
use crate::cli::{Blame, CliResult, ExitCode, console};
use crate::engines;
use crate::engines::{EngineSession, EngineSpec, sessions};
use crate::files::{new_folder, state_file};
use crate::measure::speed::SpeedSuite;
use crate::options::{ConclusionArgs, MoveLimitArgs, StepGamesArgs};
use crate::run::playing;
use runner::{EngineConfig, RunConfig, SearchLimits};

/// The default depth, in plies.
const DEFAULT_DEPTH: u32 = 8;

/// The arguments of `arbiter ablate`.
#[derive(Debug, Args)]
#[command(after_help = "Without a limit, each search goes to depth 8.")]
pub struct AblateArgs {
    /// The engine: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    /// The option that switches a technique: NAME for a check option, NAME=OFF,ON for others; may be repeated
    #[arg(long, required = true, value_name = "OPTION")]
    toggle: Vec<String>,

    /// Start with all techniques on and switch off one at a time; without it, start with all off and switch on one more in
    /// each step
    #[arg(long)]
    one_off: bool,

    /// The positions, an EPD file or a shipped one; may be repeated [default: all shipped files]
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// Print the steps as JSON
    #[arg(long)]
    json: bool,

    /// Print the steps as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    #[command(flatten)]
    limits: MoveLimitArgs,

    #[command(flatten)]
    games: StepGamesArgs,
}

impl AblateArgs {
    /// Measures and prints.
    pub fn run(self) -> CliResult {
        state_file::check_out(self.games.out(), AblationPlan::FILE).usage()?;
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let run = self.games.run_config(&engine).usage()?;
        let mut session = sessions::introduce(&engine).usage()?;
        let ablation = self.ablation(&session).usage()?;
        if let Some(run) = run {
            // Values that the engine refuses are reported before the folder is created.
            (0..=ablation.toggles.len()).try_for_each(|step| ablation.switch(&mut session, step)).usage()?;
            session.quit();
            return self.with_games(ablation, engine, run);
        }
        let go = self.limits().go();
        let steps: Result<Vec<AblationStep>, _> = (0..=ablation.toggles.len())
            .map(|step| ablation.measure(&mut session, &engine.name, step, &go))
            .collect();
        session.quit();
        self.format().print(&ablation, &go, &steps.usage()?, None)?;
        Ok(ExitCode::Done)
    }

    /// The techniques and the positions.
    fn ablation(&self, session: &EngineSession) -> anyhow::Result<Ablation> {
        let positions = SpeedSuite::read_positions(&self.suite)?;
        let mut toggles: Vec<Toggle> = Vec::new();
        for text in &self.toggle {
            let toggle = Toggle::read(text, session)?;
            if toggles.iter().any(|other| other.option == toggle.option) {
                return Err(AblationError::Twice(toggle.option).into());
            }
            toggles.push(toggle);
        }
        let order = if self.one_off { AblationOrder::OneOff } else { AblationOrder::Cumulative };
        Ok(Ablation { order, positions, toggles })
    }

    /// Creates the folder of the ablation and plays its matches.
    fn with_games(&self, ablation: Ablation, engine: EngineConfig, run: RunConfig) -> CliResult {
        let folder = match self.games.out() {
            Some(folder) => folder.to_owned(),
            None => new_folder::below_results(&format!("ablation-{}", playing::file_name(&engine.name))),
        };
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string()).fault()?;
        let (schema, limits) = (AblationPlan::SCHEMA, self.limits());
        let plan = AblationPlan { schema, limits, steps: Vec::new(), ablation, engine, run };
        plan.write(&folder).fault()?;
        plan::continue_in(&folder, self.format(), ConclusionArgs::default())
    }

    fn limits(&self) -> SearchLimits {
        let mut limits = self.limits.limits();
        if limits == SearchLimits::default() {
            limits.depth = Some(DEFAULT_DEPTH);
        }
        limits
    }

    fn format(&self) -> TableFormat {
        match (self.json, self.csv) {
            (true, _) => TableFormat::Json,
            (_, true) => TableFormat::Csv,
            _ => TableFormat::Text,
        }
    }
}
