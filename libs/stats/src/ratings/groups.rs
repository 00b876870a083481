//! The graph of points taken, and the groups in which players can be compared.

use std::cmp::Reverse;

use super::{Encounter, GroupLink, RatingGroup, RatingScale};
use crate::Wdl;

/// The directed graph with an edge from every player to each player that it took points from.
///
/// Anchors are connected both ways, since their differences are known.
#[derive(Debug)]
pub(super) struct Connections {
    /// For each player, the players that its edges lead to.
    targets: Vec<Vec<usize>>,
}

impl Connections {
    pub(super) fn new(players: usize, encounters: &[Encounter], anchors: &[usize]) -> Connections {
        let games = encounters.iter().flat_map(Encounter::points_taken);
        let anchored = anchors.windows(2).flat_map(|two| [(two[0], two[1]), (two[1], two[0])]);
        Connections::of_edges(players, games.chain(anchored))
    }

    fn of_edges(players: usize, edges: impl Iterator<Item = (usize, usize)>) -> Connections {
        let mut targets = vec![Vec::new(); players];
        edges.for_each(|(from, to)| targets[from].push(to));
        Connections { targets }
    }

    fn players(&self) -> usize {
        self.targets.len()
    }

    pub(super) fn reversed(&self) -> Connections {
        let edges = self.targets.iter().enumerate();
        let turned = edges.flat_map(|(from, targets)| targets.iter().map(move |&to| (to, from)));
        Connections::of_edges(self.players(), turned)
    }

    /// Whether each player can be reached by a path from one of `players`, which includes these players.
    pub(super) fn reached_from(&self, players: &[usize]) -> Vec<bool> {
        let mut reached = vec![false; self.players()];
        let mut open = players.to_vec();
        while let Some(player) = open.pop() {
            if !std::mem::replace(&mut reached[player], true) {
                open.extend(self.targets[player].iter().filter(|&&target| !reached[target]));
            }
        }
        reached
    }

    /// Numbers the strongly connected components: two players have the same number if there are paths both ways.
    ///
    /// Two passes of depth-first search (Kosaraju; Sharir, "A Strong-Connectivity Algorithm", 1981), without
    /// recursion.
    pub(super) fn strong_components(&self) -> Vec<usize> {
        let backward = self.reversed();
        let roots = self.finishing_order().into_iter().rev();
        self.components(roots, |player, open| open.extend(&backward.targets[player]))
    }

    pub(super) fn weak_components(&self) -> Vec<usize> {
        let backward = self.reversed();
        self.components(0..self.players(), |player, open| {
            open.extend(self.targets[player].iter().chain(&backward.targets[player]));
        })
    }

    /// Numbers each player by the first root from which it can be reached.
    fn components(
        &self,
        roots: impl Iterator<Item = usize>,
        add_next: impl Fn(usize, &mut Vec<usize>),
    ) -> Vec<usize> {
        let mut component = vec![usize::MAX; self.players()];
        let mut count = 0;
        for root in roots {
            let mut open = vec![root];
            let mut is_new = false;
            while let Some(player) = open.pop() {
                if component[player] == usize::MAX {
                    component[player] = count;
                    is_new = true;
                    add_next(player, &mut open);
                }
            }
            count += usize::from(is_new);
        }
        component
    }

    /// The players in the order in which a depth-first search finishes them.
    fn finishing_order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.players());
        let mut seen = vec![false; self.players()];
        // A player, and the number of its edges that have been followed.
        let mut path: Vec<(usize, usize)> = Vec::new();
        for root in 0..self.players() {
            if !std::mem::replace(&mut seen[root], true) {
                path.push((root, 0));
            }
            while let Some((player, followed)) = path.last_mut() {
                if let Some(&target) = self.targets[*player].get(*followed) {
                    *followed += 1;
                    if !std::mem::replace(&mut seen[target], true) {
                        path.push((target, 0));
                    }
                } else {
                    order.push(*player);
                    path.pop();
                }
            }
        }
        order
    }
}

/// The groups, the largest first.
///
/// A group is a strongly connected component with at least two players or an anchor. If players met but have no
/// such component, the player with the most games forms a group, relative to which the others can be rated.
pub(super) fn find_groups(encounters: &[Encounter], results: &[Wdl], anchors: &[usize]) -> Vec<RatingGroup> {
    let players = results.len();
    let graph = Connections::new(players, encounters, anchors);
    let weak = graph.weak_components();
    let mut has_group = vec![false; players];
    let mut groups = Vec::new();
    for players in members(&graph.strong_components()) {
        let is_anchored = players.iter().any(|player| anchors.binary_search(player).is_ok());
        if players.len() > 1 || is_anchored {
            has_group[weak[players[0]]] = true;
            let scale = if is_anchored { RatingScale::Anchors } else { RatingScale::Average };
            groups.push(RatingGroup { players, scale, link: None });
        }
    }
    for players in members(&weak) {
        if players.len() > 1 && !has_group[weak[players[0]]] {
            let most_games = players.into_iter().min_by_key(|&player| Reverse(results[player].games()));
            let players = most_games.into_iter().collect();
            groups.push(RatingGroup { players, scale: RatingScale::Average, link: None });
        }
    }
    let games =
        |group: &RatingGroup| group.players.iter().map(|&player| results[player].games()).sum::<u64>();
    groups.sort_by_key(|group| (Reverse(group.players.len()), Reverse(games(group)), group.players[0]));
    link_to_first(&mut groups, &graph, &weak);
    groups
}

/// The indices that share each number, in ascending order.
fn members(numbers: &[usize]) -> Vec<Vec<usize>> {
    let count = numbers.iter().max().map_or(0, |most| most + 1);
    let mut members = vec![Vec::new(); count];
    for (index, &number) in numbers.iter().enumerate() {
        members[number].push(index);
    }
    members
}

fn link_to_first(groups: &mut [RatingGroup], graph: &Connections, weak: &[usize]) {
    let Some((first, others)) = groups.split_first_mut() else { return };
    if others.is_empty() {
        return;
    }
    let worse = graph.reached_from(&first.players);
    let better = graph.reversed().reached_from(&first.players);
    for group in others {
        let player = group.players[0];
        group.link = Some(match (better[player], worse[player]) {
            _ if weak[player] != weak[first.players[0]] => GroupLink::NeverMet,
            (true, _) => GroupLink::Above,
            (_, true) => GroupLink::Below,
            _ => GroupLink::Unclear,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_of_wins_is_strong_and_what_hangs_on_it_is_not() {
        let wins = [(0, 1), (1, 2), (2, 0), (2, 3), (4, 0)].map(|(white, black)| Encounter {
            white,
            black,
            results: Wdl::new(1, 0, 0),
        });
        let graph = Connections::new(6, &wins, &[]);
        let strong = graph.strong_components();
        assert!(strong[0] == strong[1] && strong[1] == strong[2]);
        let others: std::collections::BTreeSet<usize> = strong.iter().copied().collect();
        assert_eq!(others.len(), 4);
        let weak = graph.weak_components();
        assert!(weak[..5].iter().all(|&component| component == weak[0]) && weak[5] != weak[0]);
    }
}
