//! Ratings, with a bar for each interval.

use maud::{Markup, html};

use super::{Section, ShownRun};
use crate::report::page::rating::link_text;
use crate::report::page::rating::{best_first, rating_list};
use crate::report::page::{RatingRow, RatingTable};
use crate::results::PairingSummary;
use crate::text::number_text::{elo, minus, normalized_elo, percent};
use stats::ratings::RatingList;

/// The two measures of a match, or the ratings of a tournament.
pub fn section(run: &ShownRun) -> Section {
    let body = match &run.summary.pairings[..] {
        [pairing] => of_match(run, pairing),
        _ => of_tournament(run),
    };
    Section::new("ratings", "Ratings", "Ratings", &body)
}

fn of_match(run: &ShownRun, pairing: &PairingSummary) -> Markup {
    let [first, second] = [pairing.first, pairing.second].map(|engine| run.name(engine));
    let normalized = &pairing.normalized_elo;
    let table = RatingTable {
        headings: vec!["Difference"],
        rows: vec![
            RatingRow::new("Elo".to_owned(), 0, Some(pairing.elo), Vec::new()),
            RatingRow {
                name: "nElo".to_owned(),
                colour: 0,
                value: Some(normalized.nelo.value()),
                interval: [normalized.lower.value(), normalized.upper.value()],
                cells: vec![minus(&normalized_elo(normalized))],
            },
        ],
        has_swatches: false,
    };
    html! {
        p {
            "The Elo difference between " (first) " and " (second) ", with 95% intervals computed from game pairs. \
             If the interval contains 0, these games cannot tell which engine is stronger."
        }
        (table)
    }
}

fn of_tournament(run: &ShownRun) -> Markup {
    let list = rating_list(run);
    let groups = list.groups();
    let headed = groups.iter().enumerate().map(|(index, group)| {
        let link = group.link.map_or(String::new(), |link| format!(", {}", link_text(link)));
        (Some(index), format!("Group {}{link}", index + 1))
    });
    let unrated = (None, "Without a rating".to_owned());
    let tables: Vec<(String, RatingTable)> = headed
        .chain([unrated])
        .map(|(group, heading)| (heading, table(run, &list, group)))
        .filter(|(_, table)| !table.rows.is_empty())
        .collect();
    html! {
        p {
            "Maximum-likelihood ratings from all games, relative to the average engine"
            @if groups.len() > 1 { " of each group" }
            ", with 95% intervals. White's advantage is estimated too."
            @if let Some(advantage) = list.white_advantage() {
                " White is worth " (minus(&elo(&advantage))) " Elo."
            }
        }
        @for (heading, table) in &tables {
            @if tables.len() > 1 { h3 { (heading) } }
            (table)
        }
    }
}

/// The engines of a group, or those without a rating.
fn table(run: &ShownRun, list: &RatingList, group: Option<usize>) -> RatingTable {
    let players = list.players();
    let order = best_first(list).into_iter().filter(|&engine| players[engine].group == group);
    let rows = order.enumerate().map(|(place, index)| {
        let engine = &run.summary.engines[index];
        let score = engine.score.map_or("–".to_owned(), percent);
        let cells = vec![format!("{:.1}", engine.points), engine.games.to_string(), score];
        RatingRow::new(format!("{}. {}", place + 1, engine.name), index, players[index].rating, cells)
    });
    RatingTable {
        headings: vec!["Elo", "Points", "Games", "Score"],
        rows: rows.collect(),
        has_swatches: true,
    }
}
