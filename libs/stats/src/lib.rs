#![doc = include_str!("../README.md")]
//!
//! # Types
//!
//! A game ends in an [`Outcome`]; outcomes are counted in a [`Wdl`] (single games) or in a [`Pentanomial`] (two games
//! from one opening, colours reversed). Either gives a [`Score`], the mean with its moments, from which the
//! [`EloEstimate`], the [`NormalizedEloEstimate`] and the likelihood of superiority ([`Los`]) are computed. A
//! sequential test is an [`Sprt`]: it turns the same counts into an [`Llr`], and that into an [`SprtStatus`].
//! [`Observations`] hold either kind of counts. The expected length of a test at a known difference comes from an
//! [`SprtForecast`] by simulation, or from an [`SprtCourse`] in closed form. [`ratings`] rates more than two players.
//!
//! Prefer the pentanomial whenever openings were played in pairs. The two games of a pair are correlated, which the
//! trinomial ignores: where openings favour one colour, its intervals come out too wide.
//!
//! Sources, by Michel Van den Bergh: "A practical introduction to the GSPRT", "Comparing the approximations for the
//! generalized log likelihood ratio of a multinomial distribution" and "Comments on normalized Elo".

mod best;
mod elo;
mod group_comparison;
mod ladder;
mod linear_constraint;
mod mcnemar;
mod normal;
mod normalized_elo;
mod pair_counter;
mod pair_finder;
mod paired_ratio;
mod paired_slopes;
mod pentanomial;
mod posterior;
pub mod ratings;
mod root;
mod score;
mod sharpness;
mod sign_flips;
mod sprt;
mod spsa;
mod t_value_constraint;
mod wdl;
mod wdl_model;

#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod published_values;
#[cfg(test)]
mod simulations;

pub use best::{BestRule, CandidateStanding, OutOfReach};
pub use elo::{Elo, EloEstimate};
pub use group_comparison::{GroupComparison, groups_with_excess};
pub use ladder::{Ladder, LadderCost, LadderCourse, Patches, elo_per_doubling};
pub use mcnemar::{McNemar, Proportion};
pub use normal::cumulative as normal_cumulative;
pub use normalized_elo::{NormalizedElo, NormalizedEloEstimate};
pub use pair_counter::{KnownMoves, PairCounter, Repeats};
pub use pair_finder::{
    FirstMoves, FoundPairs, PairableGame, PairedBy, UnclearRounds, find_pairs, note_shared_moves,
};
pub use paired_ratio::{PairedRatio, SpeedVerdict};
pub use paired_slopes::{PairedRow, PairedSlopes};
pub use pentanomial::Pentanomial;
pub use score::{Los, Score};
pub use sharpness::Sharpness;
pub use sign_flips::{PairedSum, discoveries};
pub use sprt::{
    InvalidSprt, Llr, Observations, ResultShares, Sprt, SprtBounds, SprtBudget, SprtCourse, SprtEstimate,
    SprtForecast, SprtFutility, SprtModel, SprtStatus, SprtTest,
};
pub use spsa::{
    InvalidSpsa, LearnedParameter, ParameterKind, Spsa, SpsaParameter, SpsaPlan, Steps, TunedParameter,
};
pub use wdl::{Outcome, Wdl};
pub use wdl_model::{CalibrationBin, ScoredGame, ScoredPosition, WdlCalibration, WdlModel};
