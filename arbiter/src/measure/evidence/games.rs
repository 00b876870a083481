//! The outcome of a match between two builds.

use crate::results::Summary;
use crate::text::number_text;
use runner::FinishReason;

/// The outcome of a match for its first engine, the build under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchOutcome {
    /// The SPRT accepted H1: the build is not weaker.
    AcceptedH1,
    /// The SPRT accepted H0: the build is weaker.
    AcceptedH0,
    /// All games were played before the SPRT decided.
    Undecided,
    /// The user stopped the match.
    Interrupted,
    /// The build does not start, and why.
    DoesNotStart(String),
    /// The opponent does not start, and why.
    OpponentDoesNotStart(String),
}

impl MatchOutcome {
    /// The outcome by the reason why the match ended.
    pub fn of(reason: &FinishReason) -> MatchOutcome {
        match reason {
            FinishReason::AcceptedH0 => MatchOutcome::AcceptedH0,
            FinishReason::AcceptedH1 => MatchOutcome::AcceptedH1,
            FinishReason::AllGamesPlayed | FinishReason::GaveUp => MatchOutcome::Undecided,
            FinishReason::Requested | FinishReason::GamesMissing => MatchOutcome::Interrupted,
            FinishReason::EngineDoesNotStart { engine: 0, detail } => {
                MatchOutcome::DoesNotStart(detail.clone())
            }
            FinishReason::EngineDoesNotStart { detail, .. } => {
                MatchOutcome::OpponentDoesNotStart(detail.clone())
            }
        }
    }
}

/// `LLR −2.31 (−2.25, 2.89) [−10, 0] nElo`: the state of the SPRT; `None` without one.
pub fn llr(summary: &Summary) -> Option<String> {
    let sprt = summary.pairing(0, 1)?.sprt?;
    Some(format!("LLR {}", number_text::llr(sprt.llr, &sprt.test)))
}
