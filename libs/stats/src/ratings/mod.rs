//! Ratings of many players from their results.
//!
//! # The model
//!
//! The expected score of White is the logistic function of the rating difference plus White's advantage: 1 / (1 + 10^(−(white +
//! advantage − black)/400)). The ratings are those at which every player has scored exactly as expected, and all games with
//! White together have, too. These equations maximize the likelihood of Bradley and Terry ("Rank Analysis of Incomplete Block
//! Designs", Biometrika 39, 1952) with a draw as half a win and half a loss, which Ordo (Ballicora) does as well.
//!
//! Davidson ("On Extending the Bradley-Terry Model to Accommodate Ties", JASA 65, 1970) and Rao and Kupper ("Ties in
//! Paired-Comparison Experiments", JASA 62, 1967) include draws in the likelihood. The expected score is then no longer the
//! logistic function, and the same rating difference means less with more draws. All players also share one draw rate, although
//! strong engines draw more often than weak ones. The equations here only assume that the expected score is right (a
//! quasi-likelihood: Wedderburn, Biometrika 61, 1974). If there are only two players, they are rated by the score of their
//! match, exactly and without White's advantage. Draws only affect the scatter of scores, which is estimated from the games:
//! see [`PoolRatings::difference`].
//!
//! # What cannot be rated
//!
//! The equations have a finite solution for players between any two of whom there is a chain of players in which each took
//! points from the next (Ford, "Solution of a Ranking Problem from Binary Comparisons", American Mathematical Monthly 64,
//! 1957). Such players form a [`RatingGroup`] with a scale of its own. A player that won or lost all games against a group has
//! an open-ended rating on its scale. Groups are not compared if they never met or if one won all points. Players with fixed
//! ratings, anchors, belong to the group of the players they are connected to.
//!
//! A loose [`Anchor`] adds a normal observation of a rating to the likelihood. It has the weight of games without draws.

mod cluster;
mod covariance;
mod draw_rate;
mod estimate;
mod groups;
mod next_pairing;
mod open_end;
mod player_rating;
mod pool_ratings;
mod rating_equations;
mod symmetric_matrix;
mod white_advantage;

#[cfg(test)]
mod coverage;

use cluster::Encounter;
pub use cluster::{Cluster, Clusters};
pub use draw_rate::DrawRate;
pub use next_pairing::{NextPairing, PairingPlan, WantedRatings};
pub use player_rating::{Anchor, GroupLink, PlayerRating, RatingGroup, RatingScale};
pub use pool_ratings::PoolRatings;
pub(crate) use rating_equations::logistic;
pub(crate) use symmetric_matrix::{Factor, Matrix};
