//! The rating list as text, with Ordo's columns.

use std::fmt;

use super::rating_report::{RatingReport, ReportedPlayer};
use crate::rating::encounter_table::ExcludedGames;
use crate::report::page::rating::link_text;
use crate::text::number_text::{counted, elo, exact_elo, exact_percent, percent};
use crate::text::{Table, Tone};
use stats::Los;
use stats::ratings::RatingScale;

/// The most players for the CFS matrix.
const MOST_COMPARED: usize = 20;

/// Shows a rating list: a table for each group, the CFS matrix, and the players and games without a rating.
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
        let headings =
            [" #  PLAYER", "RATING", "ERROR", "POINTS", "PLAYED", "(%)", "CFS(%)", "W", "D", "L", "D(%)"];
        let mut table = Table::new(headings);
        let scale = self.report.groups[group].scale;
        for (place, player) in self.players_of(Some(group)).enumerate() {
            let [rating, error] = rating_cells(player, scale);
            let mut cells = vec![(format!("{:>2}  {}", place + 1, player.name), Tone::Plain)];
            cells.push((rating, Tone::Strong));
            cells.push((error, Tone::Plain));
            let results = player.results;
            let (games, points) = (results.games(), results.points());
            let draws = (games > 0).then(|| results.draws as f64 / games as f64);
            let plain = [
                format!("{points:.1}"),
                games.to_string(),
                percent_text(player.score),
                player.cfs_next.map_or_else(String::new, cfs),
                results.wins.to_string(),
                results.draws.to_string(),
                results.losses.to_string(),
                percent_text(draws),
            ];
            cells.extend(plain.map(|text| (text, Tone::Plain)));
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
        let is_rated =
            |player: &&ReportedPlayer| player.rating.is_some_and(|rating| rating.elo.value().is_finite());
        let rated: Vec<_> = self.players_of(Some(group)).filter(is_rated).collect();
        match (self.report.groups[group].scale, &anchors[..]) {
            (RatingScale::Average, _) if rated.len() == 1 => {
                format!("RATING is relative to {}.", rated[0].name)
            }
            (RatingScale::Average, _) => {
                "RATING and ERROR (95%) are relative to the average of these players.".to_owned()
            }
            (RatingScale::Anchors, [anchor]) => {
                format!("RATING and ERROR (95%) are relative to the anchor {anchor}.")
            }
            (RatingScale::Anchors, _) => "RATING and ERROR (95%) are relative to the anchors.".to_owned(),
        }
    }

    fn model(&self) -> String {
        let advantage = self.report.white_advantage.map_or_else(
            || "White advantage: unknown, because colours were never exchanged; 0 in the ratings".to_owned(),
            |advantage| {
                let bound =
                    if advantage.margin().is_infinite() { " (97.5%), which the ratings use" } else { "" };
                format!("White advantage: {} Elo{bound}", elo(&advantage))
            },
        );
        let draws =
            self.report.draw_rate.map(|rate| format!("\n  Draw rate (equal opponents): {}", percent(rate)));
        advantage + &draws.unwrap_or_default()
    }

    /// The difference and the LOS of two players, with the digits of `arbiter sprt`.
    fn write_match(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([first, second], Some(difference)) = (&self.report.players[..], self.report.difference) else {
            return Ok(());
        };
        let los = first.cfs_next.map(|los| format!(", LOS {}", exact_percent(los.probability())));
        let los = los.unwrap_or_default();
        writeln!(f, "\n  {} vs {}: Elo {}{los}", first.name, second.name, exact_elo(&difference))
    }

    /// The CFS of the player of the row over the player of the column.
    fn cfs_matrix(&self) -> String {
        let places = self.report.players.iter().enumerate();
        let rated: Vec<_> = places.filter(|(_, player)| player.rating.is_some()).collect();
        if rated.len() < 3 || rated.len() > MOST_COMPARED {
            return String::new();
        }
        let numbers = (1..=rated.len()).map(|number| number.to_string());
        let mut table = Table::new(["    CFS(%) over".to_owned()].into_iter().chain(numbers));
        for (number, (one, player)) in rated.iter().enumerate() {
            let cells = rated.iter().map(|(other, _)| match self.report.cfs[*one][*other] {
                Some(los) => (cfs(los), Tone::Plain),
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
        list("No rating, because no game is rated", &idle)
            + &list("No rating, because only scores of 0% and 100% connect the player to the others", &adrift)
    }
}

impl fmt::Display for RatingText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players = counted(self.report.players.len() as u64, "player");
        let found = match (self.report.pairs, self.report.shared_openings) {
            (0, _) => "no pairs found".to_owned(),
            (pairs, 0) => format!("{} found", counted(pairs, "pair")),
            (pairs, shared) => {
                format!("{} found, {} shared", counted(pairs, "pair"), counted(shared, "opening"))
            }
        };
        writeln!(f, "  {}, {players}; {found}", counted(self.report.games, "game"))?;
        for (index, group) in self.report.groups.iter().enumerate() {
            writeln!(f)?;
            if self.report.groups.len() > 1 {
                let link = group.link.map(|link| format!(", {}", link_text(link)));
                let heading = format!("Group {}{}", index + 1, link.unwrap_or_default());
                writeln!(f, "  {}", Tone::Strong.paint(&heading, self.colour))?;
            }
            write!(f, "{}", self.group(index))?;
            writeln!(f, "  {}", self.scale(index))?;
        }
        write!(f, "{}", self.cfs_matrix())?;
        self.write_match(f)?;
        writeln!(f, "\n  {}", self.model())?;
        let is_open =
            |player: &ReportedPlayer| player.rating.is_some_and(|rating| rating.margin().is_infinite());
        if self.report.players.iter().any(is_open) {
            writeln!(
                f,
                "  above, below: a bound, because points between the player and its group went only one way"
            )?;
        }
        write!(f, "{}{}", self.unrated(), excluded_text(self.report.excluded))
    }
}

