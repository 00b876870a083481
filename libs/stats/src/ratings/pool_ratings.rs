//! The ratings of a pool of players.

use std::collections::BTreeMap;

use super::cluster::{encounters, observations};
use super::estimate::{ELO, Estimate, totals};
use super::groups::find_groups;
use super::open_end::OpenEnd;
use super::white_advantage::WhiteAdvantage;
use super::{Anchor, Cluster, DrawRate, Encounter, PlayerRating, RatingGroup};
use crate::{Elo, EloEstimate, Los, Score};

/// The ratings of a pool of players, by index.
///
/// Defined for any set of games, including an empty one.
///
/// ```
/// use stats::Outcome::{Draw, Loss, Win};
///
/// // Player 0 beats player 1, who beats player 2 and draws.
/// let games = vec![(0, 1, Win), (1, 0, Draw), (1, 2, Win), (2, 1, Draw), (2, 0, Loss)];
/// let pairs = [stats::ratings::Cluster { games, times: 5 }];
/// let ratings = stats::ratings::PoolRatings::new(3, &pairs, &Default::default());
/// assert!(ratings.difference(0, 1).expect("they have met").elo.value() > 0.0);
/// ```
#[derive(Debug)]
pub struct PoolRatings {
    players: Vec<PlayerRating>,
    groups: Vec<RatingGroup>,
    estimate: Estimate,
    open_ends: BTreeMap<usize, OpenEnd>,
    /// The score of each group of two players, which is rated by its score like any match.
    matches: BTreeMap<(usize, usize), Score>,
}

impl PoolRatings {
    /// The maximum-likelihood ratings of `players` players. Anchors have a given rating.
    ///
    /// Games of a player against itself are left out. The time grows with the number of games in different clusters and
    /// with the cube of the number of players.
    ///
    /// # Panics
    /// If a game or an anchor has an index of at least `players`, or an anchor is infinite or has an error below 0.
    pub fn new(players: usize, clusters: &[Cluster], anchors: &BTreeMap<usize, Anchor>) -> PoolRatings {
        let is_sound = |anchor: &Anchor| anchor.elo.value().is_finite() && anchor.error >= 0.0;
        assert!(anchors.values().all(is_sound), "an anchor must have a finite rating");
        let is_fixed = |player: usize| anchors.get(&player).is_some_and(|anchor| anchor.error == 0.0);
        let encounters = encounters(clusters);
        let results = totals(players, &encounters);
        let anchored: Vec<usize> = anchors.keys().copied().collect();
        let groups = find_groups(&encounters, &results, &anchored);
        let mut group_of = vec![None; players];
        for (index, group) in groups.iter().enumerate() {
            group.players.iter().for_each(|&player| group_of[player] = Some(index));
        }
        let estimate = Estimate::new(&encounters, clusters, &groups, &group_of, anchors);
        let players = results.into_iter().zip(group_of).enumerate().map(|(player, (results, group))| {
            let rating = group.map(|_| interval(estimate.strengths[player], estimate.reach(player)));
            PlayerRating { results, rating, group, is_anchor: is_fixed(player) }
        });
        let (players, open_ends, matches) = (players.collect(), BTreeMap::new(), BTreeMap::new());
        let mut ratings = PoolRatings { players, groups, estimate, open_ends, matches };
        ratings.find_open_ends(&encounters);
        ratings.rate_matches(clusters, &|player| anchors.contains_key(&player) && !is_fixed(player));
        ratings
    }

    /// The players by index.
    pub fn players(&self) -> &[PlayerRating] {
        &self.players
    }

    /// The groups within which ratings can be compared, the one with the most players first.
    pub fn groups(&self) -> &[RatingGroup] {
        &self.groups
    }

