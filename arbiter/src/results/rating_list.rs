//! The rating list: the only place where players are rated.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::number_text::counted;
use stats::ratings::{Anchor, Clusters, DrawRate, GroupLink, PlayerRating, PoolRatings, RatingScale};
use stats::{EloEstimate, Los, PairableGame, UnclearRounds};

const MOST_COMPARED: usize = 100;

/// A rating list, as `arbiter rate --json` prints it. `schema` changes whenever a field changes its meaning or goes away;
/// infinite numbers are `"inf"` and `"-inf"`.
#[derive(Debug, JsonSchema, Serialize)]
pub struct RatingList {
    /// The version of this format.
    pub schema: u32,
    /// Rated games.
    pub games: u64,
    /// Pairs among the rated games: two games from one opening with colours reversed.
    pub pairs: u64,
    /// Openings that several pairings of players had, whose games count as one observation.
    pub shared_openings: u64,
    /// Games that repeat the players, moves and result of an earlier game. They add no information, so the ratings ignore
    /// them.
    pub repeated: u64,
    /// Games of PGN files whose round does not identify their pair.
    pub rounds: UnclearRounds,
    /// Games that are not rated, by reason.
    pub excluded: ExcludedGames,
    /// White's advantage, infinite with a finite bound if all decisive evidence points one way; `None` if colours were
    /// never exchanged.
    pub white_advantage: Option<EloEstimate>,
    /// The Elo difference between the players if there are only two, from their match as in `arbiter sprt`.
    pub difference: Option<EloEstimate>,
    /// The draw rate between equal players; `None` if no group has games.
    pub draw_rate: Option<DrawRate>,
    /// The groups, the largest first.
    pub groups: Vec<ListedGroup>,
    /// The players, group by group, the best first; players without a rating come last. A player who won every game is
    /// placed by the bound of its rating.
    pub players: Vec<ListedPlayer>,
    /// CFS, the chance for superiority, of each player over each other, in the order of `players`, from 0 to 1; `None`
    /// for a player over itself and for players that cannot be compared. Empty if more than 100 are listed.
    pub cfs: Vec<Vec<Option<Los>>>,
    /// Players left out of the list by the filters; their games count.
    pub unlisted: u64,
    #[serde(skip)]
    ratings: PoolRatings,
}

/// Games that are not rated, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ExcludedGames {
    /// Games without a result: unfinished, abandoned, or with an invalid result.
    pub without_result: u64,
    /// Games without the name of a player.
    pub without_players: u64,
    /// Games between two players of the same name.
    pub against_itself: u64,
    /// Games that finished after the SPRT of their run had stopped, which would bias the rating.
    pub after_decision: u64,
    /// Games that appear a second time, in this source or another one.
    #[serde(default)]
    pub duplicates: u64,
}

impl ExcludedGames {
    pub const fn total(&self) -> u64 {
        let ExcludedGames { without_result, without_players, against_itself, after_decision, duplicates } =
            *self;
        without_result + without_players + against_itself + after_decision + duplicates
    }

