//! Who plays next: the pairing whose games tell most about the ratings that are wanted.

use std::collections::BTreeMap;

use super::estimate::ELO;
use super::rating_equations::logistic;
use super::symmetric_matrix::Matrix;
use crate::normal::Z_95;
use crate::{Elo, Pentanomial};

/// How far a version of a player is expected to be from the one before it, in Elo (one standard deviation).
const BETWEEN_VERSIONS: f64 = 50.0;

/// The standard deviation of the prior, in Elo: how far a player is expected to be from the average of the list before
/// its first game.
const PRIOR: f64 = 400.0;

/// The pairs that the estimate of the scatter begins with; such a pair scatters half as much as two independent games
/// without draws.
const PRIOR_PAIRS: f64 = 20.0;

const USUAL_SCATTER: f64 = 0.5;

/// The least and the largest scatter.
const SCATTERS: (f64, f64) = (0.02, 1.0);

/// No step of Newton's method changes a rating by more than this, on the natural scale; it is 174 Elo.
const LONGEST_STEP: f64 = 1.0;

/// The share of pairs that are chosen as if all players were equal: this much for each unit of noise, the mean squared error
/// of the ratings by their variance, …
const EQUAL_BY_NOISE: f64 = 10.0;

/// … but never more than this.
const MOST_EQUAL: f64 = 0.6;

const LAST_STEP: f64 = 1e-6;

const MOST_STEPS: usize = 100;

/// What is known about the players of a rating list, and what more games are expected to add.
///
/// The pairing to play next is the one that lowers the sum of the wanted variances most, nearly (see below). A pair of games between players i
/// and j adds w·x·xᵀ to the information about all ratings, where x = eᵢ − eⱼ. The covariance C then becomes C − C·x·xᵀ·C /
/// (1/w + xᵀ·C·x) (Sherman and Morrison, "Adjustment of an Inverse Matrix Corresponding to a Change in One Element of a
/// Given Matrix", Annals of Mathematical Statistics 21, 1950), so the variances of the contrasts K, which are the wanted
/// ratings relative to the reference, fall by |K·C·x|² / (1/w + xᵀ·C·x) in all. To choose one observation after the other
/// by this fall is the sequential design for a linear criterion (Fedorov, "Theory of Optimal Experiments", 1972): with all
/// ratings wanted it is A-optimality, with one wanted c-optimality. The information depends on the unknown ratings, and
/// their estimates stand in for them (Chernoff, "Locally Optimal Designs for Estimating Parameters", Annals of
/// Mathematical Statistics 24, 1953; for this model Graßhoff and Schwabe, "Optimal Design for the Bradley–Terry Paired
/// Comparison Model", Statistical Methods and Applications 17, 2008).
///
/// The information of a pair is w = 2·(p·q)² / (p·q − (1 − s)·min(p, q)/2), where p and q are the expected scores per game
/// and s is the scatter of pairs of equal players, relative to independent games without draws. It is the squared slope of
/// the expected score divided by the variance of the score, if draws become rarer in proportion to the smaller score. It
/// falls quickly with the distance of the players, so one that is far stronger or weaker is not chosen.
///
/// If several ratings are wanted, pairings are compared by the geometric mean of w and its value for equal players, and a
/// share of them, which is large as long as the ratings are mostly noise, as if all players were equal. With w alone, players
/// that chance has set apart would seldom meet again to correct it, so a list would be stretched, and too many of its
/// intervals would miss the truth (`examples/lists.rs` simulates this).
///
/// Estimates are the mode of the posterior with a normal prior around the average of the list, which also holds players
/// that have not played, or have won or lost every game; a version of a player is also held near the one before it. They serve to choose; a list is rated without a prior, by
/// [`PoolRatings`](super::PoolRatings).
///
/// ```
/// use stats::ratings::PairingPlan;
///
/// // Players 0 and 1 are equal and have met, player 2 lost a pair to player 1, and player 3 is new.
/// let known = [((0, 1), [0, 10, 30, 10, 0]), ((1, 2), [0, 0, 0, 0, 1])];
/// let known = known.map(|(players, counts)| (players, stats::Pentanomial::new(counts))).into();
/// let plan = PairingPlan::new(4, &known, &[], &[]);
/// let next = plan.wanting(&[false, false, false, true]).next(|_, _| true).expect("somebody to play");
/// assert_eq!(next.players.1, 3);
/// ```
#[derive(Clone, Debug)]
pub struct PairingPlan {
    /// The ratings on the natural scale.
    strengths: Vec<f64>,
    covariance: Matrix,
    scatter: f64,
    /// The players whose average is 0.
    reference: Vec<usize>,
    versions: Vec<(usize, usize)>,
}

