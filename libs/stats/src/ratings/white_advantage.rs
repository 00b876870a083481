//! White's advantage: whether it can be estimated, and its bound if not.

use super::Encounter;
use super::rating_equations::{Observation, RatingEquations};
use crate::normal::Z_95;
use crate::root::bisect;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WhiteAdvantage {
    Known(f64),
    /// White won whatever could tell: at least this, which also counts.
    Above(f64),
    /// At most this, which also counts.
    Below(f64),
    /// Colours were never exchanged. It counts as 0.
    Unknown,
}

impl WhiteAdvantage {
    /// The value that counts for the ratings.
    pub(super) const fn value(self) -> f64 {
        match self {
            WhiteAdvantage::Known(value) | WhiteAdvantage::Above(value) | WhiteAdvantage::Below(value) => {
                value
            }
            WhiteAdvantage::Unknown => 0.0,
        }
    }
}

/// A difference at which scores are certain: 2084 Elo.
const FAR: f64 = 12.0;

/// The longest step on the way there.
const LONGEST_STEP: f64 = 2.0;

const HALVINGS: u32 = 40;

/// The end of the 95% interval of an advantage whose most likely value is infinite, by profile likelihood; `None` if the
/// likelihood hardly depends on it. The observations then have the bound as a known part of their differences.
pub(super) fn bound(
    observations: &mut [Observation],
    parameters: usize,
    adrift: &[Vec<usize>],
    start: &[f64],
) -> Option<WhiteAdvantage> {
    let known: Vec<f64> = observations.iter().map(|observation| observation.known).collect();
    let (mut at, mut ratings) = (0.0, start.to_vec());
    // Newton's method needs a start nearby, so that the advantage goes by steps.
    let mut likelihood = |advantage: f64| {
        loop {
            let left = advantage - at;
            let is_there = left.abs() <= LONGEST_STEP;
            at = if is_there { advantage } else { at + LONGEST_STEP.copysign(left) };
            observations.iter_mut().zip(&known).for_each(|(one, known)| one.known = known + at);
            let equations = RatingEquations { observations, parameters, adrift };
            ratings = equations.solve(ratings.clone()).parameters;
            if is_there {
                return equations.log_likelihood(&ratings);
            }
        }
    };
    let (below, above) = (likelihood(-FAR), likelihood(FAR));
    let (sign, wanted) = if above > below { (1.0, above) } else { (-1.0, below) };
    let wanted = wanted - Z_95 * Z_95 / 2.0;
    if likelihood(sign * -FAR) > wanted {
        likelihood(0.0);
        return None;
    }
    let (low, _) = bisect((-FAR, FAR), HALVINGS, |advantage| likelihood(sign * advantage) < wanted);
    likelihood(sign * low);
    Some(if sign > 0.0 { WhiteAdvantage::Above(low) } else { WhiteAdvantage::Below(-low) })
}

/// Whether the advantage of the first move has a finite most likely value.
///
/// The likelihood grows without end in a direction in which every encounter that was won in all its games becomes more
/// certain and no other changes. Where such a direction changes the advantage by 1, the changes d of the ratings
/// obey d(black) ≤ d(white) + 1 for all encounters in which White took points, and d(white) ≤ d(black) − 1 for all
/// in which Black did. Such inequalities have a solution unless the lengths on their right add up to less than 0 on
/// some circle of players, each of whom took points from the next. So the advantage is finite if there is a circle in
/// which more of the points were taken with White than with Black, and one where it is the other way round.
///
/// The encounters are in the order of White, then Black. `node` has for each player its node in the graph, below
/// `nodes`: anchors, whose ratings do not change, stand for the same one.
pub(super) fn is_estimable(nodes: usize, node: &[usize], encounters: &[Encounter]) -> bool {
    let turned = |one: &&Encounter| {
        let at = encounters.binary_search_by_key(&(one.black, one.white), |other| (other.white, other.black));
        at.ok().map(|at| encounters[at])
    };
    // In most pools two players make the circles by themselves.
    let has_circle = |scored: fn(&Encounter) -> bool| {
        encounters
            .iter()
            .filter(|one| scored(one))
            .any(|one| turned(&one).is_some_and(|other| scored(&other)))
    };
    if has_circle(Encounter::white_scored) && has_circle(Encounter::black_scored) {
        return true;
    }
    let edges: Vec<Edge> = encounters
        .iter()
        .flat_map(|encounter| {
            let (white, black) = (node[encounter.white], node[encounter.black]);
            let forth = encounter.white_scored().then_some(Edge { from: white, to: black, length: 1 });
            let back = encounter.black_scored().then_some(Edge { from: black, to: white, length: -1 });
            forth.into_iter().chain(back)
        })
        .collect();
    [1, -1].into_iter().all(|sign| has_negative_circle(nodes, &edges, sign))
}

/// Points went from `to` to `from`.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: usize,
    to: usize,
    /// 1 if they were taken with White, −1 if with Black.
    length: i64,
}

/// The algorithm of Bellman and Ford, with lengths times `sign`. Without a negative circle no path is shorter than
/// minus the number of its edges, which usually ends the search after a few rounds.
fn has_negative_circle(nodes: usize, edges: &[Edge], sign: i64) -> bool {
    let mut distance = vec![0_i64; nodes];
    loop {
        let mut is_shorter = false;
        for edge in edges {
            let through = distance[edge.from] + sign * edge.length;
            if through < distance[edge.to] {
                if through <= -(nodes as i64) {
                    return true;
                }
                distance[edge.to] = through;
                is_shorter = true;
            }
        }
        if !is_shorter {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wdl;

    fn estimable(players: usize, encounters: &[(usize, usize, Wdl)]) -> bool {
        let list: Vec<Encounter> =
            encounters.iter().map(|&(white, black, results)| Encounter { white, black, results }).collect();
        is_estimable(players, &(0..players).collect::<Vec<_>>(), &list)
    }

    #[test]
    fn it_takes_both_colours_and_points_against_the_colour_on_a_circle_of_players() {
        let (mixed, all) = (Wdl::new(2, 0, 1), Wdl::new(4, 0, 0));
        for (players, is_known, encounters) in [
            (2, true, vec![(0, 1, mixed), (1, 0, mixed)]),
            (3, true, vec![(0, 1, mixed), (1, 2, mixed), (2, 0, mixed)]),
            // Colours were never exchanged.
            (2, false, vec![(0, 1, mixed)]),
            (3, false, vec![(0, 1, mixed), (0, 2, mixed)]),
            // One colour always wins.
            (2, false, vec![(0, 1, all), (1, 0, all)]),
            (3, false, vec![(0, 1, all), (1, 2, all), (2, 0, all)]),
        ] {
            assert_eq!(estimable(players, &encounters), is_known, "{encounters:?}");
        }
    }
}
