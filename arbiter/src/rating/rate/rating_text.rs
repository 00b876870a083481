//! A rating list as a document with Ordo's columns.

use crate::results::{ListedPlayer, RatingList};
use crate::text::number_text::{self, counted, elo_or_bound, elo_to, in_elo, known_elo_to, percent, signed};
use crate::text::{Document, Table, Tone};
use stats::ratings::{DrawRate, RatingScale};
use stats::{Elo, Los};

/// The most groups that get their own table.
const MOST_GROUPS: usize = 8;

const MOST_IN_MATRIX: usize = 20;

impl RatingList {
    /// A table per group, the CFS matrix, and the players and games without a rating.
    pub fn document(&self) -> Document {
        let mut document = Document::default();
        let players = counted(self.players.len() as u64 + self.unlisted, "player");
        let found = match (self.pairs, self.shared_openings) {
            (0, _) => "no pairs found".to_owned(),
            (pairs, 0) => format!("{} found", counted(pairs, "pair")),
            (pairs, shared) => {
                format!("{} found, {} shared", counted(pairs, "pair"), counted(shared, "opening"))
            }
        };
        document.line(format!("{}, {players}; {found}", counted(self.games, "game")));
        document.lines(number_text::unclear_rounds(self.rounds));
        document.lines(number_text::repeated_games(self.repeated));
        document.lines((self.unlisted > 0).then(|| {
            format!("{} not listed, as asked; their games count", counted(self.unlisted, "player"))
        }));
        let listed: Vec<usize> =
            (0..self.groups.len()).filter(|&index| self.players_of(Some(index)).next().is_some()).collect();
        let (shown, others) = listed.split_at(listed.len().min(MOST_GROUPS));
        for &index in shown {
            document.gap();
            if self.groups.len() > 1 {
                document.heading(self.group_name(index));
            }
            document.table(self.group(index));
            document.line(self.scale(index));
        }
        if !others.is_empty() {
            let players: usize = others.iter().map(|&group| self.players_of(Some(group)).count()).sum();
            document.gap();
            document.line(format!(
                "{} of {} not shown, the largest with {}; --only NAME shows a player, --json has all",
                counted(others.len() as u64, "smaller group"),
                counted(players as u64, "player"),
                counted(self.players_of(Some(others[0])).count() as u64, "player")
            ));
        }
        if let Some(matrix) = self.cfs_matrix() {
            document.gap();
            document.table(matrix);
        }
        if let Some(line) = self.of_two() {
            document.gap();
            document.line(line);
            let unpaired = self.games.saturating_sub(2 * self.pairs + self.repeated);
            if self.pairs > 0 && unpaired > 0 {
                let games = counted(unpaired, "unpaired game");
                document
                    .line(format!("{games}: in POINTS and PLAYED only, since pairs are rated as in a match"));
            }
        }
        document.gap();
        document.lines(self.model());
        let is_open =
            |player: &ListedPlayer| player.rated.rating.is_some_and(|rating| rating.margin().is_infinite());
        if self.players.iter().any(is_open) {
            document.line(
                "above, below: a bound, because points between the player and its group went only one way",
            );
        }
        document.lines(self.unrated());
        document.lines(self.excluded.in_words());
        document
    }

    fn group(&self, group: usize) -> Table {
        let mut table = Table::new([
            " #  PLAYER", "RATING", "ERROR", "POINTS", "PLAYED", "(%)", "CFS(%)", "W", "D", "L", "D(%)",
        ]);
        let scale = self.groups[group].scale;
        for (place, player) in self.players_of(Some(group)).enumerate() {
            let [rating, error] = rating_cells(player, scale);
            let results = player.rated.results;
            let games = results.games();
            let draws = (games > 0).then(|| results.draws as f64 / games as f64);
            let plain = [
                error,
                format!("{:.1}", results.points()),
                games.to_string(),
                percent_text(player.score),
                player.cfs_next.map_or_else(String::new, cfs),
                results.wins.to_string(),
                results.draws.to_string(),
                results.losses.to_string(),
                percent_text(draws),
            ];
            let name = format!("{:>2}  {}", place + 1, player.name);
            let first = [(name, Tone::Plain), (rating, Tone::Strong)];
            table.row(first.into_iter().chain(plain.map(|text| (text, Tone::Plain))));
        }
        table
    }

    fn scale(&self, group: usize) -> String {
        let names = |is_meant: fn(&ListedPlayer) -> bool| {
            let meant = self.players_of(Some(group)).filter(|player| is_meant(player));
            meant.map(|player| player.name.as_str()).collect::<Vec<_>>()
        };
        let rated = names(|player| player.rated.rating.is_some_and(|rating| rating.elo.value().is_finite()));
        let to = match (self.groups[group].scale, &names(|player| player.rated.is_anchor)[..], &rated[..]) {
            (RatingScale::Average, _, [rated]) => return format!("RATING is relative to {rated}."),
            (RatingScale::Average, ..) => "the average of these players".to_owned(),
            (RatingScale::Anchors, [anchor], _) => format!("the anchor {anchor}"),
            (RatingScale::Anchors, ..) => "the anchors".to_owned(),
        };
        format!("RATING and ERROR (95%) are relative to {to}.")
    }

