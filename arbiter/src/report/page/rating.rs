//! The ratings of a run's engines.

use std::collections::BTreeMap;

use super::run_report::ShownRun;
use stats::ratings::{Clusters, GroupLink, RatingList};

/// The engines by their index, group by group, the best of each first; those that cannot be rated last.
pub fn best_first(run: &ShownRun, list: &RatingList) -> Vec<usize> {
    let players = list.players();
    // Who lost all games against a group has no estimate; the score decides among such.
    let mut order = run.summary.by_score();
    order.sort_by(|&one, &other| players[one].best_first(&players[other]));
    order
}

/// The ratings by the index of the engine, with their covariance.
pub fn rating_list(run: &ShownRun) -> RatingList {
    let clusters = Clusters::of([run.facts.colours.games()]).clusters;
    RatingList::new(run.summary.engines.len(), &clusters, &BTreeMap::new())
}

/// How a group compares with the first one, in words.
pub const fn link_text(link: GroupLink) -> &'static str {
    match link {
        GroupLink::NeverMet => "no games against group 1",
        GroupLink::Above => "stronger than group 1 by an unknown amount: it scored 100% against it",
        GroupLink::Below => "weaker than group 1 by an unknown amount: it scored 0% against it",
        GroupLink::Unclear => "not comparable with group 1: too few results connect them",
    }
}