/// A pairing that may be played next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NextPairing {
    /// The players, the lower index first.
    pub players: (usize, usize),
    /// By how much a pair of games is expected to lower the sum of the wanted variances, as a share of that sum.
    pub gain: f64,
    /// The expected score of the first player per game, from 0 to 1.
    pub expected: f64,
}

/// A plan in which some of the ratings are wanted.
#[derive(Clone, Debug)]
pub struct WantedRatings {
    plan: PairingPlan,
    wanted: Vec<bool>,
    /// C·Kᵀ·K·C, where K has a row for each wanted rating.
    gains: Matrix,
    /// The share of pairs that are chosen as if all players were equal.
    equals: f64,
    /// The number of pairs chosen so far.
    chosen: u32,
}

impl PairingPlan {
    /// The state of the list after these pairs, which are counted for the first of the two players. Ratings are relative
    /// to the average of the `reference`, or of all players if it is empty. `versions` has players of which one is the next
    /// version of the other.
    ///
    /// The time grows with the cube of the number of players.
    ///
    /// # Panics
    /// If an index is not below `players`, or if two players of a pairing are the same.
    pub fn new(
        players: usize,
        known: &BTreeMap<(usize, usize), Pentanomial>,
        reference: &[usize],
        versions: &[(usize, usize)],
    ) -> PairingPlan {
        let met: Vec<Met> = known.iter().map(|(&(one, other), &pairs)| Met(one, other, pairs)).collect();
        assert!(met.iter().all(|Met(one, other, _)| one != other), "a pairing has two players");
        let reference = if reference.is_empty() { (0..players).collect() } else { reference.to_vec() };
        let covariance = Matrix::zero(0);
        let (strengths, versions) = (vec![0.0; players], versions.to_vec());
        let mut plan = PairingPlan { strengths, covariance, scatter: USUAL_SCATTER, reference, versions };
        plan.find_strengths(&met);
        plan.scatter = plan.scatter_of(&met);
        plan.find_strengths(&met);
        let precision = plan.precision(&met, |plan, met| met.pairs() * plan.information(met.0, met.1));
        plan.covariance = precision.cholesky().map_or_else(|| Matrix::zero(players), |it| it.inverse());
        plan
    }

    /// The estimated rating, relative to the reference.
    pub fn rating(&self, player: usize) -> Elo {
        Elo::new((self.strengths[player] - self.mean_of_reference(&self.strengths)) / ELO)
    }

    /// The share of pairs that are chosen as if all players were equal.
    fn share_of_equals(&self) -> f64 {
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let squares: Vec<f64> = self.margins().iter().map(|margin| (margin * ELO / Z_95).powi(2)).collect();
        let middle = mean(&self.strengths);
        let apart: Vec<f64> = self.strengths.iter().map(|strength| (strength - middle).powi(2)).collect();
        let (error, spread) = (mean(&squares), mean(&apart));
        if error == 0.0 { 0.0 } else { (EQUAL_BY_NOISE * error / spread).min(MOST_EQUAL) }
    }

    /// Half the width of the 95% interval of each player's rating, in Elo.
    pub fn margins(&self) -> Vec<f64> {
        let means = self.reference_means();
        let zero = self.mean_of_reference(&means);
        let variance = |player: usize| self.covariance.at(player, player) - 2.0 * means[player] + zero;
        (0..means.len()).map(|player| Z_95 * variance(player).max(0.0).sqrt() / ELO).collect()
    }

    /// The expected score of `one` against `other` per game, from 0 to 1.
    pub fn expected(&self, one: usize, other: usize) -> f64 {
        logistic(self.strengths[one] - self.strengths[other])
    }

    /// The same plan with the ratings of the players for which `wanted` is true.
    pub fn wanting(&self, wanted: &[bool]) -> WantedRatings {
        let gains = Matrix::zero(wanted.len());
        let equals = self.share_of_equals();
        let mut chooser =
            WantedRatings { plan: self.clone(), wanted: wanted.to_vec(), gains, equals, chosen: 0 };
        chooser.find_gains();
        chooser
    }

