//! The graph of points: which players can be compared.

use super::Encounter;

/// The directed graph with an edge from every player to those that it took points from.
///
/// Anchors are joined both ways, since their differences are known.
#[derive(Debug)]
pub(super) struct Connections {
    /// Where the edges of each player begin in `targets`; one more at the end.
    starts: Vec<usize>,
    targets: Vec<usize>,
}

impl Connections {
    /// The graph of `players` players.
    pub(super) fn new(players: usize, encounters: &[Encounter], anchors: &[usize]) -> Connections {
        let games = encounters.iter().flat_map(|encounter| {
            let forth = encounter.white_scored().then_some((encounter.white, encounter.black));
            let back = encounter.black_scored().then_some((encounter.black, encounter.white));
            forth.into_iter().chain(back)
        });
        let anchored = anchors.windows(2).flat_map(|two| [(two[0], two[1]), (two[1], two[0])]);
        Connections::of_edges(players, &games.chain(anchored).collect::<Vec<_>>())
    }

    fn of_edges(players: usize, edges: &[(usize, usize)]) -> Connections {
        let mut starts = vec![0; players + 1];
        for &(from, _) in edges {
            starts[from + 1] += 1;
        }
        for player in 0..players {
            starts[player + 1] += starts[player];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges {
            targets[next[from]] = to;
            next[from] += 1;
        }
        Connections { starts, targets }
    }

    fn players(&self) -> usize {
        self.starts.len() - 1
    }

    fn targets(&self, player: usize) -> &[usize] {
        &self.targets[self.starts[player]..self.starts[player + 1]]
    }

    /// The graph with all edges reversed.
    pub(super) fn reversed(&self) -> Connections {
        let edges = (0..self.players()).flat_map(|from| self.targets(from).iter().map(move |&to| (to, from)));
        Connections::of_edges(self.players(), &edges.collect::<Vec<_>>())
    }

    /// Whether a path leads from one of the players to each player; to themselves it does.
    pub(super) fn reached_from(&self, players: &[usize]) -> Vec<bool> {
        let mut reached = vec![false; self.players()];
        let mut open = players.to_vec();
        while let Some(player) = open.pop() {
            if !std::mem::replace(&mut reached[player], true) {
                open.extend(self.targets(player).iter().filter(|&&target| !reached[target]));
            }
        }
        reached
    }

    /// Numbers the strongly connected components: two players have the same number if paths lead both ways.
    ///
    /// Two passes of depth-first search (Kosaraju; Sharir, "A Strong-Connectivity Algorithm", 1981), without
    /// recursion.
    pub(super) fn strong_components(&self) -> Vec<usize> {
        let backward = self.reversed();
        let mut component = vec![usize::MAX; self.players()];
        let mut count = 0;
        for &root in self.finishing_order().iter().rev() {
            let mut open = vec![root];
            let mut is_new = false;
            while let Some(player) = open.pop() {
                if component[player] == usize::MAX {
                    component[player] = count;
                    is_new = true;
                    open.extend(backward.targets(player));
                }
            }
            count += usize::from(is_new);
        }
        component
    }

    /// The players in the order in which a depth-first search is done with them.
    fn finishing_order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.players());
        let mut seen = vec![false; self.players()];
        // A player and the number of its edges followed so far.
        let mut path: Vec<(usize, usize)> = Vec::new();
        for root in 0..self.players() {
            if !std::mem::replace(&mut seen[root], true) {
                path.push((root, 0));
            }
            while let Some((player, followed)) = path.last_mut() {
                if let Some(&target) = self.targets(*player).get(*followed) {
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

    /// Numbers the weakly connected components.
    pub(super) fn weak_components(&self) -> Vec<usize> {
        let backward = self.reversed();
        let mut component = vec![usize::MAX; self.players()];
        let mut count = 0;
        for root in 0..self.players() {
            let mut open = vec![root];
            let mut is_new = false;
            while let Some(player) = open.pop() {
                if component[player] == usize::MAX {
                    component[player] = count;
                    is_new = true;
                    open.extend(self.targets(player).iter().chain(backward.targets(player)));
                }
            }
            count += usize::from(is_new);
        }
        component
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wdl;

    fn wins(list: &[(usize, usize)]) -> Vec<Encounter> {
        list.iter().map(|&(white, black)| Encounter { white, black, results: Wdl::new(1, 0, 0) }).collect()
    }

    #[test]
    fn a_circle_of_wins_is_strong_and_what_hangs_on_it_is_not() {
        let graph = Connections::new(6, &wins(&[(0, 1), (1, 2), (2, 0), (2, 3), (4, 0)]), &[]);
        let strong = graph.strong_components();
        assert!(strong[0] == strong[1] && strong[1] == strong[2]);
        let others: std::collections::BTreeSet<usize> = strong.iter().copied().collect();
        assert_eq!(others.len(), 4);
        let weak = graph.weak_components();
        assert!(weak[..5].iter().all(|&component| component == weak[0]) && weak[5] != weak[0]);
    }

    #[test]
    fn a_draw_joins_both_ways() {
        let draw = Encounter { white: 0, black: 1, results: Wdl::new(0, 1, 0) };
        let strong = Connections::new(2, &[draw], &[]).strong_components();
        assert_eq!(strong[0], strong[1]);
    }

    #[test]
    fn anchors_are_joined_without_games() {
        let strong = Connections::new(4, &[], &[0, 2, 3]).strong_components();
        assert!(strong[0] == strong[2] && strong[2] == strong[3] && strong[1] != strong[0]);
    }

    #[test]
    fn paths_follow_the_points() {
        let graph = Connections::new(4, &wins(&[(0, 1), (1, 2)]), &[]);
        assert_eq!(graph.reached_from(&[1]), [false, true, true, false]);
        assert_eq!(graph.reversed().reached_from(&[1]), [true, true, false, false]);
    }
}
