//! The sequential tests of several pairings.

use maud::html;

use super::{Section, ShownRun};
use crate::report::summary_text::ptnml;
use crate::report::tests_text::{bias_note, marked_elo, tested_name, tests_heading, verdict_words};
use crate::text::number_text::{minus, normalized_elo, thousands};

/// A row for each test.
pub fn section(run: &ShownRun) -> Option<Section> {
    let summary = &run.summary;
    let heading = tests_heading(summary).filter(|_| summary.has_several_tests())?;
    let html = html! {
        p { (heading) ". Who has a verdict plays no more." }
        div.scroll {
            table {
                thead {
                    tr {
                        @for name in ["", "Games", "Elo", "nElo", "Ptnml(0-2)", "LLR", "Bounds", "Verdict"] {
                            th { (name) }
                        }
                    }
                }
                tbody {
                    @for (pairing, sprt) in summary.tests() {
                        tr {
                            th { (tested_name(summary, pairing)) }
                            td { (thousands(pairing.wdl.games())) }
                            td { (minus(&marked_elo(pairing))) }
                            td { (minus(&normalized_elo(&pairing.normalized_elo))) }
                            td { (ptnml(pairing)) }
                            td { (minus(&format!("{:.2}", sprt.llr))) }
                            td { (minus(&format!("({:.2}, {:.2})", sprt.lower, sprt.upper))) }
                            td { (verdict_words(sprt).0) }
                        }
                    }
                }
            }
        }
        @if let Some(note) = bias_note(summary) { p { (note) "." } }
    };
    Some(Section::new("tests", "SPRT", "SPRT", &html))
}
