//! A tuning that several machines play together, in rounds.
//!
//! A round has the pairs whose values do not depend on each other's scores. It is a run on several machines, in the folder
//! `1`, `2` and so on of the tuning. After each round, all games so far are merged into one run.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::cli::{CliError, CliResult, ExitCode, OrExitCode, console};
use crate::engines;
use crate::files::StateFile;
use crate::options::ConclusionArgs;
use crate::run::merge::Merged;
use crate::run::remote::{self, Host, MERGED, RemotePlan};
use crate::run::{Series, playing, values_test};
use crate::text::number_text::counted;
use runner::{FinishReason, RunConfig, Tuning};
use stats::{Spsa, SpsaPlan};

/// Into how many rounds the pairs are divided, unless the rounds would be too small.
const ROUNDS: u32 = 40;

/// The least pairs of a round for each machine.
const LEAST_PAIRS: u32 = 16;

/// How many pairs before a pair have no influence on its values.
pub fn delay(pairs: u32, hosts: &[Host]) -> u32 {
    (pairs / ROUNDS).max(LEAST_PAIRS * hosts.len() as u32) - 1
}

/// Begins a tuning in a new folder.
pub fn start(config: &RunConfig, hosts: &[Host], folder: &Path, conclusion: ConclusionArgs) -> CliResult {
    RemotePlan::new(config, hosts).and_then(|plan| plan.create(Some(folder), "")).usage()?;
    resume(folder, conclusion)
}

/// Plays the rounds that are missing, and then the test of the values.
pub fn resume(folder: &Path, conclusion: ConclusionArgs) -> CliResult {
    let plan = RemotePlan::read(folder).usage()?;
    if folder.parent().is_some_and(|tuning| RemotePlan::path(tuning).is_file()) {
        return Err(anyhow!("{}: a round of a tuning; resume the folder above it", folder.display())).usage();
    }
    let hosts = plan.hosts().usage()?;
    let all = plan.run.spsa.as_ref().with_context(|| format!("{}: no tuning", folder.display())).usage()?;
    let series = Series::begin(folder, conclusion).fault()?;
    let merged = folder.join(MERGED);
    let mut shards = Vec::new();
    for number in 1.. {
        let round = folder.join(number.to_string());
        if !RemotePlan::path(&round).is_file() {
            let so_far =
                if shards.is_empty() { None } else { Some(merge_again(&shards, &merged, &plan.run)?) };
            let tuning = so_far.as_ref().and_then(|so_far| so_far.run.tuning.as_ref()).map(Tuning::spsa);
            let taken = tuning.map_or(0, Spsa::pairs);
            if let Some(spsa) = tuning.filter(|spsa| spsa.is_over() || taken == all.pairs) {
                let reason =
                    if spsa.is_over() { FinishReason::LittleToGain } else { FinishReason::AllGamesPlayed };
                return so_far.map_or(Ok(ExitCode::Done), |so_far| {
                    conclude(so_far, &reason, &hosts, &folder.join("test"), &series)
                });
            }
            if taken < ((number - 1) * (all.delay + 1)).min(all.pairs) {
                let shown = merged.display();
                return Err(anyhow!("{shown}: games of a round are missing; did an engine not start?"))
                    .usage();
            }
            let known = tuning.map_or_else(Vec::new, |spsa| spsa.scores().to_vec());
            let left = tuning.and_then(Spsa::left_to_gain);
            let left = left
                .map_or_else(String::new, |left| format!("; the best values would gain {left:.1} more Elo"));
            let (last, played) = (all.pairs.div_ceil(all.delay + 1), counted(2 * u64::from(taken), "game"));
            console::note(&format!("round {number} of at most {last}: {played} so far{left}"));
            let spsa = Some(SpsaPlan { known, ..all.clone() });
            let config = RunConfig { spsa, values_test: None, ..plan.run.clone() };
            // A machine without a game would be an error.
            let machines = hosts.len().min((all.pairs - taken) as usize);
            play_round(&config, &hosts[..machines], &round, &series)?;
        } else if !RemotePlan::read(&round).usage()?.is_done(&round) {
            remote::resume(&round, series.signals()).inspect(|_| series.signals().set(None))?;
        }
        let is_begun = RemotePlan::path(&round).is_file();
        let Some(played) =
            is_begun.then(|| RemotePlan::read(&round)).transpose().usage()?.filter(|it| it.is_home(&round))
        else {
            return Ok(series.interrupted());
        };
        shards.extend(played.shards(&round).usage()?);
    }
    Ok(ExitCode::Done)
}

fn play_round(config: &RunConfig, hosts: &[Host], round: &Path, series: &Series) -> CliResult {
    engines::check_unchanged(&config.engines).usage()?;
    let played = remote::play(config, hosts, Some(round), series.signals());
    series.signals().set(None);
    played
}

/// Merges all rounds that have been played.
fn merge_again(shards: &[PathBuf], merged: &Path, begun: &RunConfig) -> Result<Merged, CliError> {
    // If it cannot be removed, the next line says so.
    let _ = fs::remove_dir_all(merged);
    Merged::of(shards, merged, Some(begun))
}

/// Reports the values, and tests them.
fn conclude(
    tuned: Merged,
    reason: &FinishReason,
    hosts: &[Host],
    folder: &Path,
    series: &Series,
) -> CliResult {
    let test = values_test::of_tuning(&tuned.run, reason);
    let code = tuned.conclude(false)?;
    let Some((config, _)) = test else { return Ok(code) };
    let tested = if RemotePlan::path(folder).is_file() {
        remote::resume(folder, series.signals())
    } else {
        console::note(&format!("the values are tested: {}", playing::conditions(&config)));
        remote::play(&config, hosts, Some(folder), series.signals())
    };
    series.signals().set(None);
    tested
}
