//! Builds compared by what they show and by how they play: `ci`, `bisect`, `history` and `ablate`.

pub mod ablate;
pub mod bisect;
pub mod ci;
pub mod history;

use crate::results::{SprtSummary, Summary};

/// A sentence on a match, followed by the state of its SPRT: `LLR -2.31 (-2.25, 2.89) [-10, 0]`.
fn with_llr(sentence: String, summary: &Summary) -> String {
    let Some(sprt) = summary.pairing(0, 1).and_then(|pairing| pairing.sprt) else { return sentence };
    let SprtSummary { llr, lower, upper, test, .. } = sprt;
    let (elo0, elo1) = (test.elo0(), test.elo1());
    format!("{sentence} LLR {llr:.2} ({lower:.2}, {upper:.2}) [{elo0}, {elo1}]")
}
