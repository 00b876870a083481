//! What a match against another build says.

use crate::run_state::{SprtSummary, Summary};
use runner::FinishReason;

/// What a build, the first engine of a match, has shown against the second one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchEvidence {
    /// The sequential test has accepted H1.
    NotWeaker,
    /// The sequential test has accepted H0.
    Weaker,
    /// The games ran out before the test had decided.
    Undecided,
    /// The user has stopped it.
    Interrupted,
    /// The build does not start any more, and why.
    DoesNotStart(String),
    /// The other one does not, and why.
    OtherDoesNotStart(String),
}

impl MatchEvidence {
    /// What the end of a match says.
    pub fn of(reason: &FinishReason) -> MatchEvidence {
        match reason {
            FinishReason::AcceptedH0 => MatchEvidence::Weaker,
            FinishReason::AcceptedH1 => MatchEvidence::NotWeaker,
            FinishReason::AllGamesPlayed => MatchEvidence::Undecided,
            FinishReason::Requested => MatchEvidence::Interrupted,
            FinishReason::EngineDoesNotStart { engine: 0, detail } => {
                MatchEvidence::DoesNotStart(detail.clone())
            }
            FinishReason::EngineDoesNotStart { detail, .. } => {
                MatchEvidence::OtherDoesNotStart(detail.clone())
            }
        }
    }
}

/// `LLR -2.31 in (-2.25, 2.89) for [-10, 0]`: where the sequential test stands.
pub fn ratio(summary: &Summary) -> Option<String> {
    let SprtSummary { llr, lower, upper, test, .. } = summary.pairing(0, 1)?.sprt?;
    let (elo0, elo1) = (test.elo0(), test.elo1());
    Some(format!("LLR {llr:.2} in ({lower:.2}, {upper:.2}) for [{elo0}, {elo1}]"))
}
