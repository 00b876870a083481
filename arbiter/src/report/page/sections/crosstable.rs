//! The crosstable.

use maud::{Markup, html};

use super::{Section, ShownRun};
use crate::report::bracket_text::bracket_text;

/// The tint of the cells with the best and the worst score, in percent of the colour.
const STRONGEST_TINT: f64 = 45.0;

/// The crosstable of more than two engines, and the bracket of a knockout.
pub fn section(run: &ShownRun) -> Option<Section> {
    if run.summary.engines.len() < 3 {
        return None;
    }
    let order = run.summary.by_score();
    let html = html! {
        p { "Points of the row's engine against the column's, and their games." }
        div.scroll {
            table.cross {
                thead {
                    tr {
                        th {}
                        @for place in 1..=order.len() { th { (place) } }
                        th { "Points" }
                    }
                }
                tbody {
                    @for (place, &engine) in order.iter().enumerate() {
                        tr {
                            th { (place + 1) ". " (run.name(engine)) }
                            @for &other in &order { (cell(run, engine, other)) }
                            td { (format!("{:.1}", run.summary.engines[engine].points)) }
                        }
                    }
                }
            }
        }
        @if !run.summary.bracket.is_empty() {
            h3 { "Bracket" }
            pre { (bracket_text(&run.summary, false)) }
        }
    };
    Some(Section::new("crosstable", "Crosstable", "Crosstable", &html))
}

fn cell(run: &ShownRun, engine: usize, other: usize) -> Markup {
    if engine == other {
        return html! { td.self {} };
    }
    let pairing = run.summary.pairing(engine, other);
    let seen =
        pairing.map(|pairing| if pairing.first == engine { pairing.wdl } else { pairing.wdl.reversed() });
    let Some(wdl) = seen.filter(|wdl| wdl.games() > 0) else { return html! { td {} } };
    let lead = wdl.points() / wdl.games() as f64 - 0.5;
    let class = if lead >= 0.0 { "ahead" } else { "behind" };
    let tint = (lead.abs() * 2.0 * STRONGEST_TINT).round();
    let title = format!("{} wins, {} draws, {} losses", wdl.wins, wdl.draws, wdl.losses);
    html! {
        td class=(class) style={ "--tint:" (tint) "%" } title=(title) {
            (wdl.points())
            small { "/" (wdl.games()) }
        }
    }
}
