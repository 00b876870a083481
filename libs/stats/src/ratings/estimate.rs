//! The most likely ratings of the players in groups, with their covariance.

use std::collections::{BTreeMap, HashMap};
use std::f64::consts::LN_10;

use arrayvec::ArrayVec;
use rustc_hash::FxBuildHasher;

use super::cluster::{Cluster, effective_number};
use super::covariance::{Covariance, ObservedCluster};
use super::draw_rate::DrawRate;
use super::rating_equations::{Given, Observation, Parameters, RatingEquations};
use super::white_advantage::{self, WhiteAdvantage};
use super::{Anchor, Encounter, RatingGroup, RatingScale};
use crate::normal::{Z_95, student_95};
use crate::root::bisect;
use crate::{Outcome, Wdl};

pub(super) const ELO: f64 = LN_10 / 400.0;

#[derive(Debug)]
pub(super) struct Estimate {
    /// The rating of each player; meaningless for players without a group.
    pub strengths: Vec<f64>,
    pub white_advantage: WhiteAdvantage,
    pub draw_rate: Option<DrawRate>,
    parameters: Parameters,
    covariance: Covariance,
    observations: Vec<Observation>,
    solution: Vec<f64>,
    adrift: Vec<Vec<usize>>,
    given: Vec<Given>,
    /// Whether each player, and White as the last entry, scored less than a tenth or more than nine tenths of the points.
    lopsided: Vec<bool>,
}

/// A score below this share, or above one minus it, gets an interval by profile likelihood.
const LOPSIDED: f64 = 0.1;

const HALVINGS: u32 = 60;

type Contrast = ArrayVec<(usize, f64), 2>;

impl Estimate {
    pub(super) fn new(
        encounters: &[Encounter],
        clusters: &[Cluster],
        groups: &[RatingGroup],
        group_of: &[Option<usize>],
        anchors: &BTreeMap<usize, Anchor>,
    ) -> Estimate {
        let players = group_of.len();
        let within = |encounter: &&Encounter| {
            group_of[encounter.white].is_some() && group_of[encounter.white] == group_of[encounter.black]
        };
        let encounters: Vec<Encounter> = encounters.iter().filter(within).copied().collect();
        let results = totals(players, &encounters);
        let is_fixed = |player: usize| anchors.get(&player).is_some_and(|anchor| anchor.error == 0.0);
        let node: Vec<usize> =
            (0..players).map(|player| if is_fixed(player) { players } else { player }).collect();
        let has_advantage = white_advantage::is_estimable(players + 1, &node, &encounters);
        // The only player of a group is fixed at 0.
        let is_estimated = |player: &usize| {
            let is_alone = |group: usize| groups[group].players.len() == 1 && !anchors.contains_key(player);
            group_of[*player].is_some_and(|group| !is_alone(group)) && !is_fixed(*player)
        };
        let parameters = Parameters::new(players, (0..players).filter(is_estimated), has_advantage);
        let mut strengths = starting_points(groups, &results, anchors);
        let given = anchors.iter().filter_map(|(&player, anchor)| {
            let (value, precision) = (anchor.elo.value() * ELO, (anchor.error * ELO).powi(-2));
            parameters.of_player[player].map(|parameter| Given { parameter, value, precision })
        });
        let given: Vec<Given> = given.collect();
        let adrift: Vec<Vec<usize>> = groups
            .iter()
            .filter(|group| group.scale == RatingScale::Average)
            .map(|group| group.players.iter().filter_map(|&player| parameters.of_player[player]).collect())
            .collect();
        let mut observations: Vec<Observation> =
            encounters.iter().map(|encounter| parameters.observe(encounter, &strengths)).collect();
        let start = parameters.gather(&strengths);
        let bound = (!has_advantage)
            .then(|| white_advantage::bound(&mut observations, parameters.count, &adrift, &given, &start))
            .flatten();
        let equations = RatingEquations {
            observations: &observations,
            parameters: parameters.count,
            adrift: &adrift,
            given: &given,
        };
        let solution = equations.solve(start);
        let places = encounters.iter().enumerate().map(|(place, one)| ((one.white, one.black), place));
        let places: HashMap<_, _, FxBuildHasher> = places.collect();
        let place = |&(white, black, outcome): &(u32, u32, Outcome)| {
            let found = *places.get(&(white as usize, black as usize))?;
            Some((found, outcome.half_points() as f64 / 2.0))
        };
        let observed: Vec<ObservedCluster> = clusters
            .iter()
            .map(|one| ObservedCluster {
                games: one.games.iter().filter_map(place).collect(),
                times: one.times as f64,
            })
            .collect();
        let number_of_clusters = effective_number(clusters);
        let degrees = (number_of_clusters - 1.0).max(1.0);
        let widening = (student_95(degrees as usize) / Z_95).powi(2).max(1.0);
        let unseen = games_without_draws(&encounters, &results);
        let covariance = Covariance::new(&equations, &solution, &observed, &unseen, widening);
        parameters.scatter(&solution.parameters, &mut strengths);
        let draw_rate =
            DrawRate::new(&observations, &solution.parameters, &covariance, &observed, number_of_clusters);
        let white: Wdl = encounters.iter().map(|encounter| encounter.results).sum();
        let lopsided = results.iter().copied().chain([white]).map(is_lopsided).collect();
        let white_advantage = match (parameters.white_advantage, bound) {
            (Some(parameter), _) => WhiteAdvantage::Known(solution.parameters[parameter]),
            (None, Some(bound)) => bound,
            (None, None) => WhiteAdvantage::Unknown,
        };
        Estimate {
            strengths,
            white_advantage,
            draw_rate,
            parameters,
            covariance,
            solution: solution.parameters,
            observations,
            adrift,
            given,
            lopsided,
        }
    }

