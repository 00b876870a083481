//! The ratings of versions as a table, as CSV, and on the HTML page of several runs.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use maud::{Markup, Render, html};

use super::players::{RatedPlayers, RatedRun};
use crate::files::write_whole;
use crate::folder::ReportError;
use crate::html::plot::{Figure, IntervalChart, IntervalPoint};
use crate::html::{Page, Section};
use crate::report::page::{RatingRow, RatingTable};
use crate::report::verdict::lead_text;
use crate::results::RunResults;
use crate::text::number_text::{Estimate, counted, elo, limits_of_run, percent};
use crate::text::{Table, Tone, csv_text};
use stats::EloEstimate;
use stats::ratings::PlayerRating;

const SUBJECT: usize = 50;

#[derive(Clone, Debug, PartialEq)]
pub struct RatedVersion {
    pub hash: String,
    pub date: Timestamp,
    pub subject: String,
    pub name: String,
    /// The rating of the version's program; `None` if that has not played.
    pub player: Option<PlayerRating>,
    /// The older version with the same program, whose games count for both.
    pub same_as: Option<String>,
}

impl RatedVersion {
    /// The date of the commit in the local time zone.
    pub fn day(&self) -> String {
        self.date.to_zoned(TimeZone::system()).strftime("%Y-%m-%d").to_string()
    }

    pub fn rating(&self) -> String {
        let rating = self.player.and_then(|player| player.rating);
        match (&self.same_as, rating) {
            (Some(older), _) => format!("same program as {older}"),
            _ if self.player.is_some_and(|player| player.is_anchor) => "0 (reference)".to_owned(),
            (None, Some(rating)) => elo(&rating),
            (None, None) => "unknown".to_owned(),
        }
    }

    fn games(&self) -> u64 {
        self.player.map_or(0, |player| player.results.games())
    }

    fn score(&self) -> Option<f64> {
        self.player?.score()
    }
}

pub fn versions_table(versions: &[RatedVersion]) -> Table {
    let headings = ["Version", "Committed", "Elo (95%)", "Games", "Score", "Subject"];
    let mut table = Table::new(headings).left(&[5]);
    for version in versions {
        table.row([
            (version.name.clone(), Tone::Plain),
            (version.day(), Tone::Plain),
            (version.rating(), Tone::Strong),
            (version.games().to_string(), Tone::Plain),
            (version.score().map_or_else(String::new, percent), Tone::Plain),
            (version.subject.chars().take(SUBJECT).collect(), Tone::Faint),
        ]);
    }
    table
}

/// One row for each version. Dates are in UTC; infinite numbers are `inf` and `-inf`, unknown values are empty.
pub fn versions_csv(versions: &[RatedVersion]) -> csv::Result<String> {
    let rows = versions.iter().map(|version| {
        let RatedVersion { hash, date, subject, name, player, .. } = version;
        let rating = player.and_then(|player| player.rating);
        let ends = rating.map(|rating| rating.with_ends().map(|value| format!("{value:.2}")));
        let score = version.score().map(|score| format!("{score:.4}"));
        (name, hash, date.to_string(), ends.unwrap_or_default(), version.games(), score, subject)
    });
    csv_text("version,commit,committed,elo,lower,upper,games,score,subject", rows)
}

/// Several runs, ready to be written as a page.
///
/// The games of all runs are rated together, so that versions without games against each other are compared through
/// common opponents.
#[derive(Debug)]
pub struct HistoryReport {
    runs: Vec<RatedRun>,
    pub players: RatedPlayers,
    pub versions: Vec<RatedVersion>,
}

impl HistoryReport {
    /// The history of the runs in these folders, the oldest versions first.
    pub fn of_folders(folders: &[PathBuf]) -> Result<HistoryReport, ReportError> {
        let mut runs = Vec::new();
        for folder in folders {
            let facts = RunResults::read_with_facts(folder)?.facts;
            runs.extend(facts.map(|facts| RatedRun::new(folder.clone(), *facts)));
        }
        Ok(HistoryReport::of(runs))
    }

