//! Builds compared by what they show and by how they play: `ci`, `bisect`, `history` and `ablate`.

pub mod ablate;
pub mod bisect;
pub mod ci;
pub mod history;

use crate::results::Summary;
use crate::text::number_text;

/// A sentence on a match, followed by the state of its SPRT: `LLR -2.31 (-2.25, 2.89) [-10, 0]`.
fn with_llr(sentence: String, summary: &Summary) -> String {
    let Some(sprt) = summary.pairing(0, 1).and_then(|pairing| pairing.sprt) else { return sentence };
    format!("{sentence} LLR {}", number_text::llr(sprt.llr, &sprt.test))
}
