//! Who scored how much against whom.

use std::fmt::Write as _;

use super::{RunReport, Section};
use crate::html::Escaped;
use crate::report::bracket_text::bracket_text;
use crate::report::page::rating::ratings;

/// How strongly the best and the worst score tint their cells, in percent of the colour.
const STRONGEST_TINT: f64 = 45.0;

/// The crosstable of more than two engines, and the bracket of a knockout.
pub fn section(report: &RunReport) -> Option<Section> {
    if report.summary.engines.len() < 3 {
        return None;
    }
    let mut html =
        "<p>Points of the engine on the left against the one above, and the games they played.</p>\n"
            .to_owned();
    let order: Vec<usize> = ratings(report).iter().map(|rating| rating.engine).collect();
    html += "<div class=\"scroll\"><table class=\"cross\"><thead><tr><th></th>";
    for place in 1..=order.len() {
        let _ = write!(html, "<th>{place}</th>");
    }
    html += "<th>Points</th></tr></thead><tbody>\n";
    for (place, &engine) in order.iter().enumerate() {
        let _ = write!(html, "<tr><th>{}. {}</th>", place + 1, Escaped(report.name(engine)));
        html.extend(order.iter().map(|&other| cell(report, engine, other)));
        let _ = writeln!(html, "<td>{:.1}</td></tr>", report.summary.engines[engine].points);
    }
    html += "</tbody></table></div>\n";
    if !report.summary.bracket.is_empty() {
        let _ = write!(html, "<h3>Bracket</h3><pre>{}</pre>", Escaped(&bracket_text(&report.summary, false)));
    }
    Some(Section::new("crosstable", "Crosstable", "Crosstable", &html))
}

fn cell(report: &RunReport, engine: usize, other: usize) -> String {
    if engine == other {
        return "<td class=\"self\"></td>".to_owned();
    }
    let pairing = report.summary.pairing(engine, other);
    let seen =
        pairing.map(|pairing| if pairing.first == engine { pairing.wdl } else { pairing.wdl.reversed() });
    let Some(wdl) = seen.filter(|wdl| wdl.games() > 0) else { return "<td></td>".to_owned() };
    let lead = wdl.points() / wdl.games() as f64 - 0.5;
    let class = if lead >= 0.0 { "ahead" } else { "behind" };
    let tint = (lead.abs() * 2.0 * STRONGEST_TINT).round();
    let title = format!("{} wins, {} draws, {} losses", wdl.wins, wdl.draws, wdl.losses);
    format!(
        "<td class=\"{class}\" style=\"--tint:{tint}%\" title=\"{title}\">{}<small>/{}</small></td>",
        wdl.points(),
        wdl.games()
    )
}
