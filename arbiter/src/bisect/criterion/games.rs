//! Is a build weaker?

use anyhow::anyhow;

use super::{Judgement, MatchCriterion, Subject, Verdict};
use crate::cli::CliError;
use crate::engines;
use crate::evidence;
use crate::evidence::games;
use crate::evidence::games::MatchEvidence;
use crate::matches::{Played, Series};
use crate::report::verdict::verdict;
use crate::run_state::Summary;
use runner::RunConfig;

impl MatchCriterion {
    /// Plays against the good build until the sequential test decides, in a run folder of its own, so that games that
    /// were played before an interruption count. `None` when the user has stopped it.
    ///
    /// # Errors
    /// The good build does not start, or the folder cannot be written.
    pub fn judge(&self, subject: &Subject<'_>, series: &Series) -> Result<Option<Judgement>, CliError> {
        if subject.is_the_good_one() {
            return subject.starts().map(Some);
        }
        if let Err(unanswered) = evidence::start(subject.engine) {
            return Ok(Some(Judgement::skipped(unanswered.to_string())));
        }
        let mut contestants = vec![subject.engine.clone(), subject.good.clone()];
        engines::make_distinct(&mut contestants);
        let config = RunConfig { engines: contestants, ..(*self.run).clone() };
        let revision = subject.engine.revision.as_deref().unwrap_or_default();
        let folder = subject.folder.join(format!("match-{}", revision.get(..7).unwrap_or(revision)));
        let Played { summary, reason } = series.play(&config, &folder)?;
        Ok(Some(match MatchEvidence::of(&reason) {
            MatchEvidence::Interrupted => return Ok(None),
            MatchEvidence::Weaker => Judgement::new(Verdict::Bad, told(&summary)),
            MatchEvidence::NotWeaker => Judgement::new(Verdict::Good, told(&summary)),
            MatchEvidence::Undecided => {
                Judgement::skipped(format!("the test has not decided: {}", told(&summary)))
            }
            MatchEvidence::DoesNotStart(detail) => Judgement::skipped(detail),
            MatchEvidence::OtherDoesNotStart(detail) => {
                return Err(CliError::Usage(anyhow!("the good build: {detail}")));
            }
        }))
    }
}

/// What the games say, and where the sequential test stands.
fn told(summary: &Summary) -> String {
    let ratio = games::ratio(summary).map(|ratio| format!("; {ratio} after {} games", summary.games));
    format!("{}{}", verdict(summary), ratio.unwrap_or_default())
}
