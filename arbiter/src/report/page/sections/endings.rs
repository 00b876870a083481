//! How the games ended.

use maud::html;

use super::{Section, ShownRun};
use crate::html::plot::StackedBar;
use crate::results::ending::label;
use crate::text::number_text::{counted, percent};

/// Every kind of ending that happened, the most frequent first.
pub fn section(run: &ShownRun) -> Section {
    let summary = &run.summary;
    let mut kinds: Vec<_> = summary.terminations.iter().collect();
    kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(*count));
    let most = kinds.first().map_or(1, |&(_, count)| *count).max(1);
    let total = summary.terminations.values().sum::<u64>().max(1) as f64;
    let late = summary.after_decision.games();
    let html = html! {
        @if late > 0 {
            p {
                (counted(late, "game"))
                " finished after the SPRT had stopped: listed here, not counted in any score."
            }
        }
        div.scroll {
            table.bars {
                thead { tr { th { "Ending" } th { "Games" } th { "Share" } th.wide {} } }
                tbody {
                    @for (&kind, &count) in kinds {
                        @let class = if kind.is_fault() { "loss" } else { "draw" };
                        tr {
                            th { (label(kind)) }
                            td { (count) }
                            td { (percent(count as f64 / total)) }
                            td.wide { (StackedBar { parts: &[(count, class), (most - count, "nothing")] }) }
                        }
                    }
                }
            }
        }
    };
    Section::new("endings", "Endings", "How the games ended", &html)
}
