//! Ratings as aligned text.

use std::fmt;

use super::encounter_table::SkippedGames;
use super::rating_report::{RatingReport, ReportedPlayer};
use crate::text::number_text::{counted, elo, percent};
use crate::text::{Table, Tone};
use stats::Los;
use stats::ratings::{GroupLink, RatingScale};

/// The most players for whom the table of superiority fits a page.
const MOST_COMPARED: usize = 20;

/// Shows ratings to a person: a list for each group, what they are relative to, and what could not be rated.
#[derive(Clone, Copy, Debug)]
pub struct RatingText<'a> {
    report: &'a RatingReport,
    colour: bool,
}

impl<'a> RatingText<'a> {
    /// The text of a report, with or without colours.
    pub const fn new(report: &'a RatingReport, colour: bool) -> RatingText<'a> {
        RatingText { report, colour }
    }

    fn players_of(&self, group: Option<usize>) -> impl Iterator<Item = &'a ReportedPlayer> {
        self.report.players.iter().filter(move |player| player.group == group)
    }

    fn group(&self, group: usize) -> String {
        let headings = ["    Player", "Elo", "95%", "score", "games", "W", "D", "L", "better than next"];
        let mut table = Table::new(headings);
        let scale = self.report.groups[group].scale;
        for (place, player) in self.players_of(Some(group)).enumerate() {
            let [rating, error] = rating_cells(player, scale);
            let mut cells = vec![(format!("{:>2}  {}", place + 1, player.name), Tone::Plain)];
            cells.push((rating, Tone::Strong));
            cells.push((error, Tone::Plain));
            cells.push((player.score.map_or_else(String::new, percent), Tone::Plain));
            let results = player.results;
            for number in [results.games(), results.wins, results.draws, results.losses] {
                cells.push((number.to_string(), Tone::Plain));
            }
            cells.push((player.better_than_next.map_or_else(String::new, likelihood), Tone::Plain));
            table.row(cells);
        }
        table.text(self.colour)
    }

    /// What the ratings of a group are relative to.
    fn scale(&self, group: usize) -> String {
        let anchors: Vec<&str> = self
            .players_of(Some(group))
            .filter(|player| player.is_anchor)
            .map(|player| player.name.as_str())
            .collect();
        match (self.report.groups[group].scale, &anchors[..]) {
            (RatingScale::Average, _) => {
                "Elo and its error are relative to the average of these players.".to_owned()
            }
            (RatingScale::Anchors, [anchor]) => {
                format!("Elo is anchored at {anchor}, and its error is that of the difference from {anchor}.")
            }
            (RatingScale::Anchors, _) => {
                "Elo is anchored at the players whose rating was given, and its error is relative to them."
                    .to_owned()
            }
        }
    }

    fn first_move(&self) -> String {
        let advantage = self.report.white_advantage.map_or_else(
            || "The games do not tell what the first move is worth; it is taken to be nothing.".to_owned(),
            |advantage| format!("The first move is worth {} Elo.", elo(&advantage)),
        );
        let draws = self.report.draw_rate.map(|rate| format!(" Equal players draw {}.", percent(rate)));
        advantage + &draws.unwrap_or_default()
    }

    /// The likelihood that the player of the row is better than that of the column.
    fn superiority(&self) -> String {
        let places = self.report.players.iter().enumerate();
        let rated: Vec<_> = places.filter(|(_, player)| player.rating.is_some()).collect();
        if rated.len() < 3 || rated.len() > MOST_COMPARED {
            return String::new();
        }
        let numbers = (1..=rated.len()).map(|number| number.to_string());
        let mut table = Table::new([" %  better than".to_owned()].into_iter().chain(numbers));
        for (number, (one, player)) in rated.iter().enumerate() {
            let cells = rated.iter().map(|(other, _)| match self.report.superiority[*one][*other] {
                Some(los) => (hundredths(los), Tone::Plain),
                None => ("·".to_owned(), Tone::Faint),
            });
            let name = (format!("{:>2}  {}", number + 1, player.name), Tone::Plain);
            table.row([name].into_iter().chain(cells));
        }
        format!("\n{}", table.text(self.colour))
    }

