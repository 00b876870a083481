//! Time per move and latency, depth and speed of searches, and distributions.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::plot::scale::{axis_number, signed};
use crate::html::plot::{
    BarChart, BarSeries, Curve, Figure, Histogram, HistogramSeries, LineChart, Point, SeriesClass,
};
use crate::report::result::{behaviour, machines};
use crate::results::GameAverages;
use crate::results::facts::{Evaluations, GamePhase, LatencyBins};
use crate::text::Table;
use crate::text::number_text::{is_by_work, thousands};

pub fn section(run: &ShownRun) -> Option<Section> {
    if run.summary.games == 0 {
        return None;
    }
    let html = html! {
        div.plots {
            @if run.summary.engines.iter().any(|engine| !engine.time.is_zero()) { (times(run)) }
            @if let Some(latencies) = latencies(run) { (latencies) }
        }
        (behaviour(&run.summary, Some(&run.facts.config)))
    };
    Some(Section::new("times", "Time", "Time and latency", &html))
}

pub fn machines_section(run: &ShownRun) -> Option<Section> {
    let html = machines(run.summary.machines.as_ref()?).render();
    Some(Section::new("machines", "Machines", "Results by machine", &html))
}

fn times(run: &ShownRun) -> Markup {
    let lines = run.charted().into_iter().map(|(colour, engine)| {
        let points = run.facts.engines[colour].move_times.means().enumerate();
        let points = points.map(|(place, seconds)| Point { x: place as f64 + 1.0, y: seconds, band: None });
        Curve { name: engine.name.clone(), colour, points: points.collect() }
    });
    let chart = LineChart {
        description: "Mean time per move of each engine, by move number".to_owned(),
        x_label: "move after the opening".to_owned(),
        y_label: "seconds".to_owned(),
        y_text: axis_number,
        settles: false,
        y_reaches: vec![0.0],
        lines: lines.collect(),
        ..LineChart::default()
    };
    let note = "The mean over all games that lasted so long; shown while at least 1 game in 20 did.";
    Figure { title: "Time per move", note, legend: &run.legend(), chart: &chart }.render()
}

/// `None` if no engine reports its time.
fn latencies(run: &ShownRun) -> Option<Markup> {
    let known = run.charted().into_iter().filter(|(_, engine)| engine.latency.is_some());
    let series: Vec<HistogramSeries> = known
        .map(|(colour, engine)| HistogramSeries {
            name: engine.name.clone(),
            colour,
            counts: run.facts.engines[colour].latencies.counts.to_vec(),
        })
        .collect();
    if series.is_empty() {
        return None;
    }
    let measured = if is_by_work(&run.facts.config) { "CPU time used" } else { "Time on Arbiter's clock" };
    let chart = Histogram {
        description: format!("{measured} minus the time that the engine reported"),
        ticks: LatencyBins::ticks(),
        x_label: "latency".to_owned(),
        y_label: "share of moves".to_owned(),
        series,
    };
    let note = format!(
        "{measured} minus the time that the engine reported. Most engines report whole milliseconds."
    );
    Some(Figure { title: "Latency", note: &note, legend: &run.legend(), chart: &chart }.render())
}

/// Depth and NPS by phase and engine; `None` if no engine reported any.
pub fn search_section(run: &ShownRun) -> Option<Section> {
    let depth = |averages: &GameAverages| averages.mean_depth();
    let speed = |averages: &GameAverages| averages.nodes_per_second().map(|nodes| nodes as f64);
    let phases =
        || run.facts.engines.iter().flat_map(|engine| GamePhase::ALL.map(|phase| *engine.phases.of(phase)));
    if phases().all(|averages| depth(&averages).is_none() && speed(&averages).is_none()) {
        return None;
    }
    let by_time = if run.summary.files.is_some() {
        "Nodes divided by the time of the move."
    } else {
        "Nodes divided by the time on Arbiter's clock."
    };
    let html = html! {
        p {
            "A position with 26 pieces or more, pawns and kings included, is in the opening; one with 13 or fewer is in \
             the endgame."
        }
        div.plots {
            (chart(run, "Depth", "plies", "The mean depth reported with a move.", depth))
            @if phases().any(|averages| speed(&averages).is_some()) {
                (chart(run, "Speed", "NPS", by_time, speed))
            }
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
    let series = run.charted().into_iter().map(|(index, engine)| BarSeries {
        name: engine.name.clone(),
        classes: vec![SeriesClass(index).to_string(); GamePhase::ALL.len()],
        values: GamePhase::ALL
            .iter()
            .map(|phase| value(run.facts.engines[index].phases.of(*phase)))
            .collect(),
    });
    let chart = BarChart {
        description: format!("{title} of each engine in opening, middlegame and endgame"),
        categories: GamePhase::ALL.iter().map(ToString::to_string).collect(),
        x_label: String::new(),
        y_label: unit.to_owned(),
        series: series.collect(),
    };
    Figure { title, note, legend: &run.legend(), chart: &chart }.render()
}

fn table(run: &ShownRun) -> Table {
    let headings = GamePhase::ALL.iter().flat_map(|phase| [format!("{phase}: depth"), "NPS".to_owned()]);
    let mut table = Table::new([String::new()].into_iter().chain(headings));
    for (index, engine) in run.charted() {
        let cells = GamePhase::ALL.iter().flat_map(|phase| {
            let averages = run.facts.engines[index].phases.of(*phase);
            let depth = averages.mean_depth().map(|depth| format!("{depth:.1}"));
            [depth, averages.nodes_per_second().map(thousands)]
                .map(|text| text.unwrap_or_else(|| "–".to_owned()))
        });
        table.plain([engine.name.clone()].into_iter().chain(cells));
    }
    table
}

/// The approximate number of labels below a histogram.
const TICKS: usize = 6;

pub fn distributions_section(run: &ShownRun) -> Option<Section> {
    let mean = run.facts.lengths.mean()?;
    let html = html! {
        div.plots {
            (lengths(run, mean))
            @if run.facts.engines.iter().any(|engine| !engine.evaluations.is_empty()) { (evaluations(run)) }
        }
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
    let series = run.charted().into_iter().map(|(colour, engine)| HistogramSeries {
        name: engine.name.clone(),
        colour,
        counts: run.facts.engines[colour].evaluations.counts.clone(),
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
