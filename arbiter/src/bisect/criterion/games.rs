//! Is a build weaker?

use anyhow::{Context, anyhow};

use super::{Judgement, MatchCriterion, Subject, Verdict};
use crate::cli::{Blame, CliError};
use crate::engines;
use crate::engines::sessions;
use crate::matches::{Played, Series};
use crate::report::verdict::verdict;
use crate::run_state::{SprtSummary, Summary};
use runner::{FinishReason, RunConfig};

impl MatchCriterion {
    /// Plays against the good build until the sequential test decides, in a run folder of its own, so that games that
    /// were played before an interruption count. `None` when the user has stopped it.
    ///
    /// # Errors
    /// The good build does not start, or the folder cannot be written.
    pub fn judge(&self, subject: &Subject<'_>, series: &Series) -> Result<Option<Judgement>, CliError> {
        if subject.is_the_good_one() {
            let session = sessions::start(subject.good).context("the good build").usage()?;
            session.quit();
            return Ok(Some(Judgement::new(Verdict::Good, "the others are held against it")));
        }
        if let Err(error) = sessions::start(subject.engine) {
            return Ok(Some(Judgement::skipped(format!("{error:#}"))));
        }
        let mut contestants = vec![subject.engine.clone(), subject.good.clone()];
        engines::make_distinct(&mut contestants);
        let config = RunConfig { engines: contestants, ..(*self.run).clone() };
        let revision = subject.engine.revision.as_deref().unwrap_or_default();
        let folder = subject.folder.join(format!("match-{}", revision.get(..7).unwrap_or(revision)));
        let Played { summary, reason } = series.play(&config, &folder)?;
        let evidence = || format!("{}{}", verdict(&summary), ratio(&summary));
        Ok(Some(match reason {
            FinishReason::Requested => return Ok(None),
            FinishReason::AcceptedH0 => Judgement::new(Verdict::Bad, evidence()),
            FinishReason::AcceptedH1 => Judgement::new(Verdict::Good, evidence()),
            FinishReason::AllGamesPlayed => {
                Judgement::skipped(format!("the test has not decided: {}", evidence()))
            }
            FinishReason::EngineDoesNotStart { engine: 0, detail } => Judgement::skipped(detail),
            FinishReason::EngineDoesNotStart { detail, .. } => {
                return Err(CliError::Usage(anyhow!("the good build: {detail}")));
            }
        }))
    }
}

/// Where the sequential test stands.
fn ratio(summary: &Summary) -> String {
    let test = summary.pairings.first().and_then(|pairing| pairing.sprt);
    test.map_or_else(String::new, |SprtSummary { llr, lower, upper, test, .. }| {
        format!(
            "; LLR {llr:.2} in ({lower:.2}, {upper:.2}) for [{}, {}] after {} games",
            test.elo0(),
            test.elo1(),
            summary.games
        )
    })
}
