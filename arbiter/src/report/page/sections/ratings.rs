//! Ratings, with a bar for each interval, and the crosstable.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::{Section, ShownRun};
use crate::report::page::{RatingRow, RatingTable};
use crate::report::result::{best, tests};
use crate::report::standings::bracket;
use crate::report::verdict::{ESTIMATES_NOTE, bias, tests_heading};
use crate::results::{EngineSummary, PairingSummary, RatingList, Summary};
use crate::text::Document;
use crate::text::number_text::{Estimate, elo_or_bound, percent, wdl};

pub fn tests_section(run: &ShownRun) -> Option<Section> {
    let summary = &run.summary;
    let heading = tests_heading(summary).filter(|_| summary.has_several_tests())?;
    let html = html! {
        p { (heading) ". Who has a verdict plays no more." }
        (tests(summary, true))
        p { (ESTIMATES_NOTE) "." }
    };
    Some(Section::new("tests", "SPRT", "SPRT", &html))
}

pub fn best_section(run: &ShownRun) -> Option<Section> {
    run.summary.best.as_ref()?;
    Some(Section::new("best", "Best", "The best", &html! { (best(&run.summary)) }))
}

/// Elo and normalized Elo of a match, or each engine's Elo vs. its opponents.
pub fn section(run: &ShownRun) -> Section {
    match run.summary.of_two() {
        [pairing] => Section::new("elo", "Elo", "Elo", &of_match(run, pairing)),
        _ => Section::new("elo", "Elo", "Elo vs. opponents", &vs_opponents(run)),
    }
}

/// The ratings of a tournament, which take the strength of the opponents into account.
pub fn ratings(run: &ShownRun) -> Option<Section> {
    (run.summary.engines.len() > 2)
        .then(|| Section::new("ratings", "Ratings", "Ratings", &of_tournament(run)))
}

fn of_match(run: &ShownRun, pairing: &PairingSummary) -> Markup {
    let [first, second] = [pairing.first, pairing.second].map(|engine| run.name(engine));
    let row =
        |name: &str, estimate: &dyn Estimate| RatingRow::new(name.to_owned(), 0, Some(estimate), Vec::new());
    let rows = match &pairing.estimates.after_sprt {
        None => {
            vec![
                row(&format!("Elo{}", bias(pairing)), &pairing.estimates.elo),
                row("nElo", &pairing.estimates.normalized_elo),
            ]
        }
        Some(after) => vec![
            row("Elo, fixed length", &pairing.estimates.elo),
            row("Elo after the SPRT", &after.elo),
            row("nElo, fixed length", &pairing.estimates.normalized_elo),
            row("nElo after the SPRT", &after.normalized_elo),
        ],
    };
    let table = RatingTable { headings: vec!["Difference"], rows, has_swatches: false };
    html! {
        p {
            "The Elo difference between " (first) " and " (second) ", with 95% intervals computed from game pairs. \
             If the interval contains 0, these games cannot tell which engine is stronger."
            @if pairing.estimates.after_sprt.is_some() {
                " A match that an SPRT ends has another interval than one of fixed length: the estimate after the SPRT is \
                 median unbiased, and its interval holds the truth in 95% of such matches."
            }
        }
        (table)
    }
}

fn vs_opponents(run: &ShownRun) -> Markup {
    let rows = run.summary.by_score().into_iter().enumerate().map(|(place, index)| {
        let engine = &run.summary.engines[index];
        let estimate = (engine.games > 0).then_some(engine.elo_vs_opponents);
        RatingRow::new(format!("{}. {}", place + 1, engine.name), index, estimate, cells(engine))
    });
    let table = RatingTable {
        headings: vec!["Elo", "Points", "Games", "Score"],
        rows: rows.collect(),
        has_swatches: true,
    };
    html! {
        p {
            "Each engine vs. the average of its opponents, from its score, with 95% intervals."
            (exaggerated(run))
        }
        (table)
    }
}

/// A note that estimates are too far from 0, for a run with decided tests.
fn exaggerated(run: &ShownRun) -> &'static str {
    let is_decided = |pairing: &PairingSummary| pairing.estimates.is_decided();
    if run.summary.pairings.iter().any(is_decided) { " Decided SPRTs exaggerate it." } else { "" }
}

