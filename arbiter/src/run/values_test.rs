//! The test of the values that a tuning found: an SPRT against the values from which it started, in a run of its own.

use std::path::PathBuf;

use crate::cli::console;
use crate::options::PlayedTestArgs;
use crate::results::RunResults;
use runner::{EngineConfig, FinishReason, RunConfig, SearchLimits, UciSetting};
use stats::SpsaPlan;

/// The run that tests the values of a finished tuning, and its folder. `None` if there is nothing to test.
pub fn of_tuning(tuning: &RunResults, reason: &FinishReason) -> Option<(RunConfig, PathBuf)> {
    let wanted = tuning.config.values_test.as_ref()?;
    let is_over = matches!(reason, FinishReason::AllGamesPlayed | FinishReason::LittleToGain);
    let spsa = tuning.tuning.as_ref().filter(|_| is_over)?.spsa();
    let (start, found) = (spsa.plan(), spsa.continued(spsa.plan().pairs));
    if settings(start) == settings(&found) {
        console::note("no other value is expected to gain anything, so there is nothing to test");
        return None;
    }
    let engine = &tuning.config.engines[0];
    let with = |name: &str, plan: &SpsaPlan| {
        let options = engine.options.iter().cloned().chain(settings(plan)).collect();
        EngineConfig { name: name.to_owned(), options, ..engine.clone() }
    };
    let mut run = RunConfig {
        games: PlayedTestArgs::GAMES_UNTIL_A_VERDICT,
        engines: vec![with("tuned", &found), with("start", start)],
        sprt: Some(wanted.sprt),
        spsa: None,
        values_test: None,
        ..RunConfig::clone(&tuning.config)
    };
    if wanted.tc.is_some() {
        run.limits = SearchLimits { clock: wanted.tc.clone(), ..SearchLimits::default() };
    }
    // The openings of the tuning, in another order.
    run.book.seed = run.book.seed.wrapping_add(1) & (u64::MAX >> 1);
    Some((run, tuning.folder.join("test")))
}

/// The values of a plan as UCI options.
fn settings(plan: &SpsaPlan) -> Vec<UciSetting> {
    plan.parameters.iter().map(|parameter| UciSetting::of_parameter(parameter, parameter.value)).collect()
}
