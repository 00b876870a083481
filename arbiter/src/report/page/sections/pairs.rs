//! Pairs of games by what they are worth, and results by colour.

use std::fmt::Write as _;

use super::{Figure, RunReport, Section};
use crate::html::Escaped;
use crate::html::plot::{BarChart, BarSeries, StackedBar};
use crate::run_state::PairingSummary;
use crate::text::number_text::percent;
use stats::Wdl;

/// What a pair can be worth, and the class that colours it.
const WORTHS: [(&str, &str); 5] = [("0", "p0"), ("½", "p1"), ("1", "p2"), ("1½", "p3"), ("2", "p4")];

/// So many pairings are shown at once; the rest unfolds.
const SHOWN: usize = 30;

/// The pentanomial counts of every two engines that met, and the results with White and with Black.
pub fn section(report: &RunReport) -> Section {
    let met: Vec<&PairingSummary> =
        report.summary.pairings.iter().filter(|pairing| pairing.wdl.games() > 0).collect();
    let mut html = "<p>Each opening is played twice, with colours reversed. A pair is worth the points that the first \
                    engine got from its two games, which says more than the games taken one by one: what the opening \
                    gives away cancels out.</p>\n"
        .to_owned();
    if let [only] = met[..] {
        let charts = columns(only);
        let _ = write!(html, "<div class=\"plots\">{charts}<div>{}</div></div>", by_colour(report));
    } else {
        html += &table(report, &met[..met.len().min(SHOWN)]);
        if met.len() > SHOWN {
            let rest = table(report, &met[SHOWN..]);
            let _ = write!(html, "<details><summary>{} more</summary>{rest}</details>", met.len() - SHOWN);
        }
        html += "<h3>Results by colour</h3>";
        html += &by_colour(report);
    }
    Section::new("pairs", "Pairs", "Pairs and colours", &html)
}

/// The five columns of a match.
fn columns(pairing: &PairingSummary) -> String {
    let counts = pairing.pentanomial.counts();
    let series = BarSeries {
        name: "pairs".to_owned(),
        classes: WORTHS.iter().map(|(_, class)| (*class).to_owned()).collect(),
        values: counts.iter().map(|count| Some(*count as f64)).collect(),
    };
    let chart = BarChart {
        description: format!("Pairs worth 0, ½, 1, 1½ and 2 points: {counts:?}"),
        categories: WORTHS.iter().map(|(worth, _)| (*worth).to_owned()).collect(),
        x_label: "points of the first engine".to_owned(),
        y_label: "pairs".to_owned(),
        series: vec![series],
    };
    let total = pairing.pentanomial.pairs();
    let note = match pairing.draw_ratio {
        Some(ratio) if total > 0 => format!("{total} pairs, {} of them level.", percent(ratio)),
        _ => "No pair is complete yet.".to_owned(),
    };
    Figure { title: "Pairs", note: &note, legend: &[], chart: &chart }.to_string()
}

fn table(report: &RunReport, pairings: &[&PairingSummary]) -> String {
    let mut html = "<div class=\"scroll\"><table class=\"bars\"><thead><tr><th></th>".to_owned();
    for (worth, _) in WORTHS {
        let _ = write!(html, "<th>{worth}</th>");
    }
    html += "<th class=\"wide\"></th></tr></thead><tbody>\n";
    for pairing in pairings {
        let names = format!("{} – {}", report.name(pairing.first), report.name(pairing.second));
        let _ = write!(html, "<tr><th>{}</th>", Escaped(&names));
        let counts = pairing.pentanomial.counts();
        let parts: Vec<(u64, &str)> = counts.into_iter().zip(WORTHS.map(|(_, class)| class)).collect();
        html.extend(counts.map(|count| format!("<td>{count}</td>")));
        let _ = writeln!(html, "<td class=\"wide\">{}</td></tr>", StackedBar { parts: &parts });
    }
    html + "</tbody></table></div>\n"
}

/// All games as White saw them, and each engine's games with either colour.
fn by_colour(report: &RunReport) -> String {
    let colours = &report.facts.colours;
    let mut html =
        "<div class=\"scroll\"><table class=\"bars\"><thead><tr><th>By colour</th><th>W</th><th>D</th>\
                    <th>L</th><th class=\"wide\"></th></tr></thead><tbody>\n"
            .to_owned();
    html += &wdl_row("White, all games", colours.of_white());
    for engine in 0..report.summary.engines.len() {
        for (side, wdl) in ["White", "Black"].into_iter().zip(colours.of_engine(engine)) {
            html += &wdl_row(&format!("{} with {side}", report.name(engine)), wdl);
        }
    }
    html + "</tbody></table></div>\n"
}

fn wdl_row(name: &str, wdl: Wdl) -> String {
    let Wdl { wins, draws, losses } = wdl;
    let bar = StackedBar { parts: &[(wins, "win"), (draws, "draw"), (losses, "loss")] };
    format!(
        "<tr><th>{}</th><td>{wins}</td><td>{draws}</td><td>{losses}</td><td class=\"wide\">{bar}</td></tr>\n",
        Escaped(name)
    )
}
