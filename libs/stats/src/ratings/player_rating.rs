//! The rating of one player.

use std::cmp::Ordering;

use crate::{Elo, EloEstimate, Wdl};

/// A rating that is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The rating.
    pub elo: Elo,
    /// Its standard error in Elo; 0 fixes the rating. A loose anchor, with an error above 0, is an observation like games: its
    /// rating is estimated from both.
    pub error: f64,
}

impl Anchor {
    /// A rating that does not move.
    pub const fn fixed(elo: Elo) -> Anchor {
        Anchor { elo, error: 0.0 }
    }
}

/// The results and the rating of one player.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct PlayerRating {
    /// All results of the player, with both colours.
    pub results: Wdl,
    /// The rating with its 95% interval, on the scale of the group.
    ///
    /// A player that won all games vs. the group has an infinite rating and an interval that is bounded below; one that
    /// lost them all is bounded above. An anchor's interval has width 0. `None` if no games connect the player
    /// to a group.
    pub rating: Option<EloEstimate>,
    /// The group on whose scale the rating is, as an index of [`PoolRatings::groups`](super::PoolRatings::groups).
    pub group: Option<usize>,
    /// Whether the rating was given and fixed rather than estimated.
    pub is_anchor: bool,
}

impl PlayerRating {
    /// The score per game, from 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let games = self.results.games();
        (games > 0).then(|| self.results.points() / games as f64)
    }

    /// The order of a rating list: by group, since ratings of different groups cannot be compared, and then by rating. A
    /// player that won every game is placed by its bound, so that a single win does not lead to the top. A player that lost
    /// every game is last of its group: its bound, which is higher the fewer its games, could place it above its opponents.
    /// Players without a rating come last.
    pub fn best_first(&self, other: &PlayerRating) -> Ordering {
        let group = |player: &PlayerRating| player.group.unwrap_or(usize::MAX);
        let is_winner =
            |rating: &EloEstimate| rating.elo.value() == f64::INFINITY && rating.lower.value().is_finite();
        let ends = |player: &PlayerRating| {
            let rating = player.rating?;
            let known = if is_winner(&rating) { rating.lower } else { rating.elo };
            Some((known, rating.lower, rating.upper))
        };
        let by_rating = ends(other).partial_cmp(&ends(self)).unwrap_or(Ordering::Equal);
        group(self).cmp(&group(other)).then(by_rating)
    }

    /// Whether the rating has a bound on one side only, because the player won or lost all games against the group.
    pub fn is_open_ended(&self) -> bool {
        self.rating.is_some_and(|rating| rating.elo.value().is_infinite())
    }
}

/// Players that took points from each other, directly or by a chain, so that their rating differences can be estimated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RatingGroup {
    /// The players in ascending order, without those that have open-ended ratings.
    pub players: Vec<usize>,
    /// The zero of the ratings.
    pub scale: RatingScale,
    /// How this group compares with the first one; `None` for the first.
    pub link: Option<GroupLink>,
}

/// What the ratings of a group are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "snake_case")
)]
pub enum RatingScale {
    /// The average of the group, which is 0.
    Average,
    /// The given ratings of the anchors in the group.
    Anchors,
}

/// How a group compares with the first, largest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema),
    serde(rename_all = "snake_case")
)]
pub enum GroupLink {
    /// No chain of games connects the two groups.
    NeverMet,
    /// It is better by an unknown amount: all points between the groups went to it.
    Above,
    /// It is worse by an unknown amount: no points between the groups went to it.
    Below,
    /// Games connect the two groups, but no chain of games has all points going one way.
    Unclear,
}
