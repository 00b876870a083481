//! Depth and speed in the phases of the game.

use std::fmt::Write as _;

use super::{Figure, RunReport, Section, engine_legend};
use crate::html::Escaped;
use crate::html::plot::{BarChart, BarSeries, SeriesClass};
use crate::report::page::facts::{Phase, PhaseAverages};
use crate::run_state::GameAverages;
use crate::text::number_text::thousands;

/// Depth and nodes per second by phase and engine; nothing where no engine reported any.
pub fn section(report: &RunReport) -> Option<Section> {
    let depth = |averages: &GameAverages| averages.mean_depth();
    let speed = |averages: &GameAverages| averages.nodes_per_second().map(|nodes| nodes as f64);
    let phases =
        || report.facts.engines.iter().flat_map(|engine| Phase::ALL.map(|phase| *engine.phases.of(phase)));
    if phases().all(|averages| depth(&averages).is_none() && speed(&averages).is_none()) {
        return None;
    }
    let note = "<p>The opening lasts as long as 26 men or more are on the board, pawns and kings included, and the \
                endgame begins with 13.</p>\n";
    let charts = [
        chart(report, "Depth", "plies", "The mean of the depths reported with each move.", depth),
        chart(report, "Speed", "nodes/s", "All nodes by all the time on our clock.", speed),
    ];
    let html = format!(
        "{note}<div class=\"plots\">{}</div><details><summary>In numbers</summary>{}</details>\n",
        charts.concat(),
        table(report)
    );
    Some(Section::new("search", "Search", "Depth and speed", &html))
}

fn chart(
    report: &RunReport,
    title: &str,
    unit: &str,
    note: &str,
    value: impl Fn(&GameAverages) -> Option<f64>,
) -> String {
    let engines = report.summary.engines.iter().zip(&report.facts.engines).enumerate();
    let series = engines.map(|(index, (engine, facts))| BarSeries {
        name: engine.name.clone(),
        classes: vec![SeriesClass(index).to_string(); Phase::ALL.len()],
        values: Phase::ALL.iter().map(|phase| value(facts.phases.of(*phase))).collect(),
    });
    let chart = BarChart {
        description: format!("{title} of each engine in opening, middlegame and endgame"),
        categories: Phase::ALL.iter().map(|phase| phase.name().to_owned()).collect(),
        x_label: String::new(),
        y_label: unit.to_owned(),
        series: series.collect(),
    };
    Figure { title, note, legend: &engine_legend(report), chart: &chart }.to_string()
}

fn table(report: &RunReport) -> String {
    let mut html = "<div class=\"scroll\"><table><thead><tr><th></th>".to_owned();
    for phase in Phase::ALL {
        let _ = write!(html, "<th>{0}: depth</th><th>nodes/s</th>", phase.name());
    }
    html += "</tr></thead><tbody>\n";
    for (engine, facts) in report.summary.engines.iter().zip(&report.facts.engines) {
        let _ = writeln!(html, "<tr><th>{}</th>{}</tr>", Escaped(&engine.name), cells(&facts.phases));
    }
    html + "</tbody></table></div>"
}

fn cells(phases: &PhaseAverages) -> String {
    let cells = Phase::ALL.iter().map(|phase| {
        let averages = phases.of(*phase);
        let depth = averages.mean_depth().map_or("–".to_owned(), |depth| format!("{depth:.1}"));
        let speed = averages.nodes_per_second().map_or("–".to_owned(), thousands);
        format!("<td>{depth}</td><td>{speed}</td>")
    });
    cells.collect()
}
