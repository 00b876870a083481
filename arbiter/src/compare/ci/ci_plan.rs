//! The plan of `arbiter ci`: everything that the steps need, found and checked before an engine starts.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use super::baseline::BaselineFile;
use crate::engines::{EngineSource, EngineSpec};
use crate::measure::measurement::Measurement;
use crate::measure::{CiFile, Step};

#[derive(Debug, Args)]
pub struct CiRequest {
    /// Configuration file with a table for each step
    #[arg(long, value_name = "FILE", default_value = CiFile::NAME)]
    pub(super) config: PathBuf,

    /// Test this build instead of the `engine` of the file: NAME, NAME@REV or a path, with :Option=value,…
    #[arg(long, value_name = "ENGINE")]
    pub(super) engine: Option<EngineSpec>,

    /// Compare speed and games with this build [default: the commit of the baseline]
    #[arg(long, value_name = "ENGINE")]
    pub(super) against: Option<EngineSpec>,

    /// Run only these steps
    #[arg(long, value_name = "STEP", num_args = 1..)]
    pub(super) only: Vec<Step>,

    /// Skip these steps
    #[arg(long, value_name = "STEP", num_args = 1..)]
    pub(super) skip: Vec<Step>,

    /// If the build passes, write its measurements as the new baseline, and show what changed; no games are played
    #[arg(long)]
    pub(super) update_baseline: bool,
}

#[derive(Debug)]
pub struct CiPlan {
    /// The steps in their order. A match whose opponent is unknown has no measurement.
    pub steps: Vec<(Step, Option<Box<dyn Measurement>>)>,
    pub name: String,
    pub engine: EngineSpec,
    pub against: Option<EngineSpec>,
    pub baseline: BaselineFile,
    /// Whether to write a new baseline; then nothing is compared with the old one.
    pub update_baseline: bool,
    /// Why there is no match, if the file has a match but no opponent is known.
    pub no_opponent: Option<String>,
}

impl CiPlan {
    pub fn new(file: &CiFile, request: &CiRequest) -> Result<CiPlan> {
        let steps = chosen_steps(file, request)?;
        let place = request.config.display();
        let name = file.engine.0.source.name();
        let default = || BaselineFile::default_path(&name);
        let baseline = BaselineFile::read(file.baseline.clone().unwrap_or_else(default))?;
        let engine = request.engine.clone().unwrap_or_else(|| file.engine.0.clone());
        let against = request.against.clone().or(file.against.as_ref().map(|against| against.0.clone()));
        let against = against.or_else(|| build_of(&file.engine.0, &baseline));
        let program = match &file.engine.0.source {
            EngineSource::Path(program) => Some(program.clone()),
            EngineSource::Name(_) | EngineSource::Revision { .. } => None,
        };
        let is_other = request.engine.is_some();
        let planned = steps.iter().map(|step| Ok((*step, step.plan(file, &engine, is_other)?)));
        let planned = planned.collect::<Result<Vec<_>>>().with_context(|| place.to_string())?;
        let against = against.filter(|_| !request.update_baseline);
        let update_baseline = request.update_baseline;
        let mut plan =
            CiPlan { steps: planned, name, engine, against, baseline, update_baseline, no_opponent: None };
        let games = plan.steps.iter_mut().find(|(step, _)| *step == Step::Match);
        if let Some((_, games)) = games.filter(|_| plan.against.is_none()) {
            let baseline = plan.baseline.path.display();
            let name_one = "name an opponent with `against = \"ENGINE\"` or --against ENGINE";
            let why = if let Some(program) = &program {
                let program = program.display();
                format!(
                    "{program} has no manifest with `repo` and `build`, to build it at another commit: {name_one}"
                )
            } else {
                let lacks = match &plan.baseline.known {
                    None => format!("there is no baseline {baseline}"),
                    Some(_) => format!("{baseline} names no commit"),
                };
                format!(
                    "{lacks}: write one from a clean working tree with `arbiter ci --update-baseline`, or {name_one}"
                )
            };
            // Without an opponent, the other steps still run, unless a match was asked for.
            let can_skip = program.is_some() || plan.baseline.known.is_none();
            if !can_skip || !request.only.is_empty() || steps == [Step::Match] {
                bail!("{place}: match: {why}");
            }
            *games = None;
            plan.no_opponent = Some(format!("skipped, because {why}"));
        }
        plan.check_baseline().with_context(|| plan.baseline.path.display().to_string())?;
        Ok(plan)
    }

    fn check_baseline(&self) -> Result<()> {
        let Some(known) = self.baseline.known.as_ref().filter(|_| !self.update_baseline) else {
            return Ok(());
        };
        known.check_engine(&self.name)?;
        self.steps.iter().flat_map(|(_, step)| step).try_for_each(|step| step.check_known(known))
    }
}

/// The steps of the file that --only and --skip leave. Naming a step that the file does not have is an error.
fn chosen_steps(file: &CiFile, request: &CiRequest) -> Result<Vec<Step>> {
    let mut steps = file.steps();
    let place = request.config.display();
    if steps.is_empty() {
        let all: Vec<String> = Step::value_variants().iter().map(|step| format!("[{step}]")).collect();
        bail!("{place}: expected at least one of {}", all.join(", "));
    }
    for (option, named) in [("--only", &request.only), ("--skip", &request.skip)] {
        if let Some(step) = named.iter().find(|step| !steps.contains(step)) {
            bail!("{option} {step}: expected [{step}] in {place}, found none");
        }
    }
    steps.retain(|step| !request.skip.contains(step));
    steps.retain(|step| request.only.is_empty() || request.only.contains(step));
    // A baseline records no games.
    steps.retain(|step| !(request.update_baseline && step.plays_games()));
    if steps.is_empty() {
        bail!("{place}: --only and --skip leave no step to run");
    }
    Ok(steps)
}

fn build_of(engine: &EngineSpec, baseline: &BaselineFile) -> Option<EngineSpec> {
    let (EngineSource::Name(name) | EngineSource::Revision { name, .. }) = &engine.source else {
        return None;
    };
    let revision = baseline.known.as_ref()?.revision.clone()?;
    let source = EngineSource::Revision { name: name.clone(), revision };
    Some(EngineSpec { source, ..engine.clone() })
}