    /// The information that a pair of games of two players carries about their difference, on the natural scale.
    fn information(&self, one: usize, other: usize) -> f64 {
        let p = self.expected(one, other);
        let (product, less) = (p * (1.0 - p), p.min(1.0 - p));
        2.0 * product * product / (product - (1.0 - self.scatter) * less / 2.0).max(f64::MIN_POSITIVE)
    }

    /// The mode of the posterior, by Newton's method.
    fn find_strengths(&mut self, met: &[Met]) {
        let prior = (PRIOR * ELO).powi(-2);
        for _ in 0..MOST_STEPS {
            let mut slope: Vec<f64> = self.strengths.iter().map(|strength| -prior * strength).collect();
            for met in met {
                let excess = met.2.points() - 2.0 * met.pairs() * self.expected(met.0, met.1);
                slope[met.0] += excess / self.scatter;
                slope[met.1] -= excess / self.scatter;
            }
            for &(one, other) in &self.versions {
                let pull = (self.strengths[other] - self.strengths[one]) * (BETWEEN_VERSIONS * ELO).powi(-2);
                slope[one] += pull;
                slope[other] -= pull;
            }
            let precision = self.precision(met, |plan, met| {
                let p = plan.expected(met.0, met.1);
                2.0 * met.pairs() * p * (1.0 - p) / plan.scatter
            });
            let Some(factor) = precision.cholesky() else { return };
            let step = factor.solve(&slope);
            let longest = step.iter().fold(0.0_f64, |longest, change| longest.max(change.abs()));
            let share = (LONGEST_STEP / longest).min(1.0);
            self.strengths.iter_mut().zip(&step).for_each(|(strength, change)| *strength += share * change);
            if longest < LAST_STEP {
                return;
            }
        }
    }

    fn precision(&self, met: &[Met], weight: impl Fn(&PairingPlan, &Met) -> f64) -> Matrix {
        let prior = (PRIOR * ELO).powi(-2);
        let mut precision =
            Matrix::of(self.strengths.len(), |row, column| if row == column { prior } else { 0.0 });
        let met = met.iter().map(|met| (met.0, met.1, weight(self, met)));
        let versions =
            self.versions.iter().map(|&(one, other)| (one, other, (BETWEEN_VERSIONS * ELO).powi(-2)));
        for (one, other, weight) in met.chain(versions) {
            for (row, column, sign) in
                [(one, one, 1.0), (other, other, 1.0), (one, other, -1.0), (other, one, -1.0)]
            {
                precision.add(row, column, sign * weight);
            }
        }
        precision
    }

    /// The scatter for which the squared excess of all pairs is as large as expected.
    fn scatter_of(&self, met: &[Met]) -> f64 {
        let mut squares = PRIOR_PAIRS * USUAL_SCATTER / 2.0;
        let (mut products, mut lesser) = (PRIOR_PAIRS / 2.0, PRIOR_PAIRS / 2.0);
        for met in met {
            let p = self.expected(met.0, met.1);
            squares += met.squared_excess(2.0 * p);
            products += met.pairs() * 2.0 * p * (1.0 - p);
            lesser += met.pairs() * p.min(1.0 - p);
        }
        (1.0 - (products - squares) / lesser).clamp(SCATTERS.0, SCATTERS.1)
    }

    /// For each player, the mean covariance with the reference.
    fn reference_means(&self) -> Vec<f64> {
        let mean = |player: usize| self.mean_of_reference(self.covariance.row(player));
        (0..self.strengths.len()).map(mean).collect()
    }

    fn mean_of_reference(&self, of_players: &[f64]) -> f64 {
        self.reference.iter().map(|&one| of_players[one]).sum::<f64>() / self.reference.len() as f64
    }
}

impl WantedRatings {
    /// The plan, with what was expected of the pairs that are yet to be played.
    pub const fn plan(&self) -> &PairingPlan {
        &self.plan
    }

    /// Changes which ratings are wanted.
    pub fn want(&mut self, wanted: &[bool]) {
        if self.wanted != wanted {
            self.wanted = wanted.to_vec();
            self.find_gains();
        }
    }

