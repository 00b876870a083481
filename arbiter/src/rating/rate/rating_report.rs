//! The rating list, as `arbiter rate --json` prints it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::rating::encounter_table::{EncounterTable, ExcludedGames};
use stats::ratings::{GroupLink, PlayerRating, RatingList, RatingScale};
use stats::{Elo, EloEstimate, Los, Wdl};

/// The most players for the CFS matrix.
const MOST_COMPARED: usize = 100;

/// The rating list. `schema` changes whenever a field changes its meaning or goes away; infinite numbers are
/// `"inf"` and `"-inf"`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingReport {
    pub schema: u32,
    pub games: u64,
    /// Pairs among them: two games from one opening with colours reversed.
    pub pairs: u64,
    /// Openings that several pairings of players had, whose games count as one observation.
    pub shared_openings: u64,
    pub excluded: ExcludedGames,
    /// The advantage of White, infinite with a bound if all that could tell it went one way; `None` if colours were never
    /// exchanged.
    pub white_advantage: Option<EloEstimate>,
    /// The difference of two players, if there are two: that of their match, as `arbiter sprt` has it.
    pub difference: Option<EloEstimate>,
    /// The draw rate between equal players, from 0 to 1.
    pub draw_rate: Option<f64>,
    /// The groups of players whose ratings can be compared.
    pub groups: Vec<ReportedGroup>,
    /// The players, group by group, the best first; those without a rating come last.
    pub players: Vec<ReportedPlayer>,
    /// CFS, the chance for superiority, of each player over each, in the order of `players`, from 0 to 1; `None` for a
    /// player over itself and for players that cannot be compared. Empty for more than 100 players.
    pub cfs: Vec<Vec<Option<Los>>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportedGroup {
    /// What the ratings are relative to.
    pub scale: RatingScale,
    /// How the group compares with the first; `None` for the first.
    pub link: Option<GroupLink>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportedPlayer {
    pub name: String,
    pub group: Option<usize>,
    pub is_anchor: bool,
    /// The rating with its 95% interval, relative to what the scale of the group says.
    pub rating: Option<EloEstimate>,
    pub results: Wdl,
    pub score: Option<f64>,
    /// CFS over the next player of the list, from 0 to 1; `None` if they cannot be compared.
    pub cfs_next: Option<Los>,
}

impl RatingReport {
    pub const SCHEMA: u32 = 2;

    /// Rates the players of a table. `anchors` has fixed ratings by the index of the player.
    pub fn new(table: &EncounterTable, anchors: &BTreeMap<usize, Elo>) -> RatingReport {
        let names: Vec<&str> = table.players().collect();
        let found = table.clusters();
        let ratings = RatingList::new(names.len(), &found.clusters, anchors);
        let mut order: Vec<usize> = (0..names.len()).collect();
        let rated = ratings.players();
        order.sort_by(|&one, &other| rated[one].best_first(&rated[other]).then(names[one].cmp(names[other])));
        let players = order.iter().enumerate().map(|(place, &player)| {
            let PlayerRating { results, rating, group, is_anchor } = rated[player];
            let next = order.get(place + 1);
            let cfs_next = next.and_then(|&next| ratings.superiority(player, next));
            let (name, score) = (names[player].to_owned(), rated[player].score());
            ReportedPlayer { name, group, is_anchor, rating, results, score, cfs_next }
        });
        let row = |&one: &usize| order.iter().map(|&other| ratings.superiority(one, other)).collect();
        let compared = if names.len() <= MOST_COMPARED { &order[..] } else { &[] };
        let groups = ratings.groups().iter();
        RatingReport {
            schema: RatingReport::SCHEMA,
            games: table.games(),
            pairs: found.pairs,
            shared_openings: found.openings,
            excluded: table.excluded(),
            difference: match order[..] {
                [first, second] => ratings.difference(first, second),
                _ => None,
            },
            white_advantage: ratings.white_advantage(),
            draw_rate: ratings.draw_rate(),
            groups: groups.map(|group| ReportedGroup { scale: group.scale, link: group.link }).collect(),
            players: players.collect(),
            cfs: compared.iter().map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::PgnGames;

    fn table(games: &[(&str, &str, &str)]) -> EncounterTable {
        let mut table = EncounterTable::default();
        for (white, black, result) in games {
            let game = format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n");
            table.add_pgn(PgnGames::new("x", game.as_bytes())).unwrap();
        }
        table
    }

    fn pool() -> EncounterTable {
        table(&[
            ("b", "a", "0-1"),
            ("a", "b", "1/2-1/2"),
            ("a", "c", "0-1"),
            ("c", "b", "1-0"),
            ("b", "c", "1/2-1/2"),
            ("d", "a", "0-1"),
            ("x", "y", "1/2-1/2"),
            ("y", "x", "1-0"),
            ("z", "a", "*"),
        ])
    }

    #[test]
    fn the_best_come_first_and_those_without_a_rating_last() {
        let report = RatingReport::new(&pool(), &BTreeMap::new());
        let names: Vec<&str> = report.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["c", "a", "b", "d", "y", "x", "z"]);
        assert!(report.players[3].rating.unwrap().elo.value().is_infinite());
        assert_eq!(report.players[6].group, None);
        assert_eq!(report.cfs[0][1], report.players[0].cfs_next);
        assert_eq!(report.cfs[0][4], None);
    }

    #[test]
    fn the_fields_are_those_of_the_version_and_read_back() {
        let report = RatingReport::new(&pool(), &BTreeMap::from([(0, Elo::new(2500.0))]));
        let json = serde_json::to_string_pretty(&report).unwrap();
        assert!(json.contains("\"-inf\""), "an open-ended rating");
        assert_eq!(serde_json::from_str::<RatingReport>(&json).unwrap(), report);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(value["schema"], 2);
        insta::assert_debug_snapshot!([
            keys(&value),
            keys(&value["excluded"]),
            keys(&value["groups"][0]),
            keys(&value["players"][0]),
            keys(&value["players"][0]["rating"]),
        ]);
    }
}
