//! Depth and speed in the phases of the game.

use maud::{Markup, Render, html};

use super::{Section, ShownRun};
use crate::html::plot::{BarChart, BarSeries, Figure, SeriesClass};
use crate::results::GameAverages;
use crate::results::facts::Phase;
use crate::text::number_text::thousands;

/// Depth and NPS by phase and engine; nothing if no engine reported any.
pub fn section(run: &ShownRun) -> Option<Section> {
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
