//! The ratings of versions in the order of their dates, as text and as CSV.

use std::fmt;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::rating::rate::ReportedPlayer;
use crate::text::number_text::{elo, percent};
use crate::text::{Table, Tone};

/// The most characters of a subject that are shown.
const SUBJECT: usize = 50;

/// A version and its rating.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedVersion {
    /// The hash of its commit.
    pub hash: String,
    pub date: Timestamp,
    /// The first line of the commit's message.
    pub subject: String,
    /// Its rating, relative to the oldest version.
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

/// Shows the ratings of the versions, the oldest first.
#[derive(Clone, Copy, Debug)]
pub struct VersionsText<'a> {
    /// The versions, by date.
    pub versions: &'a [RatedVersion],
    pub colour: bool,
}

impl VersionsText<'_> {
    /// A row for each version: commit, date in UTC, rating with its interval, games, score and subject. Infinite
    /// numbers are `inf` and `-inf`; unknown values are empty.
    pub fn csv(&self) -> csv::Result<String> {
        let mut rows = csv::Writer::from_writer(Vec::new());
        let heading =
            ["version", "commit", "committed", "elo", "lower", "upper", "games", "score", "subject"];
        rows.write_record(heading)?;
        for version in self.versions {
            let rating = version.player.rating;
            let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}"));
            let row = [
                version.player.name.clone(),
                version.hash.clone(),
                version.date.to_string(),
                number(rating.map(|rating| rating.elo.value())),
                number(rating.map(|rating| rating.lower.value())),
                number(rating.map(|rating| rating.upper.value())),
                version.player.results.games().to_string(),
                version.player.score.map_or_else(String::new, |score| format!("{score:.4}")),
                version.subject.clone(),
            ];
            rows.write_record(row)?;
        }
        let bytes = rows.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl fmt::Display for VersionsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["Version", "Committed", "Elo (95%)", "Games", "Score", "Subject"]);
        for version in self.versions {
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
        f.write_str(&table.text(self.colour))
    }
}
