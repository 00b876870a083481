//! Histograms of game lengths and evaluations.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::plot::tick_text::signed;
use crate::html::plot::{Figure, Histogram, HistogramSeries};
use crate::results::facts::Evaluations;

/// The approximate number of texts below a histogram.
const TICKS: usize = 6;

/// Histograms of length and evaluation; nothing without games.
pub fn section(run: &ShownRun) -> Option<Section> {
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
