//! A chart of the ratings by version for each engine with several versions.

use maud::{Markup, Render, html};

use super::players::Players;
use crate::html::Section;
use crate::html::plot::{Figure, IntervalChart, IntervalPoint};
use crate::report::verdict::lead_text;

/// The charts; `None` if no engine has two versions.
pub fn section(players: &Players) -> Option<Section> {
    let families = players.families();
    if families.is_empty() {
        return None;
    }
    let html = html! {
        div.plots {
            @for (family, members) in &families { (chart(players, family, members)) }
        }
    };
    Some(Section::new("versions", "Versions", "Ratings by version", &html))
}

fn chart(players: &Players, family: &str, members: &[usize]) -> Markup {
    let points = members.iter().filter_map(|&member| {
        let rating = players.ratings().players()[member].rating?;
        Some(IntervalPoint {
            name: short_label(&players.label(member)),
            value: rating.elo.value(),
            interval: [rating.lower.value(), rating.upper.value()],
        })
    });
    let chart = IntervalChart {
        description: format!("Rating of each version of {family} with its 95% interval"),
        x_label: "version".to_owned(),
        y_label: "Elo".to_owned(),
        points: points.collect(),
        colour: members.first().map_or(0, |member| players.colour(*member)),
    };
    let note = "From the oldest version to the newest, by version number, by commit date, or in the order of the runs.";
    Figure { title: family, note, legend: &[], chart: &chart }.render()
}

/// The part of the name that is different for each version.
fn short_label(label: &str) -> String {
    match label.split_once('@') {
        Some((_, version)) => version.to_owned(),
        None => label.split_once(" (").map_or(label, |(_, rest)| rest.trim_end_matches(')')).to_owned(),
    }
}

/// The newest version compared with the oldest one, in a sentence.
pub fn verdict(players: &Players) -> String {
    let families = players.families();
    let longest = families.iter().max_by_key(|(_, members)| members.len());
    let Some((family, [first, .., last])) = longest.map(|(family, members)| (family, &members[..])) else {
        return "No two versions of an engine can be compared.".to_owned();
    };
    let [old, new] = [first, last].map(|member| players.label(*member));
    let Some(lead) = players.ratings().difference(*last, *first) else {
        return format!("{new} and {old} cannot be compared.");
    };
    let text = lead_text(&lead);
    if lead.lower.value() > 0.0 {
        format!("{family} is stronger: {new} vs {old} is {text}.")
    } else if lead.upper.value() < 0.0 {
        format!("{family} is weaker: {new} vs {old} is {text}.")
    } else {
        format!("No clear change of {family}: {new} vs {old} is {text}.")
    }
}
