//! `--by match`: a build is bad if the SPRT of a match against the good one accepts H0.

use anyhow::anyhow;

use super::{MatchCriterion, TestResult, TestedBuild, Verdict};
use crate::cli::CliError;
use crate::engines;
use crate::measure::evidence;
use crate::measure::evidence::games;
use crate::measure::evidence::games::MatchOutcome;
use crate::report::verdict::verdict;
use crate::results::Summary;
use crate::run::Played;
use crate::run::Series;
use runner::RunConfig;

impl MatchCriterion {
    /// Plays against the good build until the SPRT decides. The match has a run folder, so that it continues after an
    /// interruption. `None` if the user interrupts.
    pub fn judge(&self, build: &TestedBuild<'_>, series: &Series) -> Result<Option<TestResult>, CliError> {
        if build.is_good() {
            return build.check_start().map(Some);
        }
        if let Err(error) = evidence::start(build.engine) {
            return Ok(Some(TestResult::skipped(error.to_string())));
        }
        let mut engines = vec![build.engine.clone(), build.good.clone()];
        engines::make_distinct(&mut engines);
        let config = RunConfig { engines, ..(*self.run).clone() };
        let revision = build.engine.revision.as_deref().unwrap_or_default();
        let folder = build.folder.join(format!("match-{}", revision.get(..7).unwrap_or(revision)));
        let Played { summary, reason } = series.play(&config, &folder)?;
        Ok(Some(match MatchOutcome::of(&reason) {
            MatchOutcome::Interrupted => return Ok(None),
            MatchOutcome::AcceptedH0 => TestResult::new(Verdict::Bad, described(&summary)),
            MatchOutcome::AcceptedH1 => TestResult::new(Verdict::Good, described(&summary)),
            MatchOutcome::Undecided => {
                TestResult::skipped(format!("the SPRT is undecided: {}", described(&summary)))
            }
            MatchOutcome::DoesNotStart(detail) => TestResult::skipped(detail),
            MatchOutcome::OpponentDoesNotStart(detail) => {
                return Err(CliError::Usage(anyhow!("the good build: {detail}")));
            }
        }))
    }
}

/// The verdict of the match, and the state of the SPRT.
fn described(summary: &Summary) -> String {
    let llr = games::llr(summary).map(|llr| format!(" {llr}"));
    format!("{}{}", verdict(summary), llr.unwrap_or_default())
}
