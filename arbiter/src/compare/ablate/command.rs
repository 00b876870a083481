//! `arbiter ablate ENGINE --toggle OPTION…`: what each technique of an engine gains, optionally in games.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

use super::ablation::{
    Ablation, AblationOrder, AblationStep, StepGameResults, TableFormat, Toggle, ablation_csv,
};
use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console};
use crate::engines::{self, EngineSession, EngineSpec, session};
use crate::files::{StateFile, write_whole};
use crate::measure::Judgement;
use crate::measure::speed::SpeedSuite;
use crate::options::{ConclusionArgs, MoveLimitArgs, StepGamesArgs};
use crate::results::PairingSummary;
use crate::run::{Series, playing};
use crate::text::number_text::limits_of_run;
use runner::{EngineConfig, RunConfig, SearchLimits, UciSetting};

const DEFAULT_DEPTH: u32 = 8;

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
    pub fn run(self) -> CliResult {
        AblationPlan::check_out(self.games.out.as_deref()).usage()?;
        let engine = engines::resolve(&self.engine, &mut console::announce_build).usage()?;
        let run = self.games.run_config(&engine).usage()?;
        let mut session = session::introduce(&engine).usage()?;
        let ablation = self.ablation(&session).usage()?;
        if let Some(run) = run {
            // Values that the engine refuses are reported before the folder is created.
            (0..=ablation.toggles.len()).try_for_each(|step| ablation.switch(&mut session, step)).usage()?;
            session.quit();
            return self.with_games(ablation, engine, run);
        }
        let go = self.limits().go();
        let steps: Result<Vec<AblationStep>, _> =
            (0..=ablation.toggles.len()).map(|step| ablation.measure(&mut session, step, &go)).collect();
        session.quit();
        self.format().print(&ablation, &go, &steps.usage()?, None)?;
        Ok(ExitCode::Done)
    }

    fn ablation(&self, session: &EngineSession) -> anyhow::Result<Ablation> {
        let positions = SpeedSuite::read_positions(&self.suite, false)?;
        let mut toggles: Vec<Toggle> = Vec::new();
        for text in &self.toggle {
            let toggle = Toggle::read(text, session)?;
            if toggles.iter().any(|other| other.option == toggle.option) {
                bail!("--toggle {}: expected each option once, found it twice", toggle.option);
            }
            toggles.push(toggle);
        }
        let order = if self.one_off { AblationOrder::OneOff } else { AblationOrder::Cumulative };
        Ok(Ablation { order, positions, toggles })
    }

    fn with_games(&self, ablation: Ablation, engine: EngineConfig, run: RunConfig) -> CliResult {
        let name = format!("ablation-{}", playing::file_name(&engine.name));
        let (schema, limits) = (AblationPlan::SCHEMA, self.limits());
        let plan = AblationPlan { schema, limits, steps: Vec::new(), ablation, engine, run };
        let folder = plan.create(self.games.out.as_deref(), &name).of_path()?;
        continue_in(&folder, self.format(), ConclusionArgs::default())
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

/// `ablation.toml`, rewritten after every measured step. Each match is a run with its own folder and journal, so an
/// ablation that was killed can be resumed exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AblationPlan {
    pub schema: u32,
    pub limits: SearchLimits,
    #[serde(rename = "step", default)]
    pub steps: Vec<AblationStep>,
    pub ablation: Ablation,
    /// The engine without the switched options.
    pub engine: EngineConfig,
    /// The configuration of each match without its engines.
    pub run: RunConfig,
}

impl StateFile for AblationPlan {
    const SCHEMA: u32 = 1;
    const FILE: &str = "ablation.toml";
}

impl AblationPlan {
    /// The folder of a step's match in the folder of the ablation: `03-Aspiration`.
    pub fn run_folder(&self, folder: &Path, step: usize) -> PathBuf {
        let option = &self.ablation.toggles[step - 1].option;
        folder.join(format!("{step:02}-{}", option.replace(['/', '\\', ' '], "_")))
    }

    /// The engine in a step, called `tarrasch - PVS` or `tarrasch all on`.
    fn engine_in_step(&self, step: usize) -> EngineConfig {
        let state = match (step, self.ablation.order) {
            (0, AblationOrder::OneOff) => "all on".to_owned(),
            (0, AblationOrder::Cumulative) => "all off".to_owned(),
            _ => self.ablation.change(step),
        };
        let name = format!("{} {state}", self.engine.name);
        let mut engine = EngineConfig { name, ..self.engine.clone() };
        for (option, value) in self.ablation.values(step) {
            let setting = UciSetting { name: option.to_owned(), value: Some(value.to_owned()) };
            engines::set_option(&mut engine.options, setting);
        }
        engine
    }
}

const TABLE: &str = "ablation.csv";

pub fn continue_in(folder: &Path, format: TableFormat, conclusion: ConclusionArgs) -> CliResult {
    let mut plan = AblationPlan::read(folder).usage()?;
    let series = Series::begin(folder, conclusion).fault()?;
    measure(&mut plan, folder)?;
    let (matches, mut steps) = (plan.ablation.toggles.len(), plan.steps.clone());
    for (step, measured) in steps.iter_mut().enumerate().skip(1) {
        let opponent = match plan.ablation.order {
            AblationOrder::Cumulative => step - 1,
            AblationOrder::OneOff => 0,
        };
        let engines = [step, opponent].map(|step| plan.engine_in_step(step));
        let [name, other] = engines.each_ref().map(|engine| &engine.name);
        console::note(&format!("match {step} of {matches}: {name} vs {other}"));
        let config = RunConfig { engines: engines.into(), ..plan.run.clone() };
        let played = series.play(&config, &plan.run_folder(folder, step))?;
        if played.is_stopped() {
            return Ok(series.interrupted());
        }
        console::note(&Judgement::of_match(&played).usage()?.text());
        let PairingSummary { wdl, pentanomial: pairs, estimates, .. } = played.summary.pairings[0];
        measured.games = Some(StepGameResults { wdl, pairs, elo: estimates.elo });
    }
    let table = folder.join(TABLE);
    write_whole(&table, ablation_csv(&steps).fault()?)
        .with_context(|| table.display().to_string())
        .fault()?;
    let games = format!("{}, games in {}", limits_of_run(&plan.run), folder.display());
    format.print(&plan.ablation, &plan.limits.go(), &steps, Some(&games))?;
    Ok(ExitCode::Done)
}

fn measure(plan: &mut AblationPlan, folder: &Path) -> Result<(), CliError> {
    let missing = plan.steps.len()..=plan.ablation.toggles.len();
    if missing.is_empty() {
        return Ok(());
    }
    engines::check_unchanged(std::slice::from_ref(&plan.engine)).usage()?;
    let mut engine = session::start(&plan.engine).usage()?;
    for step in missing {
        let measured = plan.ablation.measure(&mut engine, step, &plan.limits.go()).usage()?;
        plan.steps.push(measured);
        plan.write(folder).fault()?;
    }
    engine.quit();
    Ok(())
}