    /// The pairing to be played next, of those that may meet; `None` if no games of these tell anything. Of equal
    /// pairings, it is the first.
    pub fn next(&self, may_meet: impl Fn(usize, usize) -> bool) -> Option<NextPairing> {
        let (plan, players) = (&self.plan, self.wanted.len());
        let equal = 2.0 * plan.scatter;
        let are_several = self.wanted.iter().filter(|wanted| **wanted).count() > 1;
        let turns = |chosen: u32| (f64::from(chosen) * self.equals) as u64;
        let as_equals = are_several && turns(self.chosen) < turns(self.chosen + 1);
        let mut best: Option<(f64, NextPairing)> = None;
        let all = self.wanted_variance();
        for one in 0..players {
            let (covariances, gains) = (plan.covariance.row(one), self.gains.row(one));
            for other in one + 1..players {
                let distance = covariances[one] + plan.covariance.at(other, other) - 2.0 * covariances[other];
                let fall = gains[one] + self.gains.at(other, other) - 2.0 * gains[other];
                let most = best.map_or(0.0, |(most, _)| most);
                // Equal players tell most, so this bound spares most pairings the logistic function.
                if fall / (equal + distance) <= most || !may_meet(one, other) {
                    continue;
                }
                let each = 1.0 / plan.information(one, other);
                let compared = match are_several {
                    true if as_equals => equal,
                    true => (equal * each).sqrt(),
                    false => each,
                };
                let worth = fall / (compared + distance);
                if worth > most {
                    let (gain, expected) = (fall / (each + distance) / all, plan.expected(one, other));
                    best = Some((worth, NextPairing { players: (one, other), gain, expected }));
                }
            }
        }
        best.map(|(_, best)| best)
    }

    /// Counts on a pair of games of two players, whose results are not known yet.
    pub fn expect(&mut self, one: usize, other: usize) {
        self.chosen += 1;
        let weight = self.plan.information(one, other);
        let along: Vec<f64> = {
            let rows = self.plan.covariance.row(one).iter().zip(self.plan.covariance.row(other));
            rows.map(|(one, other)| one - other).collect()
        };
        let share = 1.0 / (1.0 / weight + along[one] - along[other]);
        let zero = self.plan.mean_of_reference(&along);
        // K·C·x, and its product with C·Kᵀ.
        let moved: Vec<f64> = along
            .iter()
            .zip(&self.wanted)
            .map(|(along, wanted)| if *wanted { along - zero } else { 0.0 })
            .collect();
        let length: f64 = moved.iter().map(|moved| moved * moved).sum();
        let (sum, means) = (moved.iter().sum::<f64>(), self.plan.reference_means());
        let turned: Vec<f64> = (0..along.len())
            .map(|player| {
                let row = self.plan.covariance.row(player).iter().zip(&moved);
                row.map(|(cell, moved)| cell * moved).sum::<f64>() - sum * means[player]
            })
            .collect();
        for row in 0..along.len() {
            for column in 0..along.len() {
                let both = along[row] * along[column];
                let turn = turned[row] * along[column] + along[row] * turned[column];
                self.plan.covariance.add(row, column, -share * both);
                self.gains.add(row, column, share * (share * length * both - turn));
            }
        }
    }

    fn wanted_variance(&self) -> f64 {
        let margins = self.plan.margins();
        let variances = margins.iter().zip(&self.wanted).filter(|(_, wanted)| **wanted);
        variances.map(|(margin, _)| (margin * ELO / Z_95).powi(2)).sum()
    }

    fn find_gains(&mut self) {
        let means = self.plan.reference_means();
        let centred = Matrix::of(means.len(), |row, column| {
            if self.wanted[row] { self.plan.covariance.at(row, column) - means[column] } else { 0.0 }
        });
        self.gains = centred.clone().transposed().times(&centred);
    }
}

/// The pairs of two players, by their indices, counted for the first.
struct Met(usize, usize, Pentanomial);

impl Met {
    fn pairs(&self) -> f64 {
        self.2.pairs() as f64
    }

