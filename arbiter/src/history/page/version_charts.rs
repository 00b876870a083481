//! Strength by version, one chart for each program with several.

use maud::{Markup, Render, html};

use super::contestants::Contestants;
use crate::html::Section;
use crate::html::plot::{Figure, IntervalChart, IntervalPoint};
use crate::report::verdict::lead_text;

/// The charts; nothing where no program has two versions.
pub fn section(contestants: &Contestants) -> Option<Section> {
    let families = contestants.families();
    if families.is_empty() {
        return None;
    }
    let html = html! {
        div.plots {
            @for (family, members) in &families { (chart(contestants, family, members)) }
        }
    };
    Some(Section::new("versions", "Versions", "Strength by version", &html))
}

fn chart(contestants: &Contestants, family: &str, members: &[usize]) -> Markup {
    let points = members.iter().filter_map(|&member| {
        let rating = contestants.ratings().players()[member].rating?;
        Some(IntervalPoint {
            name: short_label(&contestants.label(member)),
            value: rating.elo.value(),
            interval: [rating.lower.value(), rating.upper.value()],
        })
    });
    let chart = IntervalChart {
        description: format!("Rating of each version of {family} with its 95% interval"),
        x_label: "version".to_owned(),
        y_label: "Elo".to_owned(),
        points: points.collect(),
        colour: members.first().map_or(0, |member| contestants.colour(*member)),
    };
    let note = "From the oldest to the newest, by the number of the version or the date of its commit, or else as \
                the runs were given.";
    Figure { title: family, note, legend: &[], chart: &chart }.render()
}

/// What tells a version from others of the same family.
fn short_label(label: &str) -> String {
    match label.split_once('@') {
        Some((_, version)) => version.to_owned(),
        None => label.split_once(" (").map_or(label, |(_, rest)| rest.trim_end_matches(')')).to_owned(),
    }
}

/// How the newest version stands to the oldest, a whole sentence.
pub fn verdict(contestants: &Contestants) -> String {
    let families = contestants.families();
    let longest = families.iter().max_by_key(|(_, members)| members.len());
    let Some((family, [first, .., last])) = longest.map(|(family, members)| (family, &members[..])) else {
        return "No two versions of one program can be compared.".to_owned();
    };
    let [old, new] = [first, last].map(|member| contestants.label(*member));
    let Some(lead) = contestants.ratings().difference(*last, *first) else {
        return format!("{new} and {old} cannot be compared.");
    };
    let text = lead_text(&lead);
    if lead.lower.value() > 0.0 {
        format!("{family} has grown stronger: {new} against {old} is {text}.")
    } else if lead.upper.value() < 0.0 {
        format!("{family} has grown weaker: {new} against {old} is {text}.")
    } else {
        format!("Whether {family} has grown stronger cannot be told: {new} against {old} is {text}.")
    }
}