    fn of(runs: Vec<RatedRun>) -> HistoryReport {
        HistoryReport { players: RatedPlayers::of(&runs), runs, versions: Vec::new() }
    }

    pub fn write(&self, file: &Path) -> Result<(), ReportError> {
        write_whole(file, self.html()).map_err(ReportError::at(file))
    }

    fn ratings(players: &RatedPlayers) -> Section {
        let note = "Maximum-likelihood ratings of the games of all runs, with 95% intervals. The oldest version is 0; if no \
                    engine has two versions, the average is 0. Programs with the same name but another SHA-256 or other options are different players.";
        let groups = (0..players.ratings.groups.len()).map(Some).chain([None]);
        let tables: Vec<RatingTable> =
            groups.filter_map(|group| HistoryReport::table(players, group)).collect();
        let body = html! {
            p { (note) }
            @if tables.len() > 1 {
                p {
                    "Ratings of different tables cannot be compared: no games connect them, or one side won all of \
                     these games."
                }
            }
            @for table in &tables { (table) }
        };
        Section::new("ratings", "Ratings", "Ratings", &body)
    }

    fn table(all: &RatedPlayers, group: Option<usize>) -> Option<RatingTable> {
        let rows = all.ratings.players_of(group).enumerate().map(|(place, player)| {
            let score = player.score.map_or("–".to_owned(), percent);
            let cells = vec![player.rated.results.games().to_string(), score];
            let name = format!("{}. {}", place + 1, all.label(player.index));
            RatingRow::new(name, all.colour(player.index), player.rated.rating, cells)
        });
        let rows: Vec<RatingRow> = rows.collect();
        let headings = vec!["Elo", "Games", "Score"];
        (!rows.is_empty()).then_some(RatingTable { headings, rows, has_swatches: true })
    }

    fn runs(&self) -> Section {
        let mut table = Table::new(["Date", "Engines", "Limits", "Games", "Folder"]).left(&[1, 2, 4]);
        for RatedRun { folder, config, games, .. } in &self.runs {
            let made = config.made.as_ref();
            let names: Vec<&str> = config.engines.iter().map(|engine| engine.name.as_str()).collect();
            table.plain([
                made.map_or_else(String::new, |made| made.date.strftime("%Y-%m-%d %H:%M").to_string()),
                names.join(", "),
                limits_of_run(config),
                games.to_string(),
                folder.display().to_string(),
            ]);
        }
        Section::new("runs", "Runs", "Runs", &table.render())
    }

    pub fn html(&self) -> String {
        let players = &self.players;
        let games: u64 = self.runs.iter().map(|run| run.games).sum();
        let title = verdict(players);
        let header = html! {
            p.over { "History of " (counted(self.runs.len() as u64, "run")) }
            h1 { (title) }
            @if let Some(step) = largest_step(players) { p.state { (step) } }
            p.state { (counted(games, "game")) " between " (counted(players.count() as u64, "player")) }
        };
        let commits = (!self.versions.is_empty())
            .then(|| Section::new("commits", "Commits", "Commits", &versions_table(&self.versions).render()));
        let sections =
            [version_charts(players), commits, Some(HistoryReport::ratings(players)), Some(self.runs())];
        let sections = sections.into_iter().flatten().collect();
        Page { title: &title, header, sections }.html()
    }
}