    /// The sum over the pairs of the squared difference between points and expected points.
    fn squared_excess(&self, expected: f64) -> f64 {
        let squares = self.2.counts().into_iter().zip([0.0, 0.5, 1.0, 1.5, 2.0]);
        squares.map(|(count, points)| count as f64 * (points - expected).powi(2)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(players: usize, known: &[((usize, usize), [u64; 5])], reference: &[usize]) -> PairingPlan {
        let known = known.iter().map(|&(players, counts)| (players, Pentanomial::new(counts)));
        PairingPlan::new(players, &known.collect(), reference, &[])
    }

    #[test]
    fn the_variance_falls_as_foretold_and_nearly_as_much_as_it_can() {
        let chain = [0, 1, 2].map(|player| ((player, player + 1), [1, 20, 58, 20, 1]));
        for (wanted, reference) in
            [([true; 5], &[][..]), ([false, false, true, false, false], &[]), ([true; 5], &[1])]
        {
            let mut chooser = plan(5, &chain, reference).wanting(&wanted);
            for _ in 0..6 {
                let before = chooser.wanted_variance();
                let next = chooser.next(|_, _| true).unwrap();
                let mut others: Vec<f64> = Vec::new();
                for (one, other) in (0..5).flat_map(|one| (one + 1..5).map(move |other| (one, other))) {
                    let mut tried = chooser.clone();
                    tried.expect(one, other);
                    others.push(1.0 - tried.wanted_variance() / before);
                }
                let most = others.iter().copied().fold(0.0, f64::max);
                chooser.expect(next.players.0, next.players.1);
                let found = 1.0 - chooser.wanted_variance() / before;
                assert!(
                    (found - next.gain).abs() < 1e-9 && (0.8 * most..=most + 1e-9).contains(&found),
                    "{next:?} {others:?}"
                );
            }
        }
    }

    #[test]
    fn who_is_new_meets_those_of_its_strength_and_not_the_far_ones() {
        // Five players 200 Elo apart, with many games; the last player is new and wins half of its games against the second.
        let apart = |one: usize| ((one, one + 1), [0, 16, 120, 240, 24]);
        let mut known: Vec<_> = (0..4).map(apart).collect();
        known.push(((1, 5), [0, 2, 6, 2, 0]));
        let wanted = [false, false, false, false, false, true];
        let mut chooser = plan(6, &known, &[]).wanting(&wanted);
        let mut met = [0; 5];
        for _ in 0..40 {
            let (one, other) = chooser.next(|_, _| true).unwrap().players;
            assert_eq!(other, 5, "only its own games tell of it here");
            chooser.expect(one, other);
            met[one] += 1;
        }
        assert!(met[0] + met[1] + met[2] == 40 && met[4] == 0, "{met:?}");
    }

    #[test]
    fn a_new_version_begins_beside_the_one_before_it() {
        let apart = |one: usize| ((one, one + 1), Pentanomial::new([0, 16, 120, 240, 24]));
        let known = (0..4).map(apart).collect();
        let [plain, related] =
            [&[][..], &[(0, 5)]].map(|versions| PairingPlan::new(6, &known, &[], versions));
        let (best, new) = (related.rating(0).value(), related.rating(5).value());
        assert!((best - new).abs() < 10.0 && plain.rating(5).value() < best - 200.0, "{best} {new}");
        let next = related.wanting(&[false, false, false, false, false, true]).next(|_, _| true).unwrap();
        assert!((0.3..0.7).contains(&next.expected), "{next:?}");
    }

    #[test]
    fn players_without_games_or_without_a_loss_have_a_finite_place() {
        let swept = plan(3, &[((0, 1), [0, 0, 0, 0, 50])], &[]);
        assert!((300.0..2000.0).contains(&swept.rating(0).value()), "{:?}", swept.rating(0));
        assert!(swept.rating(2).value().abs() < 1e-6, "the new player is average");
        let none = plan(3, &[], &[]);
        assert!((none.margins()[0] - Z_95 * PRIOR * (2.0_f64 / 3.0).sqrt()).abs() < 1e-6);
        assert_eq!(none.wanting(&[true; 3]).next(|_, _| false), None);
    }

    #[test]
    fn margins_are_those_of_a_match_and_of_the_reference() {
        let results = [4, 120, 560, 280, 36];
        let of_two = plan(2, &[((0, 1), results)], &[]);
        let estimate = crate::EloEstimate::new(&Pentanomial::new(results).score());
        let lead = 2.0 * of_two.rating(0).value();
        assert!((lead / estimate.elo.value() - 1.0).abs() < 0.02, "{lead}");
        assert!((of_two.margins()[0] * 2.0 / estimate.margin() - 1.0).abs() < 0.05, "{:?}", of_two.margins());
        let anchored = plan(2, &[((0, 1), results)], &[1]);
        assert_eq!((anchored.rating(1).value(), anchored.margins()[1]), (0.0, 0.0));
        assert!((anchored.margins()[0] / estimate.margin() - 1.0).abs() < 0.05);
    }
}
