//! Time per move and latency, what the searches came to, and distributions.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::plot::scale::{axis_number, signed};
use crate::html::plot::{
    BarChart, BarSeries, Figure, Histogram, HistogramSeries, Line, LineChart, Point, SeriesClass,
};
use crate::results::GameAverages;
use crate::results::facts::{Evaluations, LatencyBins, Phase};
use crate::text::number_text::{short_time, thousands};

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

/// Depth and NPS by phase and engine; nothing if no engine reported any.
pub fn search_section(run: &ShownRun) -> Option<Section> {
    let depth = |averages: &GameAverages| averages.mean_depth();
    let speed = |averages: &GameAverages| averages.nodes_per_second().map(|nodes| nodes as f64);
    let phases =
        || run.facts.engines.iter().flat_map(|engine| Phase::ALL.map(|phase| *engine.phases.of(phase)));
    if phases().all(|averages| depth(&averages).is_none() && speed(&averages).is_none()) {
        return None;
    }
    let html = html! {
        p {
            "A position with 26 pieces or more, pawns and kings included, is in the opening; one with 13 or fewer is in \
             the endgame."
        }
        div.plots {
            (chart(run, "Depth", "plies", "The mean depth reported with a move.", depth))
            (chart(run, "Speed", "NPS", "Nodes divided by the time on Arbiter's clock.", speed))
        }
        details {
            summary { "In numbers" }
            (table(run))
        }
    };
    Some(Section::new("search", "Search", "Depth and speed", &html))
}

fn chart(
    run: &ShownRun,
    title: &str,
    unit: &str,
    note: &str,
    value: impl Fn(&GameAverages) -> Option<f64>,
) -> Markup {
    let engines = run.summary.engines.iter().zip(&run.facts.engines).enumerate();
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
    Figure { title, note, legend: &run.legend(), chart: &chart }.render()
}

fn table(run: &ShownRun) -> Markup {
    html! {
        div.scroll {
            table {
                thead {
                    tr {
                        th {}
                        @for phase in Phase::ALL { th { (phase.name()) ": depth" } th { "NPS" } }
                    }
                }
                tbody {
                    @for (engine, facts) in run.summary.engines.iter().zip(&run.facts.engines) {
                        tr {
                            th { (engine.name) }
                            @for phase in Phase::ALL { (cells(facts.phases.of(phase))) }
                        }
                    }
                }
            }
        }
    }
}

/// Depth and speed in one phase.
fn cells(averages: &GameAverages) -> Markup {
    html! {
        td { (averages.mean_depth().map_or("–".to_owned(), |depth| format!("{depth:.1}"))) }
        td { (averages.nodes_per_second().map_or("–".to_owned(), thousands)) }
    }
}

/// The approximate number of texts below a histogram.
const TICKS: usize = 6;

/// Histograms of length and evaluation; nothing without games.
pub fn distributions_section(run: &ShownRun) -> Option<Section> {
    let mean = run.facts.lengths.mean()?;
    let html = html! {
        div.plots { (lengths(run, mean)) (evaluations(run)) }
    };
    Some(Section::new("lengths", "Lengths", "Lengths and evaluations", &html))
}

fn lengths(run: &ShownRun, mean: f64) -> Markup {
    let (width, counts) = run.facts.lengths.bins();
    let every = counts.len().div_ceil(TICKS);
    let ticks = (0..=counts.len()).step_by(every).map(|bin| (bin as f64, (bin * width).to_string()));
    let chart = Histogram {
        description: format!("Game lengths; the mean is {mean:.1} moves"),
        ticks: ticks.collect(),
        x_label: "moves".to_owned(),
        y_label: "share of games".to_owned(),
        series: vec![HistogramSeries { name: "games".to_owned(), colour: 0, counts }],
    };
    let note = format!("The mean is {mean:.1} moves, opening included.");
    Figure { title: "Game length", note: &note, legend: &[], chart: &chart }.render()
}

fn evaluations(run: &ShownRun) -> Markup {
    let engines = run.summary.engines.iter().zip(&run.facts.engines).enumerate();
    let series = engines.map(|(colour, (engine, facts))| HistogramSeries {
        name: engine.name.clone(),
        colour,
        counts: facts.evaluations.counts().to_vec(),
    });
    let chart = Histogram {
        description: "Evaluations that each engine reported".to_owned(),
        ticks: Evaluations::ticks()
            .into_iter()
            .map(|(bin, pawns)| (bin, signed(f64::from(pawns), 1.0)))
            .collect(),
        x_label: "pawns".to_owned(),
        y_label: "share of moves".to_owned(),
        series: series.collect(),
    };
    let note = "From the engine's own side. The outermost bars hold everything beyond ten pawns, and mates.";
    Figure { title: "Evaluations", note, legend: &run.legend(), chart: &chart }.render()
}