fn version_charts(players: &RatedPlayers) -> Option<Section> {
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

fn chart(players: &RatedPlayers, family: &str, members: &[usize]) -> Markup {
    let points = members.iter().filter_map(|&member| {
        let rating = players.ratings.rating_of(member).rating?;
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

fn short_label(label: &str) -> String {
    match label.split_once('@') {
        Some((_, version)) => version.to_owned(),
        None => label.split_once(" (").map_or(label, |(_, rest)| rest.trim_end_matches(')')).to_owned(),
    }
}

/// A sentence that compares the newest version with the oldest one.
pub fn verdict(players: &RatedPlayers) -> String {
    let families = players.families();
    let longest = families.iter().max_by_key(|(_, members)| members.len());
    let Some([first, .., last]) = longest.map(|(_, members)| &members[..]) else {
        return "No two versions of an engine can be compared.".to_owned();
    };
    let [old, new] = [first, last].map(|member| players.label(*member));
    let Some(lead) = players.ratings.difference_of(*last, *first) else {
        return format!("{new} and {old} cannot be compared.");
    };
    let Some(text) = lead_text(&lead) else {
        return format!("{new} and {old} have too few games to be told apart.");
    };
    if lead.lower.value() > 0.0 {
        format!("{new} is stronger than {old}: {text}.")
    } else if lead.upper.value() < 0.0 {
        format!("{new} is weaker than {old}: {text}.")
    } else {
        format!("{new} cannot be told from {old}: {text}.")
    }
}

/// A sentence about the largest change in strength between two consecutive versions.
pub fn largest_step(players: &RatedPlayers) -> Option<String> {
    let families = players.families();
    let (_, members) = families.iter().max_by_key(|(_, members)| members.len())?;
    let steps = members.windows(2).filter_map(|step| {
        let change = players.ratings.difference_of(step[1], step[0])?;
        lead_text(&change).map(|text| (step, change, text))
    });
    let steps: Vec<_> = steps.filter(|(_, change, _)| change.elo.value().is_finite()).collect();
    let largest = |(_, change, _): &&(&[usize], EloEstimate, String)| change.elo.value().abs();
    let (step, change, text) = steps
        .iter()
        .max_by(|one, other| largest(one).total_cmp(&largest(other)))
        .filter(|_| steps.len() > 1)?;
    let [old, new] = [step[0], step[1]].map(|member| players.label(member));
    let is_clear = change.lower.value() > 0.0 || change.upper.value() < 0.0;
    let unclear = if is_clear { "" } else { ", which may be chance" };
    Some(format!("The largest of {} changes is from {old} to {new}: {text}{unclear}.", steps.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::markup_check::problems;
    use crate::results::test_games::{config, facts_of, two_engine_match};

    fn run(names: &[&str], results: &str) -> RatedRun {
        RatedRun::new("results/<i>".into(), facts_of(&config(names, false), two_engine_match(results)))
    }

    #[test]
    fn the_newest_version_is_compared_with_the_oldest() {
        let runs = vec![
            run(&["t@v2.0", "t@v1.0"], &"wwdl".repeat(40)),
            run(&["t@v3.0", "t@v2.0"], &"wwdl".repeat(40)),
        ];
        let html = HistoryReport::of(runs).html();
        assert_eq!(problems(&html), Vec::<String>::new());
        let sentence = "t@v3.0 is stronger than t@v1.0: +";
        assert!(html.contains(&format!("<h1>{sentence}")) && html.contains(&format!("<title>{sentence}")));
        assert!(html.contains("The largest of 2 changes is from t@v"), "{html}");
        assert_eq!(html.matches("<circle").count(), 3);
        assert!(html.contains("results/&lt;i&gt;") && !html.contains("<i>"));
    }

    #[test]
    fn versions_that_no_games_connect_few_games_and_none_have_a_page_without_a_change() {
        let html = HistoryReport::of(vec![run(&["t@a", "x"], "wdlw"), run(&["t@b", "y"], "wdlw")]).html();
        assert_eq!(problems(&html), Vec::<String>::new());
        assert!(html.contains("<h1>No two versions of an engine can be compared.</h1>"), "{html}");
        assert_eq!(html.matches("class=\"bars\"").count(), 2);
        assert!(html.contains("Ratings of different tables cannot be compared"));
        let html = HistoryReport::of(vec![run(&["t@v2.0", "t@v1.0"], "wwwl")]).html();
        let sentence = "<h1>t@v2.0 and t@v1.0 have too few games to be told apart.</h1>";
        assert!(html.contains(sentence), "{html}");
        let html = HistoryReport::of(vec![run(&["a", "b"], ""), run(&["a", "c"], "")]).html();
        assert_eq!(problems(&html), Vec::<String>::new());
        assert!(!html.contains("NaN"));
    }
}
