//! An ablation with games: measures and plays what is missing in its folder.

use std::path::Path;

use anyhow::{Context, anyhow};

use super::ablation::StepGameResults;
use super::ablation_csv::ablation_csv;
use super::plan::AblationPlan;
use super::table_format::TableFormat;
use crate::cli::{Blame, CliError, CliResult, ExitCode, console};
use crate::engines;
use crate::engines::sessions;
use crate::files::write_whole;
use crate::options::ConclusionArgs;
use crate::results::PairingSummary;
use crate::run::Played;
use crate::run::Series;
use runner::{FinishReason, SearchLimits};

/// The table of the steps, in the folder of the ablation.
const TABLE: &str = "ablation.csv";

/// Measures and plays what is missing of the ablation in a folder, and prints all steps.
///
/// # Errors
/// The engine has changed or fails, or the folder cannot be written to.
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
    let games = format!("{}, games in {}", limits_text(&plan.run.limits), folder.display());
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

/// The limits of a move in the games.
fn limits_text(limits: &SearchLimits) -> String {
    let clock = limits.clock.as_ref().map(ToString::to_string);
    clock.or(limits.nodes.map(|nodes| format!("{nodes} nodes per move"))).unwrap_or_default()
}
