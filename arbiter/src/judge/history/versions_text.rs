//! The ratings of versions in the order of their dates, as a table and as CSV.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::rating::rate::ReportedPlayer;
use crate::text::csv_text;
use crate::text::number_text::{Estimate, elo, percent};
use crate::text::{Table, Tone};

const SUBJECT: usize = 50;

#[derive(Clone, Debug, PartialEq)]
pub struct RatedVersion {
    pub hash: String,
    pub date: Timestamp,
    pub subject: String,
    pub player: ReportedPlayer,
    /// The older version that is the same program, and played for both.
    pub same_as: Option<String>,
}

impl RatedVersion {
    /// The day of the commit in the zone of this system.
    pub fn day(&self) -> String {
        self.date.to_zoned(TimeZone::system()).strftime("%Y-%m-%d").to_string()
    }

    /// The rating, or the version that played for this one.
    pub fn rating(&self) -> String {
        match (&self.same_as, self.player.rating) {
            (Some(older), _) => format!("same program as {older}"),
            _ if self.player.is_anchor => "0 (reference)".to_owned(),
            (None, Some(rating)) => elo(&rating),
            (None, None) => "unknown".to_owned(),
        }
    }
}

pub fn versions_table(versions: &[RatedVersion]) -> Table {
    let headings = ["Version", "Committed", "Elo (95%)", "Games", "Score", "Subject"];
    let mut table = Table::new(headings).left(&[5]);
    for version in versions {
        let RatedVersion { subject, player, .. } = version;
        table.row([
            (player.name.clone(), Tone::Plain),
            (version.day(), Tone::Plain),
            (version.rating(), Tone::Strong),
            (player.results.games().to_string(), Tone::Plain),
            (player.score.map_or_else(String::new, percent), Tone::Plain),
            (subject.chars().take(SUBJECT).collect(), Tone::Faint),
        ]);
    }
    table
}

/// Dates are in UTC; infinite numbers are `inf` and `-inf`, unknown values are empty.
pub fn versions_csv(versions: &[RatedVersion]) -> csv::Result<String> {
    let rows = versions.iter().map(|version| {
        let RatedVersion { hash, date, subject, player, .. } = version;
        let ends = player.rating.map(|rating| rating.with_ends().map(|value| format!("{value:.2}")));
        let score = player.score.map(|score| format!("{score:.4}"));
        let (committed, games) = (date.to_string(), player.results.games());
        (&player.name, hash, committed, ends.unwrap_or_default(), games, score, subject)
    });
    csv_text("version,commit,committed,elo,lower,upper,games,score,subject", rows)
}
