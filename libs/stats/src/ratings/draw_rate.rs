//! The draw rate of equal players.

use super::covariance::{Covariance, LEAST_LEFT, ObservedCluster};
use super::rating_equations::{Observation, logistic};
use crate::normal::Z_95;
use crate::root::{bisect, root};
use crate::score::MISS_ON_ONE_SIDE;

/// The share of draws between equal players, from 0 to 1, with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct DrawRate {
    /// The draw rate at which the expected number of draws equals the actual one.
    pub rate: f64,
    /// The lower end of the interval.
    pub lower: f64,
    /// The upper end of the interval.
    pub upper: f64,
}

const HALVINGS: u32 = 30;

/// How far the strengths may move, on the natural scale.
const FARTHEST_STEP: f64 = 4.0;

/// Below this half width of the logit's interval, the normal approximation gives the same ends at a fraction of the cost.
const NARROW: f64 = 0.1;

/// The distance from 0 or 1 at which derivatives are taken for a rate of 0 or 1.
const NEAR_END: f64 = 1e-3;

impl DrawRate {
    /// The draw rate at the most likely parameters; `None` without games.
    ///
    /// The ends of the interval are found by profile likelihood: there, the log of Davidson's likelihood has fallen by
    /// 1.96² / 2, scaled to the scatter of the clusters' surplus of draws as in [`Covariance`], less what the ratings
    /// explain of it. The strengths move along the tangent of their most likely values. One game counts as if drawn at
    /// random, so that clusters with equally many draws do not have a scatter of 0. For a rate of 0 or 1 the fall is −ln
    /// 0.025 for each cluster, which leaves such a row of results a probability of 2.5%.
    pub(super) fn new(
        observations: &[Observation],
        parameters: &[f64],
        covariance: &Covariance,
        clusters: &[ObservedCluster],
        number_of_clusters: f64,
    ) -> Option<DrawRate> {
        let encounters: Vec<Draws> = observations
            .iter()
            .map(|one| (one.expected(parameters), one.games(), one.results.draws as f64))
            .collect();
        let rate = draw_rate(&encounters)?;
        let at_end = rate <= 0.0 || rate >= 1.0;
        // At 0 or 1 the derivatives are taken nearby.
        let inside = if at_end { rate.clamp(NEAR_END, 1.0 - NEAR_END) } else { rate };
        let expected: Vec<ExpectedDraws> =
            encounters.iter().map(|&(score, ..)| ExpectedDraws::new(score, inside)).collect();
        let all = observations.iter().zip(&expected);
        let slope: f64 = all.clone().map(|(one, expected)| one.games() * expected.by_logit).sum();
        let mut by_parameter = vec![0.0; parameters.len()];
        for (one, expected) in all {
            for &(parameter, factor) in &one.terms {
                by_parameter[parameter] += one.games() * factor * expected.by_lead;
            }
        }
        let follows = covariance.direction(&by_parameter.into_iter().enumerate().collect::<Vec<_>>());
        let followed: Vec<f64> = observations
            .iter()
            .map(|one| one.terms.iter().map(|&(parameter, factor)| factor * follows[parameter]).sum())
            .collect();
        // The surplus of draws of a game in each encounter, for 0, ½ and 1 point.
        let surplus = |place: usize| {
            std::array::from_fn(|half_points| {
                let drawn = f64::from(u8::from(half_points == 1));
                let lead = half_points as f64 / 2.0 - encounters[place].0;
                drawn - expected[place].draws - followed[place] * lead
            })
        };
        let surplus: Vec<[f64; 3]> = (0..observations.len()).map(surplus).collect();
        let mut variance = rate * (1.0 - rate);
        for ObservedCluster { games, times } in clusters {
            let surplus: f64 =
                games.iter().map(|&(observation, score)| surplus[observation][(2.0 * score) as usize]).sum();
            let own: f64 = games.iter().map(|&(observation, _)| expected[observation].by_logit).sum();
            variance += times * surplus * surplus / (1.0 - own / slope).max(LEAST_LEFT);
        }
        let reach = Z_95 * (covariance.widening() * variance).sqrt() / slope;
        if !at_end && reach < NARROW {
            let logit = (rate / (1.0 - rate)).ln();
            let [lower, upper] = [logit - reach, logit + reach].map(logistic);
            return Some(DrawRate { rate, lower, upper });
        }
        // The variance if all games were independent.
        let of_one = |(place, surplus): (usize, &[f64; 3])| -> f64 {
            let (score, games, _) = encounters[place];
            let shares = shares(score, expected[place].draws);
            games * surplus.iter().zip(shares).map(|(surplus, share)| share * surplus * surplus).sum::<f64>()
        };
        let independent: f64 = surplus.iter().enumerate().map(of_one).sum();
        let wanted = if at_end {
            let games: f64 = encounters.iter().map(|(_, games, _)| games).sum();
            -MISS_ON_ONE_SIDE.ln() * (games / number_of_clusters).max(1.0)
        } else {
            Z_95 * Z_95 / 2.0 * covariance.widening() * variance / independent.max(f64::MIN_POSITIVE)
        };
        let farthest = followed.iter().fold(f64::MIN_POSITIVE, |most, along: &f64| most.max(along.abs()));
        let likelihood = |rate: f64, steps: f64| -> f64 {
            let of = |((one, &(score, ..)), along): ((&Observation, &Draws), &f64)| {
                let odds = score / (1.0 - score) * (steps * along / farthest).exp();
                let score = odds / (1.0 + odds);
                let shares = shares(score, expected_draws(score, rate));
                let counts = one.results.by_worth().map(|count| count as f64);
                let terms = counts.iter().zip(shares).filter(|(count, _)| **count > 0.0);
                terms.map(|(count, share)| count * share.max(f64::MIN_POSITIVE).ln()).sum::<f64>()
            };
            observations.iter().zip(&encounters).zip(&followed).map(of).sum()
        };
        let most = likelihood(rate, 0.0);
        let falls_short = |rate: f64| {
            let (mut low, mut high) = (-FARTHEST_STEP, FARTHEST_STEP);
            for _ in 0..HALVINGS {
                let (one, other) = (low + (high - low) * 0.4, low + (high - low) * 0.6);
                let is_left = likelihood(rate, one) > likelihood(rate, other);
                (low, high) = if is_left { (low, other) } else { (one, high) };
            }
            most - likelihood(rate, low.midpoint(high)) < wanted
        };
        let end = |far: f64| {
            let (near, far) = bisect((rate, far), HALVINGS, falls_short);
            near.midpoint(far)
        };
        Some(DrawRate {
            rate,
            lower: if rate <= 0.0 { 0.0 } else { end(0.0) },
            upper: if rate >= 1.0 { 1.0 } else { end(1.0) },
        })
    }
}

