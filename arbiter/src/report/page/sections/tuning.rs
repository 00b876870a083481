//! The parameters of a tuning run.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::plot::tick_text::axis_number;
use crate::html::plot::{Figure, Line, LineChart, Point};
use crate::results::TunedSummary;
use crate::results::facts::TuningMoment;
use crate::text::number_text::{minus, signed_three_digits, three_digits};

/// A table of the values and a plot of each. `None` for other runs.
pub fn section(run: &ShownRun) -> Option<Section> {
    let (tuned, moments) = (&run.summary.tuned, run.facts.tuning.moments());
    if tuned.is_empty() {
        return None;
    }
    let html = html! {
        p {
            "A parameter without effect ends this close to its start value in 95% of runs: the last column, and the band of \
             the plot."
        }
        div.scroll { (table(tuned)) }
        @if moments.len() > 1 {
            div.plots {
                @for (index, parameter) in tuned.iter().enumerate() { (course(parameter, index, moments)) }
            }
        }
    };
    Some(Section::new("tuning", "Tuning", "Tuning", &html))
}

fn table(tuned: &[TunedSummary]) -> Markup {
    html! {
        table {
            thead { tr { th { "Parameter" } th { "Start" } th { "Value" } th { "Change" } th { "By chance (95%)" } } }
            tbody {
                @for parameter in tuned {
                    tr {
                        td { (parameter.name) }
                        td { (three_digits(parameter.from)) }
                        td { (three_digits(parameter.value)) }
                        td { (minus(&signed_three_digits(parameter.change()))) }
                        td { "± " (three_digits(parameter.by_chance)) }
                    }
                }
            }
        }
    }
}

/// The value over the games, in front of the band of changes by chance.
fn course(parameter: &TunedSummary, index: usize, moments: &[TuningMoment]) -> Markup {
    let from = parameter.from;
    let (mut by_chance, mut value) = (Vec::new(), Vec::new());
    for moment in moments {
        let (x, tuned) = (f64::from(moment.games), &moment.parameters[index]);
        let band = [from - tuned.by_chance, from + tuned.by_chance];
        by_chance.push(Point { x, y: from, band: Some(band) });
        value.push(Point { x, y: tuned.value, band: None });
    }
    let chart = LineChart {
        description: format!("{} over the games", parameter.name),
        x_label: "games".to_owned(),
        y_label: "value".to_owned(),
        y_text: axis_number,
        settles: false,
        lines: vec![
            Line { name: "by chance".to_owned(), colour: 1, points: by_chance },
            Line { name: parameter.name.clone(), colour: 0, points: value },
        ],
        ..LineChart::default()
    };
    Figure { title: &parameter.name, note: "", legend: &[], chart: &chart }.render()
}