    /// White's advantage; infinite with one finite bound if all relevant points went to one colour. `None` if colours
    /// were never exchanged; the ratings then assume an advantage of 0.
    pub fn white_advantage(&self) -> Option<EloEstimate> {
        let of = |elo: f64, lower: f64, upper: f64| EloEstimate {
            elo: Elo::new(elo),
            lower: Elo::new(lower),
            upper: Elo::new(upper),
        };
        match self.estimate.white_advantage {
            WhiteAdvantage::Known(advantage) => Some(interval(advantage, self.estimate.reach_of_advantage())),
            WhiteAdvantage::Above(bound) => Some(of(f64::INFINITY, bound / ELO, f64::INFINITY)),
            WhiteAdvantage::Below(bound) => Some(of(f64::NEG_INFINITY, f64::NEG_INFINITY, bound / ELO)),
            WhiteAdvantage::Unknown => None,
        }
    }

    /// The share of draws between equal players; `None` without games in a group. The ratings do not depend on it.
    pub fn draw_rate(&self) -> Option<DrawRate> {
        self.estimate.draw_rate
    }

    /// The rating difference with its 95% interval; `None` if the players cannot be compared.
    ///
    /// The ratings are not independent, since the players of a group share the errors of their opponents.
    /// For a group of two it is the interval of their match.
    pub fn difference(&self, one: usize, other: usize) -> Option<EloEstimate> {
        let [first, second] = [one, other].map(|player| &self.players[player]);
        if first.group != second.group {
            return None;
        }
        if let Some(score) = self.score_of(one, other) {
            return Some(EloEstimate::new(&score));
        }
        let (this, that) = (first.rating?, second.rating?);
        match (first.is_open_ended(), second.is_open_ended()) {
            (true, true) => None,
            (false, false) => {
                let lead = self.estimate.strengths[one] - self.estimate.strengths[other];
                Some(interval(lead, self.estimate.reach_of_difference(one, other)))
            }
            (true, false) => {
                let lead = |elo: Elo| Elo::new(elo.value() - that.elo.value());
                Some(EloEstimate { elo: lead(this.elo), lower: lead(this.lower), upper: lead(this.upper) })
            }
            (false, true) => self.difference(other, one).map(std::ops::Neg::neg),
        }
    }

    /// The likelihood that `one` is better than `other`; `None` if they cannot be compared.
    pub fn superiority(&self, one: usize, other: usize) -> Option<Los> {
        let [first, second] = [one, other].map(|player| &self.players[player]);
        if one == other || first.group.is_none() || first.group != second.group {
            return None;
        }
        if let Some(score) = self.score_of(one, other) {
            return Some(Los::new(&score));
        }
        let strengths = &self.estimate.strengths;
        let probability = match (self.open_ends.get(&one), self.open_ends.get(&other)) {
            (Some(_), Some(_)) => return None,
            (Some(end), None) => end.superiority(strengths[other]),
            (None, Some(end)) => 1.0 - end.superiority(strengths[one]),
            (None, None) => {
                let lead = strengths[one] - strengths[other];
                return Some(match self.estimate.lead_in_errors(one, other) {
                    Some(lead) => Los::of_difference(lead, 1.0),
                    None => Los::of_difference(lead, 0.0),
                });
            }
        };
        Some(Los::of_probability(probability))
    }

    /// The score of `one` against `other` if they are a group of two.
    fn score_of(&self, one: usize, other: usize) -> Option<Score> {
        let turned = || self.matches.get(&(other, one)).map(Score::reversed);
        self.matches.get(&(one, other)).copied().or_else(turned)
    }

