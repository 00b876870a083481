//! What the clock saw: the time for each move, and what it cost to get the answers.

use std::fmt::Write as _;

use super::{Figure, RunReport, Section, engine_legend};
use crate::html::Escaped;
use crate::html::plot::tick_text::axis_number;
use crate::html::plot::{Histogram, HistogramSeries, Line, LineChart, Point};
use crate::report::page::facts::LatencyBins;
use crate::text::number_text::short_time;

/// Time used by move number, and latencies; nothing without games.
pub fn section(report: &RunReport) -> Option<Section> {
    if report.summary.games == 0 {
        return None;
    }
    let latencies = latencies(report).unwrap_or_default();
    let html = format!("<div class=\"plots\">{}{latencies}</div>\n{}", times(report), latency_table(report));
    Some(Section::new("times", "Time", "Time and latency", &html))
}

fn times(report: &RunReport) -> String {
    let engines = report.summary.engines.iter().zip(&report.facts.engines).enumerate();
    let lines = engines.map(|(colour, (engine, facts))| {
        let points = facts.move_times.means().enumerate();
        let points = points.map(|(place, seconds)| Point { x: place as f64 + 1.0, y: seconds, band: None });
        Line { name: engine.name.clone(), colour, points: points.collect() }
    });
    let chart = LineChart {
        description: "Mean time that each engine took, by the number of its move".to_owned(),
        x_label: "move after the opening".to_owned(),
        y_label: "seconds".to_owned(),
        y_text: axis_number,
        settles: false,
        y_reaches: vec![0.0],
        lines: lines.collect(),
        marks: Vec::new(),
    };
    let note = "The mean over all games, as long as one game in twenty goes on.";
    Figure { title: "Time per move", note, legend: &engine_legend(report), chart: &chart }.to_string()
}

/// `None` where no engine reports its time.
fn latencies(report: &RunReport) -> Option<String> {
    let engines = report.summary.engines.iter().zip(&report.facts.engines).enumerate();
    let known = engines.filter(|(_, (engine, _))| engine.latency.is_some());
    let series: Vec<HistogramSeries> = known
        .map(|(colour, (engine, facts))| HistogramSeries {
            name: engine.name.clone(),
            colour,
            counts: facts.latencies.counts().to_vec(),
        })
        .collect();
    if series.is_empty() {
        return None;
    }
    let chart = Histogram {
        description: "How long moves took on our clock beyond what the engine said".to_owned(),
        ticks: LatencyBins::ticks(),
        x_label: "latency".to_owned(),
        y_label: "share of moves".to_owned(),
        series,
    };
    let note = "Our time less the engine's own, which most report in whole milliseconds.";
    Some(Figure { title: "Latency", note, legend: &engine_legend(report), chart: &chart }.to_string())
}

fn latency_table(report: &RunReport) -> String {
    let mut html =
        "<div class=\"scroll\"><table><thead><tr><th>Latency</th><th>median</th><th>99%</th><th>worst</th>\
                    <th>Time losses</th><th>Other faults</th></tr></thead><tbody>\n"
            .to_owned();
    for engine in &report.summary.engines {
        let known = |pick: fn(&crate::run_state::Latency) -> std::time::Duration| {
            engine.latency.as_ref().map_or("–".to_owned(), |latency| short_time(pick(latency)))
        };
        let _ = writeln!(
            html,
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            Escaped(&engine.name),
            known(|latency| latency.p50),
            known(|latency| latency.p99),
            known(|latency| latency.worst),
            engine.faults_of(runner::Termination::TimeLoss),
            engine.breakdowns(),
        );
    }
    html + "</tbody></table></div>\n"
}
