//! The top of the page: the verdict and the figures, or a table of several tests.

use maud::{Markup, html};

use super::{Section, ShownRun};
use crate::report::summary_text::ptnml;
use crate::report::tests_text::{
    bias_note, marked_elo, tested_elo, tested_name, tests_heading, verdict_words,
};
use crate::report::verdict::{limits_of_run, quote, verdict};
use crate::results::RunPhase;
use crate::text::number_text::{long_time, minus, normalized_elo, percent, thousands};
use runner::FinishReason;

/// The verdict in one sentence, the progress, and the figures of a match.
pub fn headline(run: &ShownRun) -> Markup {
    let date = run.facts.config.made.as_ref().map(|made| made.date.strftime(" · %-d %B %Y").to_string());
    let figures = figures(run);
    html! {
        p.over { (run.title()) (date.unwrap_or_default()) }
        h1 { (verdict(&run.summary)) }
        p.state { (state(run)) }
        @if let Some(line) = quote(&run.summary, &run.facts.config) { p.state { (line) } }
        @if !figures.is_empty() {
            dl.figures {
                @for (name, value) in figures { div { dt { (name) } dd { (value) } } }
            }
        }
    }
}

/// The progress and the speed of the run.
fn state(run: &ShownRun) -> String {
    let summary = &run.summary;
    let ended = match &run.state {
        RunPhase::Running => "The run is not over: this page shows the games so far. ".to_owned(),
        RunPhase::Paused => "The run is paused. ".to_owned(),
        RunPhase::Stopping => "The run is about to stop. ".to_owned(),
        RunPhase::Interrupted { reason: None } => "The run was interrupted and can be resumed. ".to_owned(),
        RunPhase::Interrupted { reason: Some(FinishReason::EngineDoesNotStart { detail, .. }) } => {
            format!("The run was interrupted and can be resumed: {detail}. ")
        }
        RunPhase::Interrupted { reason: Some(FinishReason::GamesMissing) } => {
            "Games are missing; the run can be resumed. ".to_owned()
        }
        RunPhase::Interrupted { reason: Some(_) } => "The run was stopped and can be resumed. ".to_owned(),
        RunPhase::Finished { .. } => String::new(),
    };
    let (games, planned) = (thousands(summary.games), thousands(summary.planned));
    let limits = limits_of_run(&run.facts.config);
    format!("{ended}{games} of {planned} games · {limits} · {}", long_time(summary.duration))
}

/// The figures of a match of two engines; a tournament has tables.
fn figures(run: &ShownRun) -> Vec<(&'static str, String)> {
    let [pairing] = &run.summary.pairings[..] else { return Vec::new() };
    if pairing.wdl.games() == 0 {
        return Vec::new();
    }
    let (points, games) = (pairing.wdl.points(), pairing.wdl.games());
    let mut figures = vec![
        ("Elo", minus(&tested_elo(pairing))),
        ("nElo", minus(&normalized_elo(&pairing.normalized_elo))),
        ("LOS", percent(pairing.los.probability())),
        ("Points", format!("{points} of {games} ({})", percent(points / games as f64))),
        (
            "Wins, losses, draws",
            format!("{}, {}, {}", pairing.wdl.wins, pairing.wdl.losses, pairing.wdl.draws),
        ),
        ("Ptnml(0-2)", ptnml(pairing)),
    ];
    if let Some(test) = &pairing.sprt {
        let bounds = format!("{:.2} ({:.2}, {:.2})", test.llr, test.lower, test.upper);
        figures.push(("LLR", minus(&bounds)));
    }
    figures
}

/// A row for each test.
pub fn section(run: &ShownRun) -> Option<Section> {
    let summary = &run.summary;
    let heading = tests_heading(summary).filter(|_| summary.has_several_tests())?;
    let html = html! {
        p { (heading) ". Who has a verdict plays no more." }
        div.scroll {
            table {
                thead {
                    tr {
                        @for name in ["", "Games", "Elo", "nElo", "Ptnml(0-2)", "LLR", "Bounds", "Verdict"] {
                            th { (name) }
                        }
                    }
                }
                tbody {
                    @for (pairing, sprt) in summary.tests() {
                        tr {
                            th { (tested_name(summary, pairing)) }
                            td { (thousands(pairing.wdl.games())) }
                            td { (minus(&marked_elo(pairing))) }
                            td { (minus(&normalized_elo(&pairing.normalized_elo))) }
                            td { (ptnml(pairing)) }
                            td { (minus(&format!("{:.2}", sprt.llr))) }
                            td { (minus(&format!("({:.2}, {:.2})", sprt.lower, sprt.upper))) }
                            td { (verdict_words(sprt).0) }
                        }
                    }
                }
            }
        }
        @if let Some(note) = bias_note(summary) { p { (note) "." } }
    };
    Some(Section::new("tests", "SPRT", "SPRT", &html))
}
