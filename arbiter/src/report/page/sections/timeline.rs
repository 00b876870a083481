//! The estimates after each game.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::plot::tick_text::axis_number;
use crate::html::plot::{Figure, Line, LineChart, Mark, Point};
use crate::results::facts::Moment;
use crate::results::{PairingSummary, SprtSummary};
use stats::{Elo, EloEstimate, SprtModel};

/// The timeline of Elo, and that of a sequential test. Nothing before the second moment.
pub fn section(run: &ShownRun) -> Option<Section> {
    let moments = run.facts.timeline.until(&run.summary);
    if moments.len() < 2 {
        return None;
    }
    let html = html! {
        div.plots {
            @match &run.summary.pairings[..] {
                [pairing] => {
                    (elo_of_match(run, pairing, &moments))
                    @if let Some(test) = pairing.sprt { (llr(&test, &moments)) }
                }
                _ => { (elo_of_tournament(run, &moments)) }
            }
        }
    };
    Some(Section::new("timeline", "Timeline", "Timeline", &html))
}

/// The estimate; if one side won all games, the finite end of its interval; NaN before the first game.
fn cautious(estimate: &EloEstimate) -> f64 {
    let [lower, value, upper] = [estimate.lower, estimate.elo, estimate.upper].map(Elo::value);
    match (lower.is_finite(), upper.is_finite()) {
        (false, false) => f64::NAN,
        _ if value.is_finite() => value,
        (true, _) => lower,
        (false, _) => upper,
    }
}

fn elo_of_match(run: &ShownRun, pairing: &PairingSummary, moments: &[Moment]) -> Markup {
    let [first, second] = [pairing.first, pairing.second].map(|engine| run.name(engine));
    let points = moments.iter().filter_map(|moment| {
        let estimate = moment.elo.first()?;
        let band = Some([estimate.lower.value(), estimate.upper.value()]);
        Some(Point { x: moment.games as f64, y: estimate.elo.value(), band })
    });
    let chart = LineChart {
        description: format!("Elo of {first} vs {second} after each game, with its 95% interval"),
        x_label: "games".to_owned(),
        y_label: "Elo".to_owned(),
        y_reaches: vec![0.0],
        lines: vec![Line { name: first.to_owned(), colour: 0, points: points.collect() }],
        ..LineChart::default()
    };
    let note = format!("{first} vs {second}; the band is the 95% interval.");
    Figure { title: "Elo", note: &note, legend: &[], chart: &chart }.render()
}

fn elo_of_tournament(run: &ShownRun, moments: &[Moment]) -> Markup {
    let lines = run.summary.engines.iter().enumerate().map(|(engine, summary)| {
        let known = moments.iter().filter_map(|moment| Some((moment.games, moment.elo.get(engine)?)));
        let points =
            known.map(|(games, estimate)| Point { x: games as f64, y: cautious(estimate), band: None });
        Line { name: summary.name.clone(), colour: engine, points: points.collect() }
    });
    let chart = LineChart {
        description: "Elo of each engine vs. its opponents".to_owned(),
        x_label: "games".to_owned(),
        y_label: "Elo".to_owned(),
        y_reaches: vec![0.0],
        lines: lines.collect(),
        ..LineChart::default()
    };
    let note = "Each engine vs. the average of its opponents so far. An engine that won or lost every game is drawn at the \
                near end of its 95% interval.";
    Figure { title: "Elo", note, legend: &run.legend(), chart: &chart }.render()
}

fn llr(test: &SprtSummary, moments: &[Moment]) -> Markup {
    let points = moments
        .iter()
        .filter_map(|moment| Some(Point { x: moment.games as f64, y: moment.llr?.value(), band: None }));
    let unit = match test.test.model() {
        SprtModel::Normalized => "nElo",
        SprtModel::Logistic => "Elo",
    };
    let (elo0, elo1) = (test.test.elo0(), test.test.elo1());
    let mark = |value: f64, text: String| Mark { value, label: text };
    let chart = LineChart {
        description: format!("LLR after each game, between {} and {}", test.lower, test.upper),
        x_label: "games".to_owned(),
        y_label: "LLR".to_owned(),
        y_text: axis_number,
        settles: false,
        y_reaches: vec![0.0, test.upper.value() * 1.25],
        lines: vec![Line { name: "LLR".to_owned(), colour: 0, points: points.collect() }],
        marks: vec![
            mark(test.upper.value(), format!("H1: at least {elo1} {unit}")),
            mark(test.lower.value(), format!("H0: at most {elo0} {unit}")),
        ],
    };
    let note =
        format!("The test stops at either bound; alpha {}, beta {}.", test.test.alpha(), test.test.beta());
    Figure { title: "SPRT", note: &note, legend: &[], chart: &chart }.render()
}
