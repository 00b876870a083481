//! How the games ended.

use std::fmt::Write as _;

use super::{RunReport, Section};
use crate::html::plot::StackedBar;
use crate::report::ending::label;
use crate::text::number_text::{counted, percent};

/// Every kind of ending that happened, the most frequent first.
pub fn section(report: &RunReport) -> Section {
    let summary = &report.summary;
    let mut kinds: Vec<_> = summary.terminations.iter().collect();
    kinds.sort_by_key(|&(_, count)| std::cmp::Reverse(*count));
    let most = kinds.first().map_or(1, |&(_, count)| *count).max(1);
    let total = summary.terminations.values().sum::<u64>().max(1) as f64;
    let mut html = String::new();
    if summary.after_decision.games() > 0 {
        let games = counted(summary.after_decision.games(), "game");
        let _ = write!(
            html,
            "<p>{games} in flight when the sequential test decided are counted here and in no score.</p>"
        );
    }
    html += "<div class=\"scroll\"><table class=\"bars\"><thead><tr><th>Ending</th><th>Games</th><th>Share</th>\
             <th class=\"wide\"></th></tr></thead><tbody>\n";
    for (&kind, &count) in kinds {
        let class = if kind.is_fault() { "loss" } else { "draw" };
        let bar = StackedBar { parts: &[(count, class), (most - count, "nothing")] };
        let share = percent(count as f64 / total);
        let _ = writeln!(
            html,
            "<tr><th>{}</th><td>{count}</td><td>{share}</td><td class=\"wide\">{bar}</td></tr>",
            label(kind)
        );
    }
    html += "</tbody></table></div>\n";
    Section::new("endings", "Endings", "How the games ended", &html)
}
