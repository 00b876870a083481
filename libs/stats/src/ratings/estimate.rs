//! The most likely ratings of players in groups, with their covariance.

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use super::covariance::Covariance;
use super::draw_rate::draw_rate;
use super::observation::{Observation, Parameters};
use super::rating_equations::RatingEquations;
use super::{Encounter, RatingGroup, RatingScale, white_advantage};
use crate::{Elo, Wdl};

/// One Elo on the natural scale of the logistic function.
pub(super) const ELO: f64 = LN_10 / 400.0;

/// Ratings on the natural scale.
#[derive(Debug)]
pub(super) struct Estimate {
    /// By player; meaningless for players without a group.
    pub strengths: Vec<f64>,
    /// White's advantage; `None` if it cannot be estimated and counts as 0.
    pub white_advantage: Option<f64>,
    /// The share of draws between equal players; `None` without games.
    pub draw_rate: Option<f64>,
    parameters: Parameters,
    covariance: Covariance,
}

impl Estimate {
    /// The ratings in the groups, from the encounters within a group. `group_of` has the group of each player.
    pub(super) fn new(
        encounters: &[Encounter],
        groups: &[RatingGroup],
        group_of: &[Option<usize>],
        anchors: &BTreeMap<usize, Elo>,
    ) -> Estimate {
        let players = group_of.len();
        let within = |encounter: &&Encounter| {
            group_of[encounter.white].is_some() && group_of[encounter.white] == group_of[encounter.black]
        };
        let encounters: Vec<Encounter> = encounters.iter().filter(within).copied().collect();
        let results = totals(players, &encounters);
        let node: Vec<usize> =
            (0..players).map(|player| if anchors.contains_key(&player) { players } else { player }).collect();
        let has_advantage = white_advantage::is_estimable(players + 1, &node, &encounters);
        // The only player of a group has the rating 0.
        let is_estimated = |player: &usize| {
            group_of[*player].is_some_and(|group| groups[group].players.len() > 1)
                && !anchors.contains_key(player)
        };
        let parameters = Parameters::new(players, (0..players).filter(is_estimated), has_advantage);
        let mut strengths = starting_points(groups, &results, anchors);
        let observations: Vec<Observation> =
            encounters.iter().map(|encounter| parameters.observe(encounter, &strengths)).collect();
        let adrift: Vec<Vec<usize>> = groups
            .iter()
            .filter(|group| group.scale == RatingScale::Average)
            .map(|group| group.players.iter().filter_map(|&player| parameters.of_player[player]).collect())
            .collect();
        let equations =
            RatingEquations { observations: &observations, parameters: parameters.count, adrift: &adrift };
        let solution = equations.solve(parameters.gather(&strengths));
        let covariance = Covariance::new(&equations, &solution, &games_without_draws(&encounters, &results));
        parameters.scatter(&solution.parameters, &mut strengths);
        let draws: Vec<_> = observations
            .iter()
            .map(|one| (one.expected(&solution.parameters), one.games(), one.results.draws as f64))
            .collect();
        let white_advantage = parameters.white_advantage.map(|parameter| solution.parameters[parameter]);
        Estimate { strengths, white_advantage, draw_rate: draw_rate(&draws), parameters, covariance }
    }

    /// The variance of the difference of two players of the same group.
    pub(super) fn variance_of_difference(&self, one: usize, other: usize) -> f64 {
        self.covariance(one, one) + self.covariance(other, other) - 2.0 * self.covariance(one, other)
    }

    /// The covariance of two players of the same group, on the scale of the group.
    pub(super) fn covariance(&self, one: usize, other: usize) -> f64 {
        let [one, other] = [one, other].map(|player| self.parameters.of_player[player]);
        one.zip(other).map_or(0.0, |(one, other)| self.covariance.of(one, other))
    }

    /// The variance of the advantage of the first move; 0 when it is not estimated.
    pub(super) fn variance_of_advantage(&self) -> f64 {
        self.parameters.white_advantage.map_or(0.0, |parameter| self.covariance.of(parameter, parameter))
    }
}

/// The results of each player with either colour.
pub(super) fn totals(players: usize, encounters: &[Encounter]) -> Vec<Wdl> {
    let mut totals = vec![Wdl::default(); players];
    for encounter in encounters {
        totals[encounter.white] += encounter.results;
        totals[encounter.black] += encounter.results.reversed();
    }
    totals
}

/// The ratings of anchors; for all others the rating by their score if all opponents were average. The average of a
/// group is 0, or that of its anchors.
fn starting_points(groups: &[RatingGroup], results: &[Wdl], anchors: &BTreeMap<usize, Elo>) -> Vec<f64> {
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
            RatingScale::Anchors => mean(anchored.map(|elo| elo.value() * ELO)),
        };
        group.players.iter().for_each(|&player| strengths[player] += wanted - average);
    }
    for (&player, elo) in anchors {
        strengths[player] = elo.value() * ELO;
    }
    strengths
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

/// For each encounter, its part of one game of each player.
fn games_without_draws(encounters: &[Encounter], results: &[Wdl]) -> Vec<f64> {
    let share = |encounter: &Encounter| {
        let [white, black] = [encounter.white, encounter.black].map(|player| results[player].games() as f64);
        encounter.results.games() as f64 * (1.0 / white + 1.0 / black) / 2.0
    };
    encounters.iter().map(share).collect()
}