    pub(super) fn reach(&self, player: usize) -> [f64; 2] {
        self.reach_along(&self.contrast(player, None), self.lopsided[player])
    }

    pub(super) fn reach_of_difference(&self, one: usize, other: usize) -> [f64; 2] {
        let is_lopsided = self.lopsided[one] || self.lopsided[other];
        self.reach_along(&self.contrast(one, Some(other)), is_lopsided)
    }

    /// How far the 95% interval of White's advantage reaches down and up, if the advantage is estimated.
    pub(super) fn reach_of_advantage(&self) -> [f64; 2] {
        let contrast = self.parameters.white_advantage.map(|parameter| (parameter, 1.0));
        self.reach_along(&contrast.into_iter().collect(), self.lopsided.last() == Some(&true))
    }

    /// The lead of one player over another of the same group, in standard errors; `None` if the error is 0.
    pub(super) fn lead_in_errors(&self, one: usize, other: usize) -> Option<f64> {
        let lead = self.strengths[one] - self.strengths[other];
        let contrast = self.contrast(one, Some(other));
        let error = self.covariance.variance(&contrast).sqrt();
        if error == 0.0 {
            return None;
        }
        if !(self.lopsided[one] || self.lopsided[other]) {
            return Some(lead / error);
        }
        let (direction, step) = self.profile(&contrast);
        let fall = self.fall(&direction, -lead / step);
        Some(lead.signum() * (2.0 * fall * step).max(0.0).sqrt() / error)
    }

    fn contrast(&self, one: usize, other: Option<usize>) -> Contrast {
        let of = |player: usize, factor: f64| Some((self.parameters.of_player[player]?, factor));
        of(one, 1.0).into_iter().chain(other.and_then(|other| of(other, -1.0))).collect()
    }