fn cells(engine: &EngineSummary) -> Vec<String> {
    let score = engine.score.map_or("–".to_owned(), percent);
    vec![format!("{:.1}", engine.points), engine.games.to_string(), score]
}

fn of_tournament(run: &ShownRun) -> Markup {
    let names: Vec<&str> = run.summary.engines.iter().map(|engine| &*engine.name).collect();
    let sources = match &run.facts.rated_of_files[..] {
        [] => vec![&run.facts.rated[..]],
        files => files.iter().map(Vec::as_slice).collect(),
    };
    let list = RatingList::new(&names, sources, &BTreeMap::new());
    let groups = 0..list.groups.len();
    let headed = groups.clone().map(|group| (Some(group), list.group_name(group)));
    let unrated = (None, "Without a rating".to_owned());
    let tables: Vec<(String, RatingTable)> = headed
        .chain([unrated])
        .map(|(group, heading)| (heading, table(run, &list, group)))
        .filter(|(_, table)| !table.rows.is_empty())
        .collect();
    html! {
        p {
            "Maximum-likelihood ratings from all games, which weigh how strong the opponents were, relative to the average \
             engine"
            @if groups.len() > 1 { " of each group" }
            ", with 95% intervals. White's advantage is estimated too."
            @if let Some(advantage) = list.white_advantage {
                " White's advantage: " (elo_or_bound(&advantage)) "."
            }
            (exaggerated(run))
        }
        @for (heading, table) in &tables {
            @if tables.len() > 1 { h3 { (heading) } }
            (table)
        }
    }
}

fn table(run: &ShownRun, list: &RatingList, group: Option<usize>) -> RatingTable {
    let rows = list.players_of(group).enumerate().map(|(place, player)| {
        let name = format!("{}. {}", place + 1, player.name);
        RatingRow::new(name, player.index, player.rated.rating, cells(&run.summary.engines[player.index]))
    });
    RatingTable {
        headings: vec!["Rating", "Points", "Games", "Score"],
        rows: rows.collect(),
        has_swatches: true,
    }
}

/// The strongest tint, for the cells with the best and the worst score, in percent of the colour.
const STRONGEST_TINT: f64 = 45.0;

/// The crosstable of more than two engines, and the bracket of a knockout.
pub fn crosstable_section(run: &ShownRun) -> Option<Section> {
    let engines = run.summary.engines.len();
    // A huge crosstable helps nobody; the summary has its numbers.
    let is_small = engines <= Summary::MOST_WITH_ALL_PAIRINGS;
    if engines < 3 || !is_small && run.summary.bracket.is_empty() {
        return None;
    }
    let order = if is_small { run.summary.by_score() } else { Vec::new() };
    let mut rounds = Document::default();
    rounds.verbatim(bracket(&run.summary));
    let html = html! {
        @if is_small {
            p { "Points of the row's engine against the column's, and their games." }
            div.scroll {
                table.cross {
                    thead {
                        tr {
                            th {}
                            @for place in 1..=order.len() { th { (place) } }
                            th { "Points" }
                        }
                    }
                    tbody {
                        @for (place, &engine) in order.iter().enumerate() {
                            tr {
                                th { (place + 1) ". " (run.name(engine)) }
                                @for &other in &order { (cell(run, engine, other)) }
                                td { (format!("{:.1}", run.summary.engines[engine].points)) }
                            }
                        }
                    }
                }
            }
        }
        @if !run.summary.bracket.is_empty() {
            h3 { "Bracket" }
            (rounds)
        }
    };
    Some(Section::new("crosstable", "Crosstable", "Crosstable", &html))
}

fn cell(run: &ShownRun, engine: usize, other: usize) -> Markup {
    if engine == other {
        return html! { td.self {} };
    }
    let pairing = run.summary.pairing(engine, other);
    let seen =
        pairing.map(|pairing| if pairing.first == engine { pairing.wdl } else { pairing.wdl.reversed() });
    let Some(counts) = seen.filter(|wdl| wdl.games() > 0) else { return html! { td {} } };
    let lead = counts.points() / counts.games() as f64 - 0.5;
    let class = if lead >= 0.0 { "ahead" } else { "behind" };
    let tint = (lead.abs() * 2.0 * STRONGEST_TINT).round();
    html! {
        td class=(class) style={ "--tint:" (tint) "%" } title=(wdl(counts)) {
            (counts.points())
            small { "/" (counts.games()) }
        }
    }
}
