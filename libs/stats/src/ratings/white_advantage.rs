//! White's advantage: whether it can be estimated, and its bound if it cannot.

use super::Encounter;
use super::rating_equations::{Given, Observation, RatingEquations};
use crate::normal::Z_95;
use crate::root::bisect;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WhiteAdvantage {
    Known(f64),
    /// Every relevant point went to White: the advantage is at least this bound.
    Above(f64),
    /// Every relevant point went to Black: the advantage is at most this bound.
    Below(f64),
    /// Colours were never exchanged. The ratings use 0.
    Unknown,
}

impl WhiteAdvantage {
    /// The value that the ratings use: the best known, or else the possible one nearest to 0.
    pub(super) const fn value(self) -> f64 {
        match self {
            WhiteAdvantage::Known(value) => value,
            WhiteAdvantage::Above(bound) => bound.max(0.0),
            WhiteAdvantage::Below(bound) => bound.min(0.0),
            WhiteAdvantage::Unknown => 0.0,
        }
    }
}

/// A difference at which scores are certain, on the natural scale: 2084 Elo.
const FAR: f64 = 12.0;

/// The longest step towards such a difference.
const LONGEST_STEP: f64 = 2.0;

const HALVINGS: u32 = 40;

/// The finite end of the 95% interval of an advantage whose most likely value is infinite, by profile likelihood; `None`
/// if the likelihood hardly depends on it. Its [`value`](WhiteAdvantage::value) is added to the known part of the
/// observations' differences.
pub(super) fn bound(
    observations: &mut [Observation],
    parameters: usize,
    adrift: &[Vec<usize>],
    given: &[Given],
    start: &[f64],
) -> Option<WhiteAdvantage> {
    let known: Vec<f64> = observations.iter().map(|observation| observation.known).collect();
    let (mut at, mut ratings) = (0.0, start.to_vec());
    // Newton's method needs a start nearby, so the advantage is changed in steps.
    let mut likelihood = |advantage: f64| {
        loop {
            let left = advantage - at;
            let is_there = left.abs() <= LONGEST_STEP;
            at = if is_there { advantage } else { at + LONGEST_STEP.copysign(left) };
            observations.iter_mut().zip(&known).for_each(|(one, known)| one.known = known + at);
            let equations = RatingEquations { observations, parameters, adrift, given };
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
    let found = if sign > 0.0 { WhiteAdvantage::Above(low) } else { WhiteAdvantage::Below(-low) };
    likelihood(found.value());
    Some(found)
}

/// Whether White's advantage has a finite most likely value.
///
/// It has none if there is a direction in which every encounter with only wins for one side becomes more certain and no
/// other changes, because the likelihood then grows without end. If the advantage changes by 1 in that direction, the
/// changes d of the ratings satisfy d(black) ≤ d(white) + 1 for all encounters in which White took points, and d(white)
/// ≤ d(black) − 1 for all in which Black did. Such inequalities have a solution unless their constants sum to less than
/// 0 on some cycle of players, each of whom took points from the next. So the advantage is finite if on one cycle more
/// of the points were taken with White than with Black, and on another more with Black.
///
/// The encounters are sorted by White, then Black. `node` gives each player's node in the graph, below `nodes`; anchors,
/// whose ratings are fixed, share one node.
pub(super) fn is_estimable(nodes: usize, node: &[usize], encounters: &[Encounter]) -> bool {
    let turned = |one: &&Encounter| {
        let at = encounters.binary_search_by_key(&(one.black, one.white), |other| (other.white, other.black));
        at.ok().map(|at| encounters[at])
    };
    // In most pools there are such cycles of two players.
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
            let edge = |(from, to): (usize, usize)| {
                let length = if from == encounter.white { 1 } else { -1 };
                Edge { from: node[from], to: node[to], length }
            };
            encounter.points_taken().map(edge)
        })
        .collect();
    [1, -1].into_iter().all(|sign| has_negative_circle(nodes, &edges, sign))
}

/// An edge for points that `from` took from `to`.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: usize,
    to: usize,
    /// 1 if `from` had White, −1 if Black.
    length: i64,
}

/// The Bellman–Ford algorithm, with lengths times `sign`. Without a negative cycle no path is shorter than minus the
/// number of its edges, which usually ends the search after a few rounds.
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