    /// `Excluded: 2 games without a result`; `None` if no game is excluded.
    pub fn in_words(&self) -> Option<String> {
        let reasons = [
            (self.without_result, "without a result"),
            (self.without_players, "without the name of a player"),
            (self.against_itself, "of a player against itself"),
            (self.after_decision, "finished after the SPRT had stopped"),
            (self.duplicates, "counted already"),
        ];
        let texts = reasons.into_iter().filter(|(games, _)| *games > 0);
        let texts: Vec<String> =
            texts.map(|(games, reason)| format!("{} {reason}", counted(games, "game"))).collect();
        (!texts.is_empty()).then(|| format!("Excluded: {}", texts.join(", ")))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ListedGroup {
    /// What the ratings are relative to: the average of the group, or its anchors.
    pub scale: RatingScale,
    /// How the group compares with the first; `None` for the first.
    pub link: Option<GroupLink>,
}

#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize)]
pub struct ListedPlayer {
    /// The name.
    pub name: String,
    #[serde(flatten)]
    pub rated: PlayerRating,
    /// Points per game, from 0 to 1; `None` if there are no games.
    pub score: Option<f64>,
    /// CFS over the next player of the list, from 0 to 1; `None` if they cannot be compared.
    pub cfs_next: Option<Los>,
    /// Its number among the players that were rated.
    #[serde(skip)]
    pub index: usize,
}

impl RatingList {
    pub const SCHEMA: u32 = 3;

    /// Rates players by the games of each source. Games and `anchors`, which hold given ratings, name players by index.
    pub fn new<'a>(
        names: &[impl AsRef<str>],
        sources: impl IntoIterator<Item = &'a [PairableGame]>,
        anchors: &BTreeMap<usize, Anchor>,
    ) -> RatingList {
        let sources: Vec<&[PairableGame]> = sources.into_iter().collect();
        let found = Clusters::of(sources.iter().copied());
        let ratings = PoolRatings::new(names.len(), &found.clusters, anchors);
        let rated = ratings.players();
        let (name, score) =
            (|player: usize| names[player].as_ref(), |player: usize| rated[player].score().unwrap_or(-1.0));
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&one, &other| {
            let by_rating = rated[one].best_first(&rated[other]);
            by_rating.then(score(other).total_cmp(&score(one))).then(name(one).cmp(name(other)))
        });
        let players = order.iter().map(|&index| ListedPlayer {
            name: name(index).to_owned(),
            rated: rated[index],
            score: rated[index].score(),
            cfs_next: None,
            index,
        });
        let groups = ratings.groups().iter();
        let mut list = RatingList {
            schema: RatingList::SCHEMA,
            games: sources.iter().map(|games| games.len() as u64).sum(),
            pairs: found.pairs,
            shared_openings: found.openings,
            repeated: found.repeated,
            rounds: found.rounds,
            excluded: ExcludedGames::default(),
            difference: match order[..] {
                [first, second] => ratings.difference(first, second),
                _ => None,
            },
            white_advantage: ratings.white_advantage(),
            draw_rate: ratings.draw_rate(),
            groups: groups.map(|group| ListedGroup { scale: group.scale, link: group.link }).collect(),
            players: players.collect(),
            cfs: Vec::new(),
            unlisted: 0,
            ratings,
        };
        list.compare();
        list
    }

    /// Finds the CFS of the listed players.
    fn compare(&mut self) {
        let order: Vec<usize> = self.players.iter().map(|player| player.index).collect();
        let compared = if order.len() <= MOST_COMPARED { &order[..] } else { &[] };
        let row = |&one: &usize| order.iter().map(|&other| self.ratings.superiority(one, other)).collect();
        self.cfs = compared.iter().map(row).collect();
        for (place, player) in self.players.iter_mut().enumerate() {
            let next = order.get(place + 1);
            player.cfs_next = next.and_then(|&next| self.ratings.superiority(player.index, next));
        }
    }

    /// Reduces the list to the first `most` wanted players. Ratings stay as they are.
    pub fn keep(&mut self, most: usize, is_wanted: impl Fn(&ListedPlayer) -> bool) {
        let (all, mut room) = (self.players.len(), most);
        self.players.retain(|player| {
            let is_kept = room > 0 && is_wanted(player);
            room -= usize::from(is_kept);
            is_kept
        });
        self.unlisted += (all - self.players.len()) as u64;
        self.compare();
    }

    /// The players of a group, or without a group the unrated players, the best first.
    pub fn players_of(&self, group: Option<usize>) -> impl Iterator<Item = &ListedPlayer> {
        self.players.iter().filter(move |player| player.rated.group == group)
    }

    pub fn rating_of(&self, player: usize) -> PlayerRating {
        self.ratings.players()[player]
    }

    /// The difference of two players by index, with its 95% interval; `None` if they cannot be compared.
    pub fn difference_of(&self, one: usize, other: usize) -> Option<EloEstimate> {
        self.ratings.difference(one, other)
    }

    /// The name of a group, and how it compares with the first: `Group 2, no games against group 1`.
    pub fn group_name(&self, group: usize) -> String {
        let link = match self.groups[group].link {
            None => "",
            Some(GroupLink::NeverMet) => ", no games against group 1",
            Some(GroupLink::Above) => {
                ", stronger than group 1 by an unknown amount: it scored 100% against it"
            }
            Some(GroupLink::Below) => ", weaker than group 1 by an unknown amount: it scored 0% against it",
            Some(GroupLink::Unclear) => ", not comparable with group 1: too few results connect them",
        };
        format!("Group {}{link}", group + 1)
    }
}