    fn model(&self) -> Vec<String> {
        let advantage = match self.white_advantage {
            None => "unknown, because colours were never exchanged; 0 in the ratings".to_owned(),
            Some(advantage) if advantage.margin().is_infinite() => {
                let may_be_0 = advantage.lower.value() <= 0.0 && advantage.upper.value() >= 0.0;
                let used = if may_be_0 { "; 0 in the ratings" } else { ", which the ratings use" };
                format!("{} (97.5%){used}", elo_or_bound(&advantage))
            }
            Some(advantage) => in_elo(&advantage),
        };
        let draws = self.draw_rate.map(|DrawRate { rate, lower, upper }| {
            let share = |share: f64| format!("{:.1}", 100.0 * share);
            format!("Draw rate (equal opponents): {} [{}, {}]", percent(rate), share(lower), share(upper))
        });
        [format!("White advantage: {advantage}")].into_iter().chain(draws).collect()
    }

    /// The Elo difference and LOS of two players, with the digits of `arbiter sprt`.
    fn of_two(&self) -> Option<String> {
        let [first, second] = &self.players[..] else { return None };
        let difference = self.difference?;
        let difference = known_elo_to(&difference, 2)
            .map_or_else(|| elo_to(&difference, 2), |difference| format!("Elo {difference}"));
        let los = first.cfs_next.map(|los| format!(", LOS {}", number_text::los(los, 2)));
        Some(format!("{} vs {}: {difference}{}", first.name, second.name, los.unwrap_or_default()))
    }

    fn cfs_matrix(&self) -> Option<Table> {
        let places = self.players.iter().enumerate();
        let rated: Vec<_> = places.filter(|(_, player)| player.rated.rating.is_some()).collect();
        if !(3..=MOST_IN_MATRIX).contains(&rated.len()) {
            return None;
        }
        let numbers = (1..=rated.len()).map(|number| number.to_string());
        let mut table = Table::new(["    CFS(%) over".to_owned()].into_iter().chain(numbers));
        for (number, (one, player)) in rated.iter().enumerate() {
            let cells = rated.iter().map(|(other, _)| match self.cfs[*one][*other] {
                Some(los) => (cfs(los), Tone::Plain),
                None => ("·".to_owned(), Tone::Faint),
            });
            let name = (format!("{:>2}  {}", number + 1, player.name), Tone::Plain);
            table.row([name].into_iter().chain(cells));
        }
        Some(table)
    }

    fn unrated(&self) -> Vec<String> {
        let (idle, adrift): (Vec<_>, Vec<_>) =
            self.players_of(None).partition(|player| player.rated.results.games() == 0);
        let reasons = [
            ("no game is rated", idle),
            ("only scores of 0% and 100% connect the player to the others", adrift),
        ];
        let reasons = reasons.into_iter().filter(|(_, players)| !players.is_empty());
        let line = |(reason, players): (&str, Vec<&ListedPlayer>)| {
            let mut names: Vec<&str> =
                players.iter().take(MOST_IN_MATRIX).map(|player| player.name.as_str()).collect();
            let others = (players.len() - names.len()).to_string() + " more";
            if players.len() > names.len() {
                names.push(&others);
            }
            format!("No rating, because {reason}: {}", names.join(", "))
        };
        reasons.map(line).collect()
    }
}

fn rating_cells(player: &ListedPlayer, scale: RatingScale) -> [String; 2] {
    let number = |value: f64| match scale {
        RatingScale::Average => signed(value, 1),
        RatingScale::Anchors => signed(value, 1).replace('+', ""),
    };
    let Some(rating) = player.rated.rating else { return [String::new(), String::new()] };
    let [value, lower, upper] = [rating.elo, rating.lower, rating.upper].map(Elo::value);
    match (lower.is_finite(), upper.is_finite()) {
        _ if player.rated.is_anchor => [number(value), "anchor".to_owned()],
        (true, true) => [number(value), format!("{:.1}", rating.margin())],
        (true, false) if value.is_finite() => [number(value), format!("above {}", number(lower))],
        (false, true) if value.is_finite() => [number(value), format!("below {}", number(upper))],
        (false, false) => [number(value), "unknown".to_owned()],
        (true, false) => [format!("above {}", number(lower)), String::new()],
        (false, true) => [format!("below {}", number(upper)), String::new()],
    }
}

/// `62.5` for a share of 0.625; empty if the share is unknown.
fn percent_text(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!("{:.1}", share * 100.0))
}

/// `97.5`, never rounded to 0.0 or 100.0.
fn cfs(los: Los) -> String {
    format!("{:.1}", (los.probability() * 100.0).clamp(0.1, 99.9))
}