/// The rating and its error, or a bound of the rating.
fn rating_cells(player: &ReportedPlayer, scale: RatingScale) -> [String; 2] {
    let number = |value: f64| {
        // Adding 0 removes the sign of a negative zero.
        let tenths = (value * 10.0).round() / 10.0 + 0.0;
        match scale {
            RatingScale::Average => format!("{tenths:+.1}"),
            RatingScale::Anchors => format!("{tenths:.1}"),
        }
    };
    let Some(rating) = player.rating else { return [String::new(), String::new()] };
    match (rating.lower.value().is_finite(), rating.upper.value().is_finite()) {
        _ if player.is_anchor => [number(rating.elo.value()), "anchor".to_owned()],
        (true, true) => [number(rating.elo.value()), format!("{:.1}", rating.margin())],
        (true, false) if rating.elo.value().is_finite() => {
            [number(rating.elo.value()), format!("above {}", number(rating.lower.value()))]
        }
        (false, true) if rating.elo.value().is_finite() => {
            [number(rating.elo.value()), format!("below {}", number(rating.upper.value()))]
        }
        (false, false) => [number(rating.elo.value()), "unknown".to_owned()],
        (true, false) => [format!("above {}", number(rating.lower.value())), String::new()],
        _ => [format!("below {}", number(rating.upper.value())), String::new()],
    }
}

/// `62.5` for a share of 0.625; empty if unknown.
fn percent_text(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!("{:.1}", share * 100.0))
}

/// `97.5`; never rounded to 0.0 or 100.0.
fn cfs(los: Los) -> String {
    format!("{:.1}", (los.probability() * 100.0).clamp(0.1, 99.9))
}

fn excluded_text(excluded: ExcludedGames) -> String {
    let reasons = [
        (excluded.without_result, "without a result"),
        (excluded.without_players, "without the name of a player"),
        (excluded.against_itself, "of a player against itself"),
        (excluded.after_decision, "finished after the SPRT had stopped"),
        (excluded.duplicates, "counted already"),
    ];
    let texts = reasons.into_iter().filter(|(games, _)| *games > 0);
    let texts: Vec<String> =
        texts.map(|(games, reason)| format!("{} {reason}", counted(games, "game"))).collect();
    if texts.is_empty() { String::new() } else { format!("  Excluded: {}\n", texts.join(", ")) }
}