    fn unrated(&self) -> String {
        let (idle, adrift): (Vec<_>, Vec<_>) =
            self.players_of(None).partition(|player| player.results.games() == 0);
        let list = |reason: &str, players: &[&ReportedPlayer]| {
            let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
            if names.is_empty() { String::new() } else { format!("  {reason}: {}\n", names.join(", ")) }
        };
        list("Without a game that counts", &idle)
            + &list("Joined to the others only by perfect scores in both directions", &adrift)
    }
}

impl fmt::Display for RatingText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players = counted(self.report.players.len() as u64, "player");
        writeln!(f, "  {} of {players}", counted(self.report.games, "game"))?;
        for (index, group) in self.report.groups.iter().enumerate() {
            writeln!(f)?;
            if self.report.groups.len() > 1 {
                let link = group.link.map(|link| format!(", which {}", link_text(link)));
                let heading = format!("Group {}{}", index + 1, link.unwrap_or_default());
                writeln!(f, "  {}", Tone::Strong.paint(&heading, self.colour))?;
            }
            write!(f, "{}", self.group(index))?;
            writeln!(f, "  {}", self.scale(index))?;
        }
        write!(f, "{}", self.superiority())?;
        writeln!(f, "\n  {}", self.first_move())?;
        let is_open =
            |player: &ReportedPlayer| player.rating.is_some_and(|rating| rating.margin().is_infinite());
        if self.report.players.iter().any(is_open) {
            writeln!(f, "  A rating that is only bounded belongs to a player that won, or lost, all games.")?;
        }
        write!(f, "{}{}", self.unrated(), left_out(self.report.skipped))
    }
}

/// The rating and its error; a bound takes the place of both.
fn rating_cells(player: &ReportedPlayer, scale: RatingScale) -> [String; 2] {
    let number = |value: f64| {
        // The zero that is added takes the sign from one that is negative.
        let tenths = (value * 10.0).round() / 10.0 + 0.0;
        match scale {
            RatingScale::Average => format!("{tenths:+.1}"),
            RatingScale::Anchors => format!("{tenths:.1}"),
        }
    };
    let Some(rating) = player.rating else { return [String::new(), String::new()] };
    match (rating.lower.value().is_finite(), rating.upper.value().is_finite()) {
        _ if player.is_anchor => [number(rating.elo.value()), "anchor".to_owned()],
        (true, true) => [number(rating.elo.value()), format!("± {:.1}", rating.margin())],
        (true, false) => [format!("above {}", number(rating.lower.value())), String::new()],
        _ => [format!("below {}", number(rating.upper.value())), String::new()],
    }
}

const fn link_text(link: GroupLink) -> &'static str {
    match link {
        GroupLink::NeverMet => "never met the first",
        GroupLink::Above => "is better than the first by an unknown amount: it never lost a point to it",
        GroupLink::Below => "is worse than the first by an unknown amount: it never took a point from it",
        GroupLink::Unclear => "cannot be put in order with the first: too few results join them",
    }
}

fn likelihood(los: Los) -> String {
    percent(los.probability())
}

/// `97.5`, and neither 0 nor 100 for what is not certain.
fn hundredths(los: Los) -> String {
    match los.probability() {
        certain @ (0.0 | 1.0) => format!("{:.1}", certain * 100.0),
        share => format!("{:.1}", (share * 100.0).clamp(0.1, 99.9)),
    }
}

fn left_out(skipped: SkippedGames) -> String {
    let reasons = [
        (skipped.without_result, "without a result"),
        (skipped.without_players, "without the names of the players"),
        (skipped.against_itself, "of a player against itself"),
        (skipped.after_decision, "that ended after the sequential test had decided"),
    ];
    let told = reasons.into_iter().filter(|(games, _)| *games > 0);
    let told: Vec<String> =
        told.map(|(games, reason)| format!("{} {reason}", counted(games, "game"))).collect();
    if told.is_empty() { String::new() } else { format!("  Left out: {}\n", told.join(", ")) }
}