/// The shares of losses, draws and wins.
fn shares(score: f64, draws: f64) -> [f64; 3] {
    [(1.0 - score - draws / 2.0).max(0.0), draws, (score - draws / 2.0).max(0.0)]
}

/// The expected share of draws in an encounter, and its derivatives.
struct ExpectedDraws {
    draws: f64,
    /// The derivative by the logit of the draw rate between equals.
    by_logit: f64,
    /// The derivative by the difference in strength on the natural scale.
    by_lead: f64,
}

impl ExpectedDraws {
    fn new(score: f64, between_equals: f64) -> ExpectedDraws {
        let draws = expected_draws(score, between_equals);
        let wins_by_losses = (score - draws / 2.0).max(0.0) * (1.0 - score - draws / 2.0).max(0.0);
        // The logarithm of Davidson's relation, differentiated on both sides.
        let share = draws / (4.0 * wins_by_losses + draws * (1.0 - draws));
        ExpectedDraws {
            draws,
            by_logit: 4.0 * wins_by_losses * share,
            by_lead: 2.0 * (1.0 - 2.0 * score) * share * score * (1.0 - score),
        }
    }
}

/// The share of draws, from 0 to 1, if the expected score is `expected` and equal players draw `between_equals` of their
/// games.
///
/// Solves Davidson's relation for a given expected score: the share of draws is a constant times the geometric mean of wins
/// and losses. Ordo's draw rate is the same.
fn expected_draws(expected: f64, between_equals: f64) -> f64 {
    let decisive = (1.0 - between_equals) / between_equals;
    let balance = 4.0 * expected * (1.0 - expected);
    balance / (1.0 + (1.0 + balance * (decisive * decisive - 1.0)).max(0.0).sqrt())
}

