//! `arbiter ablate ENGINE --toggle OPTION…`: what does each technique of an engine save?

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::ablation::{Ablation, AblationOrder, AblationStep, Toggle};
use super::plan::AblationPlan;
use super::series;
use super::table_format::TableFormat;
use crate::cli::{Blame, CliResult, ExitCode, console};
use crate::engines;
use crate::engines::{EngineSession, EngineSpec, sessions};
use crate::files::{new_folder, state_file};
use crate::matches::args::{ConclusionArgs, MoveLimitArgs, StepGamesArgs};
use crate::matches::playing;
use crate::speed::SpeedSuite;
use runner::{EngineConfig, RunConfig, SearchLimits};

/// The depth when the user gives no limit, in plies.
const DEFAULT_DEPTH: u32 = 8;

/// The arguments of `arbiter ablate`.
#[derive(Debug, Args)]
pub struct AblateArgs {
    /// The engine: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(value_name = "ENGINE")]
    engine: EngineSpec,

    /// An option of type check that switches a technique, or another one with its values as NAME=OFF,ON
    #[arg(long, required = true, value_name = "OPTION")]
    toggle: Vec<String>,

    /// Begin with all switched on and switch one at a time off, in place of one more on in each step
    #[arg(long)]
    one_off: bool,

    /// A file of positions (EPD), or one that ships; all that ship when none is given
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,

    /// Print the steps as JSON
    #[arg(long)]
    json: bool,

    /// Print the steps as CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// The limits of a search; depth 8 when none is given
    #[command(flatten)]
    limits: MoveLimitArgs,

    #[command(flatten)]
    games: StepGamesArgs,
}

impl AblateArgs {
    /// Measures and tells.
    pub fn run(self) -> CliResult {
        state_file::check_out(self.games.out(), AblationPlan::FILE).usage()?;
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let run = self.games.run_config(&engine).usage()?;
        let mut session = sessions::start(&engine).usage()?;
        let ablation = self.ablation(&session).usage()?;
        if let Some(run) = run {
            // A value that the engine refuses shows before there is a folder.
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

    /// What is switched, and what is searched.
    fn ablation(&self, session: &EngineSession) -> anyhow::Result<Ablation> {
        let positions = SpeedSuite::read_positions(&self.suite)?;
        let toggles: Result<Vec<Toggle>, _> =
            self.toggle.iter().map(|text| Toggle::read(text, session)).collect();
        let order = if self.one_off { AblationOrder::OneOff } else { AblationOrder::Cumulative };
        Ok(Ablation { order, positions, toggles: toggles? })
    }

    /// Begins a folder for the ablation and its matches.
    fn with_games(&self, ablation: Ablation, engine: EngineConfig, run: RunConfig) -> CliResult {
        let folder = match self.games.out() {
            Some(folder) => folder.to_owned(),
            None => new_folder::below_results(&format!("ablation-{}", playing::file_name(&engine.name))),
        };
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string()).fault()?;
        let (schema, limits) = (AblationPlan::SCHEMA, self.limits());
        let plan = AblationPlan { schema, limits, steps: Vec::new(), ablation, engine, run };
        plan.write(&folder).fault()?;
        series::carry_on(&folder, self.format(), ConclusionArgs::default())
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
