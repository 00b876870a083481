//! The criteria for a bad build: measurements that are compared with the good commit's.

use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::cli::{CliError, OrExitCode};
use crate::engines::{self, session};
use crate::measure::bench::BenchStep;
use crate::measure::check::ProtocolTable;
use crate::measure::measurement::{Measurement, Tested};
use crate::measure::perft::PerftSettings;
use crate::measure::sanitize::SanitizeTable;
use crate::measure::speed::SpeedCriterion;
use crate::measure::tactics::TacticsSettings;
use crate::measure::{Baseline, Judgement, MeasureError};
use crate::report::verdict::Verdict;
use crate::run::{Series, playing};
use crate::text::number_text::counted;
use runner::{EngineConfig, RunConfig};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    Perft(PerftSettings),
    Tactics(TacticsSettings),
    Speed(SpeedCriterion),
    Bench,
    Protocol,
    Sanitize(SanitizeTable),
    /// Bad: the SPRT against the good build accepts H0. `run` has no engines yet.
    Match {
        run: Box<RunConfig>,
    },
}

impl Criterion {
    /// Measures a build and compares it with the good one and its records. `None` if the user interrupts.
    pub fn judge(
        &self,
        engine: &EngineConfig,
        (good, baseline): (&EngineConfig, &Baseline),
        folder: &Path,
        series: &Series,
    ) -> Result<Option<(Judgement, Baseline)>, CliError> {
        let mut measurement = self.plan().usage()?;
        let mut measured = Baseline::of_engine(&engine.name);
        let is_good = engine == good;
        if is_good && measurement.compares_builds() {
            session::start(good).context("the good build").usage()?.quit();
            let judgement = Judgement::new(Verdict::Same, "the other commits are compared with it");
            return Ok(Some((judgement, measured)));
        }
        let (other, known) = if is_good { (None, None) } else { (Some(good), Some(baseline)) };
        let tested = Tested { engine, other, known, repository: None, folder, bisection: Some(series) };
        let checked = measurement.check_engine(engine, "").map_err(MeasureError::Usage);
        let judgement = match checked.and_then(|()| measurement.judge(&tested, &mut measured)) {
            Err(MeasureError::Interrupted) => return Ok(None),
            Err(MeasureError::Command(error)) => return Err(error),
            judged => judged.unwrap_or_else(|error| Judgement::new(Verdict::Skipped, error.to_string())),
        };
        Ok(Some((judgement, measured)))
    }

    fn plan(&self) -> Result<Box<dyn Measurement + '_>> {
        Ok(match self {
            Criterion::Perft(settings) => Box::new(settings.read()?),
            Criterion::Tactics(settings) => Box::new(settings.read()?),
            Criterion::Speed(criterion) => Box::new(criterion.read()?),
            Criterion::Bench => Box::new(BenchStep(None)),
            Criterion::Protocol => Box::new(ProtocolTable::default()),
            Criterion::Sanitize(table) => Box::new(table.read(None)?),
            Criterion::Match { run } => Box::new(GamesAgainstGood(run)),
        })
    }

    pub fn name(&self) -> &'static str {
        match self {
            Criterion::Perft(_) => "perft",
            Criterion::Tactics(_) => "tactics",
            Criterion::Speed(_) => "speed",
            Criterion::Bench => "bench",
            Criterion::Protocol => "protocol",
            Criterion::Sanitize(_) => "sanitize",
            Criterion::Match { .. } => "match",
        }
    }
}

#[derive(Debug)]
struct GamesAgainstGood<'a>(&'a RunConfig);

impl Measurement for GamesAgainstGood<'_> {
    fn compares_builds(&self) -> bool {
        true
    }

    /// Plays against the good build until the SPRT decides. The match has a run folder, so it can be resumed after an
    /// interruption.
    fn judge(&mut self, tested: &Tested<'_>, _: &mut Baseline) -> Result<Judgement, MeasureError> {
        let (Some(good), Some(series)) = (tested.other, tested.bisection) else {
            return Ok(Judgement::new(Verdict::Skipped, "nothing to compare with"));
        };
        playing::check_alone(self.0, tested.engine)?;
        let mut engines = vec![tested.engine.clone(), good.clone()];
        engines::make_distinct(&mut engines);
        let played = series.play(&RunConfig { engines, ..self.0.clone() }, &tested.games("match"))?;
        if played.is_stopped() {
            return Err(MeasureError::Interrupted);
        }
        match Judgement::of_match(&played) {
            Ok(Judgement { verdict: Verdict::CannotTell, .. }) if played.summary.plays_alike() => {
                let games = counted(played.summary.games, "game");
                let alike = format!("the same moves as the good commit in all of {games}");
                Ok(Judgement::new(Verdict::Same, alike))
            }
            Ok(judgement) => Ok(judgement),
            Err(error) => Ok(Judgement::new(Verdict::Skipped, error.engine_fault()?)),
        }
    }
}
