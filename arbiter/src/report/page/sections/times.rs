//! Time per move, and latency.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::plot::tick_text::axis_number;
use crate::html::plot::{Figure, Histogram, HistogramSeries, Line, LineChart, Point};
use crate::results::facts::LatencyBins;
use crate::text::number_text::short_time;

/// Time by move number, and latencies; nothing without games.
pub fn section(run: &ShownRun) -> Option<Section> {
    if run.summary.games == 0 {
        return None;
    }
    let html = html! {
        div.plots {
            (times(run))
            @if let Some(latencies) = latencies(run) { (latencies) }
        }
        (latency_table(run))
    };
    Some(Section::new("times", "Time", "Time and latency", &html))
}

fn times(run: &ShownRun) -> Markup {
    let engines = run.summary.engines.iter().zip(&run.facts.engines).enumerate();
    let lines = engines.map(|(colour, (engine, facts))| {
        let points = facts.move_times.means().enumerate();
        let points = points.map(|(place, seconds)| Point { x: place as f64 + 1.0, y: seconds, band: None });
        Line { name: engine.name.clone(), colour, points: points.collect() }
    });
    let chart = LineChart {
        description: "Mean time per move of each engine, by move number".to_owned(),
        x_label: "move after the opening".to_owned(),
        y_label: "seconds".to_owned(),
        y_text: axis_number,
        settles: false,
        y_reaches: vec![0.0],
        lines: lines.collect(),
        marks: Vec::new(),
    };
    let note = "The mean over all games that lasted so long; shown while at least 1 game in 20 did.";
    Figure { title: "Time per move", note, legend: &run.legend(), chart: &chart }.render()
}

/// `None` where no engine reports its time.
fn latencies(run: &ShownRun) -> Option<Markup> {
    let engines = run.summary.engines.iter().zip(&run.facts.engines).enumerate();
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
        description: "Time on Arbiter's clock minus the time that the engine reported".to_owned(),
        ticks: LatencyBins::ticks(),
        x_label: "latency".to_owned(),
        y_label: "share of moves".to_owned(),
        series,
    };
    let note = "Time on Arbiter's clock minus the time that the engine reported. Most engines report whole milliseconds.";
    Some(Figure { title: "Latency", note, legend: &run.legend(), chart: &chart }.render())
}

fn latency_table(run: &ShownRun) -> Markup {
    html! {
        div.scroll {
            table {
                thead {
                    tr {
                        th { "Latency" }
                        th { "p50" }
                        th { "p99" }
                        th { "max" }
                        th { "Time losses" }
                        th { "Other faults" }
                    }
                }
                tbody {
                    @for engine in &run.summary.engines {
                        @let latency = engine.latency.as_ref();
                        tr {
                            th { (engine.name) }
                            @for time in [latency.map(|l| l.p50), latency.map(|l| l.p99), latency.map(|l| l.max)] {
                                td { (time.map_or("–".to_owned(), short_time)) }
                            }
                            td { (engine.faults_of(runner::Termination::TimeLoss)) }
                            td { (engine.other_faults()) }
                        }
                    }
                }
            }
        }
    }
}