/// For one encounter, the expected score, the number of games, and the number of draws.
type Draws = (f64, f64, f64);

/// The draw rate of equal players at which the expected number of draws equals the actual one; `None` without games.
fn draw_rate(encounters: &[Draws]) -> Option<f64> {
    let drawn: f64 = encounters.iter().map(|(_, _, draws)| draws).sum();
    let games: f64 = encounters.iter().map(|(_, games, _)| games).sum();
    let surplus = |rate: f64| -> f64 {
        encounters.iter().map(|(expected, games, _)| games * expected_draws(*expected, rate)).sum::<f64>()
            - drawn
    };
    if games == 0.0 {
        return None;
    }
    if drawn == 0.0 {
        return Some(0.0);
    }
    let tolerance = games * 1e-9;
    if surplus(1.0) <= tolerance {
        return Some(1.0);
    }
    Some(root(surplus, (0.0, 1.0), tolerance))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn derivatives_are_those_of_small_changes() {
        for (score, rate) in [(0.5, 0.4), (0.7, 0.2), (0.12, 0.6)] {
            let ExpectedDraws { draws, by_logit, by_lead } = ExpectedDraws::new(score, rate);
            let moved = |value: f64| logistic((value / (1.0 - value)).ln() + 1e-6);
            let by_lead_moved = (expected_draws(moved(score), rate) - draws) / 1e-6;
            let by_logit_moved = (expected_draws(score, moved(rate)) - draws) / 1e-6;
            assert!((by_lead_moved - by_lead).abs() < 1e-5, "{by_lead_moved} and {by_lead}");
            assert!((by_logit_moved - by_logit).abs() < 1e-5, "{by_logit_moved} and {by_logit}");
        }
    }

    #[test]
    fn extremes_are_met() {
        assert_eq!(draw_rate(&[]), None);
        assert_eq!(draw_rate(&[(0.5, 10.0, 0.0)]), Some(0.0));
        assert_eq!(draw_rate(&[(0.5, 10.0, 10.0)]), Some(1.0));
        // A player without losses has as many draws as the score allows, except for rounding of the score.
        for rounding in [-1e-12, 0.0, 1e-12] {
            assert_eq!(draw_rate(&[(0.5, 1.0, 1.0), (0.8 + rounding, 5.0, 2.0)]), Some(1.0));
        }
    }

    proptest! {
        #[test]
        fn draws_leave_room_for_wins_and_losses(expected in 0.0..1.0, rate in 0.0..1.0) {
            let draws = expected_draws(expected, rate);
            let (wins, losses) = (expected - draws / 2.0, 1.0 - expected - draws / 2.0);
            prop_assert!(draws >= 0.0 && wins >= -1e-12 && losses >= -1e-12);
            // Davidson: the square of the share of draws is proportional to wins times losses.
            let constant = 2.0 * rate / (1.0 - rate);
            prop_assert!((draws - constant * (wins * losses).max(0.0).sqrt()).abs() < 1e-6);
        }

        #[test]
        fn the_rate_that_made_the_draws_is_found(rate in 0.01..0.99, expected in prop::array::uniform4(0.05..0.95)) {
            let draws = expected.map(|expected| (expected, 100.0, 100.0 * expected_draws(expected, rate)));
            prop_assert!((draw_rate(&draws).unwrap() - rate).abs() < 1e-5);
        }
    }
}