    /// How far the 95% interval reaches down and up. For lopsided scores, its ends are where the log-likelihood, scaled to
    /// the variance of the clusters, has fallen as far as for a normal distribution (Rotnitzky and Jewell, "Hypothesis
    /// Testing of Regression Parameters in Semiparametric Generalized Linear Models for Cluster Correlated Data",
    /// Biometrika 77, 1990). The other parameters move along the tangent of their most likely values.
    fn reach_along(&self, contrast: &Contrast, is_lopsided: bool) -> [f64; 2] {
        let error = self.covariance.variance(contrast).sqrt();
        if !is_lopsided || error == 0.0 {
            return [Z_95 * error; 2];
        }
        let (direction, step) = self.profile(contrast);
        let wanted = Z_95 * Z_95 * error * error / (2.0 * step);
        [-1.0, 1.0].map(|sign| {
            let (mut low, mut high) = (0.0, Z_95 * error);
            let falls_short = |reach: f64| self.fall(&direction, sign * reach / step) < wanted;
            for _ in 0..HALVINGS {
                if !falls_short(high) {
                    break;
                }
                (low, high) = (high, 2.0 * high);
            }
            let (low, high) = bisect((low, high), HALVINGS, falls_short);
            low.midpoint(high)
        })
    }

    /// The direction in which the parameters move with the contrast, and how much one step changes the contrast.
    fn profile(&self, contrast: &Contrast) -> (Vec<f64>, f64) {
        let mut direction = self.covariance.direction(contrast);
        for set in &self.adrift {
            let average = mean(set.iter().map(|&parameter| direction[parameter]));
            for &parameter in set {
                direction[parameter] -= average;
            }
        }
        let step = contrast.iter().map(|&(parameter, factor)| factor * direction[parameter]).sum();
        (direction, step)
    }

    /// How far the log-likelihood falls `steps` steps from its maximum.
    fn fall(&self, direction: &[f64], steps: f64) -> f64 {
        let there: Vec<f64> =
            self.solution.iter().zip(direction).map(|(value, along)| value + steps * along).collect();
        let change = |one: &Observation| one.log_likelihood(&self.solution) - one.log_likelihood(&there);
        let of_given = |one: &Given| one.log_likelihood(&self.solution) - one.log_likelihood(&there);
        self.observations.iter().map(change).chain(self.given.iter().map(of_given)).sum()
    }
}

fn is_lopsided(results: Wdl) -> bool {
    let games = results.games() as f64;
    games > 0.0 && (results.points() / games - 0.5).abs() > 0.5 - LOPSIDED
}

pub(super) fn totals(players: usize, encounters: &[Encounter]) -> Vec<Wdl> {
    let mut totals = vec![Wdl::default(); players];
    for encounter in encounters {
        totals[encounter.white] += encounter.results;
        totals[encounter.black] += encounter.results.reversed();
    }
    totals
}

/// Starting values: an anchor's rating, and for other players the rating by their score against average opponents. The
/// average of a group is 0, or the average of its anchors.
fn starting_points(groups: &[RatingGroup], results: &[Wdl], anchors: &BTreeMap<usize, Anchor>) -> Vec<f64> {
    let mut strengths = vec![0.0; results.len()];
    for group in groups.iter().filter(|group| group.players.len() > 1) {
        for &player in &group.players {
            let Wdl { wins, draws, losses } = results[player];
            let [won, lost] = [wins, losses].map(|games| games as f64 + draws as f64 / 2.0 + 0.5);
            strengths[player] = (won / lost).ln();
        }
        let average = mean(group.players.iter().map(|&player| strengths[player]));
        let anchored = group.players.iter().filter_map(|player| anchors.get(player));
        let wanted = match group.scale {
            RatingScale::Average => 0.0,
            RatingScale::Anchors => mean(anchored.map(|anchor| anchor.elo.value() * ELO)),
        };
        group.players.iter().for_each(|&player| strengths[player] += wanted - average);
    }
    for (&player, anchor) in anchors {
        strengths[player] = anchor.elo.value() * ELO;
    }
    strengths
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

/// The games that count with the variance of a win or a loss: one for each player, spread over its encounters.
fn games_without_draws(encounters: &[Encounter], results: &[Wdl]) -> Vec<f64> {
    let share = |encounter: &Encounter| {
        let [white, black] = [encounter.white, encounter.black].map(|player| results[player].games() as f64);
        encounter.results.games() as f64 * (1.0 / white + 1.0 / black) / 2.0
    };
    encounters.iter().map(share).collect()
}
