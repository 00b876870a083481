//! From the connections between players to the groups in which they are rated.

use std::cmp::Reverse;

use super::connections::Connections;
use super::{Encounter, GroupLink, RatingGroup, RatingScale};
use crate::Wdl;

/// The groups, the largest first.
///
/// A group is a strongly connected component with at least two players or an anchor. Where players met and there is
/// none, the one with the most games stands for a group, so that the others can be rated beside it.
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

/// The indices that have the same number, in ascending order.
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
