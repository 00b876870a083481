//! Ratings of many players from their results.
//!
//! # The model
//!
//! The expected score of White is the logistic function of the difference of the ratings and of the advantage of the
//! first move: 1 / (1 + 10^(−(white + advantage − black)/400)). The ratings are those at which every player has
//! scored exactly as expected, and so have all the white pieces together; these equations are the maximum of the
//! likelihood of Bradley and Terry ("Rank Analysis of Incomplete Block Designs", Biometrika 39, 1952) with a draw as
//! half a win and half a loss, which is what Ordo (Ballicora) solves, too.
//!
//! Davidson ("On Extending the Bradley-Terry Model to Accommodate Ties", JASA 65, 1970) and Rao and Kupper ("Ties in
//! Paired-Comparison Experiments", JASA 62, 1967) put draws into the likelihood. Then the expected score is no longer
//! the logistic function, and a rating difference means less with more draws. All players also share one draw rate, but
//! strong engines draw more often than weak ones. The equations here only assume that the expected score is right (a
//! quasi-likelihood: Wedderburn, Biometrika 61, 1974). Two players are rated by the score of their match, to the last
//! digit, which White's advantage would change. Draws only change the scatter of the scores, which is estimated from the games: see
//! [`PoolRatings::difference`].
//!
//! # What cannot be rated
//!
//! The equations have a finite solution for players between any two of whom there is a chain of players in which each
//! took points from the next (Ford, "Solution of a Ranking Problem from Binary Comparisons", American Mathematical
//! Monthly 64, 1957). Such players are a [`RatingGroup`] with a scale of its own. A player that won or lost all games
//! vs. a group has an open-ended rating on its scale. Groups that never met, or of which one won all points, are not
//! compared. Players with fixed ratings, anchors, join the groups they are in.

mod cluster;
mod covariance;
mod draw_rate;
mod estimate;
mod groups;
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
pub use player_rating::{GroupLink, PlayerRating, RatingGroup, RatingScale};
pub use pool_ratings::PoolRatings;
pub(crate) use rating_equations::logistic;
pub(crate) use symmetric_matrix::Matrix;