    /// Gives the players of each group of two, without loose anchors, the ratings by their match.
    fn rate_matches(&mut self, clusters: &[Cluster], is_loose: &dyn Fn(usize) -> bool) {
        for group in 0..self.groups.len() {
            let is_in = |player: &usize| self.players[*player].group == Some(group);
            let members: Vec<usize> = (0..self.players.len()).filter(is_in).take(3).collect();
            let [one, other] = members[..] else { continue };
            let fixed = [one, other].map(|player| self.players[player].is_anchor);
            if fixed == [true, true] || is_loose(one) || is_loose(other) {
                continue;
            }
            let score = observations(clusters, one, other).score();
            let lead = EloEstimate::new(&score);
            let rating = |lead: EloEstimate, factor: f64, zero: f64| {
                let of = |elo: Elo| Elo::new(elo.value() * factor + zero);
                EloEstimate { elo: of(lead.elo), lower: of(lead.lower), upper: of(lead.upper) }
            };
            let behind = -lead;
            let zero = |player: usize| self.estimate.strengths[player] / ELO;
            let (first, second) = match (fixed, &self.groups[group].players[..]) {
                ([true, false], _) => (None, Some(rating(behind, 1.0, zero(one)))),
                ([false, true], _) => (Some(rating(lead, 1.0, zero(other))), None),
                (_, [rated]) if *rated == one => (None, Some(rating(behind, 1.0, zero(one)))),
                (_, [_]) => (Some(rating(lead, 1.0, zero(other))), None),
                _ => (Some(rating(lead, 0.5, 0.0)), Some(rating(behind, 0.5, 0.0))),
            };
            for (player, rating) in [(one, first), (other, second)] {
                if let Some(rating) = rating {
                    self.players[player].rating = Some(rating);
                }
            }
            self.matches.insert((one, other), score);
        }
    }

    /// Rates players that won or lost all games against a group, and then those connected only to such players.
    fn find_open_ends(&mut self, encounters: &[Encounter]) {
        let mut games_of: BTreeMap<usize, Vec<&Encounter>> = BTreeMap::new();
        for encounter in encounters {
            for player in [encounter.white, encounter.black] {
                if self.players[player].group.is_none() {
                    games_of.entry(player).or_default().push(encounter);
                }
            }
        }
        loop {
            let found: Vec<_> = games_of
                .iter()
                .filter_map(|(&player, games)| Some((player, self.open_end(player, games)?)))
                .collect();
            if found.is_empty() {
                return;
            }
            for (player, (group, end)) in found {
                games_of.remove(&player);
                let bound = Elo::new(end.bound() / ELO);
                let infinite = Elo::new(if end.won { f64::INFINITY } else { f64::NEG_INFINITY });
                let (lower, upper) = if end.won { (bound, infinite) } else { (infinite, bound) };
                self.players[player].rating = Some(EloEstimate { elo: infinite, lower, upper });
                self.players[player].group = Some(group);
                self.estimate.strengths[player] = bound.value() * ELO;
                self.open_ends.insert(player, end);
            }
        }
    }

    /// The games of a player without a group that rate it on the scale of the first group that it met.
    ///
    /// Of games against opponents with open-ended ratings, only wins against one that is open above and losses against
    /// one that is open below count; the opponent's bound is then used as its rating.
    fn open_end(&self, player: usize, games: &[&Encounter]) -> Option<(usize, OpenEnd)> {
        let opponent = |encounter: &Encounter| {
            if encounter.white == player { encounter.black } else { encounter.white }
        };
        let won = |encounter: &Encounter| (encounter.white == player) == encounter.white_scored();
        let tells = |encounter: &&&Encounter| {
            let met = opponent(encounter);
            self.players[met].group.is_some()
                && self.open_ends.get(&met).is_none_or(|end| end.won == won(encounter))
        };
        let group = games.iter().filter(tells).filter_map(|game| self.players[opponent(game)].group).min()?;
        let telling: Vec<&Encounter> = games
            .iter()
            .filter(tells)
            .filter(|game| self.players[opponent(game)].group == Some(group))
            .copied()
            .collect();
        // Results against rated players decide; against open-ended players there may be both kinds.
        let is_rated = |game: &&&Encounter| !self.open_ends.contains_key(&opponent(game));
        let has_won = won(telling.iter().find(is_rated).or(telling.first())?);
        let advantage = self.estimate.white_advantage.value();
        let opposition = telling.iter().filter(|game| won(game) == has_won).map(|game| {
            let colour = if game.white == player { -advantage } else { advantage };
            (self.estimate.strengths[opponent(game)] + colour, game.results.games() as f64)
        });
        Some((group, OpenEnd { won: has_won, opposition: opposition.collect() }))
    }
}

fn interval(value: f64, [down, up]: [f64; 2]) -> EloEstimate {
    let elo = |value: f64| Elo::new(value / ELO);
    EloEstimate { elo: elo(value), lower: elo(value - down), upper: elo(value + up) }
}

#[cfg(test)]
mod tests;
