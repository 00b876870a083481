//! Ratings, with a bar for each interval.

use maud::{Markup, html};

use super::{Section, ShownRun};
use crate::report::page::rating::{rating_list, ratings};
use crate::report::page::{RatingRow, RatingTable};
use crate::run_state::PairingSummary;
use crate::text::number_text::{elo, minus, normalized_elo, percent};
use stats::ratings::GroupLink;

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
    let rows = ratings(run).into_iter().enumerate().map(|(place, rating)| {
        let engine = &run.summary.engines[rating.engine];
        let score = engine.score.map_or("–".to_owned(), percent);
        let cells = vec![format!("{:.1}", engine.points), engine.games.to_string(), score];
        RatingRow::new(format!("{}. {}", place + 1, engine.name), rating.engine, rating.elo, cells)
    });
    let table = RatingTable {
        headings: vec!["Elo", "Points", "Games", "Score"],
        rows: rows.collect(),
        has_swatches: true,
    };
    html! {
        p {
            "Maximum-likelihood ratings from all games, relative to the average engine, with 95% intervals. White's \
             advantage is estimated too."
            (apart(run))
        }
        (table)
    }
}

/// White's advantage, and the groups that cannot be compared.
fn apart(run: &ShownRun) -> String {
    let list = rating_list(run);
    let mut text = match list.white_advantage() {
        Some(advantage) => format!(" White is worth {} Elo.", minus(&elo(&advantage))),
        None => String::new(),
    };
    if list.groups().iter().any(|group| group.link == Some(GroupLink::NeverMet)) {
        text +=
            " Some engines share no opponents, directly or through others: their ratings cannot be compared.";
    } else if list.groups().len() > 1 {
        text += " One group of engines won every game against another: the distance between them is unknown.";
    }
    text
}
