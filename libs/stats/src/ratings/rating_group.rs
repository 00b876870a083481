//! Players whose ratings can be compared.

use serde::{Deserialize, Serialize};

/// Players that are joined by points in both directions, so that their differences can be estimated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingGroup {
    /// The players in ascending order; those with open-ended ratings are not among them.
    pub players: Vec<usize>,
    /// The zero of the ratings.
    pub scale: RatingScale,
    /// How this group compares with the first one; `None` for the first.
    pub link: Option<GroupLink>,
}

/// The zero of ratings and intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RatingScale {
    /// The average of the group, which is 0.
    Average,
    /// The given ratings of the anchors in the group.
    Anchors,
}

/// How a group compares with the first, largest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupLink {
    /// No chain of games joins the two.
    NeverMet,
    /// It is better by an unknown amount: points went only its way.
    Above,
    /// It is worse by an unknown amount: points went only the other way.
    Below,
    /// There is a chain of games that joins them, but none in which all points went the same way.
    Unclear,
}
