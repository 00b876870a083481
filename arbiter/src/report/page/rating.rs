//! The ratings of a run's engines, and the verdict by ratings.

use std::collections::BTreeMap;

use super::shown_run::ShownRun;
use crate::report::verdict::{MOST_NAMED, lead_text, verdict};
use crate::text::listed;
use crate::text::number_text::counted;
use stats::EloEstimate;
use stats::ratings::{Clusters, GroupLink, RatingGroup, RatingList};

/// The least lead that shows with one decimal.
const LEVEL: f64 = 0.05;

/// The engines by their index, group by group, the best of each first; those that cannot be rated last.
pub fn best_first(list: &RatingList) -> Vec<usize> {
    let players = list.players();
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by(|&one, &other| players[one].best_first(&players[other]));
    order
}

/// The ratings by the index of the engine, with their covariance.
pub fn rating_list(run: &ShownRun) -> RatingList {
    let clusters = Clusters::of([run.facts.colours.games()]).clusters;
    RatingList::new(run.summary.engines.len(), &clusters, &BTreeMap::new())
}

/// The verdict as a sentence: for a tournament without tests by the ratings, otherwise the run's
/// [`verdict`](crate::report::verdict::verdict).
pub fn verdict_by_ratings(run: &ShownRun) -> String {
    let summary = &run.summary;
    let is_rated = summary.pairings.len() > 1
        && summary.games > 0
        && summary.bracket.is_empty()
        && !summary.has_several_tests();
    if is_rated { of_tournament(run) } else { verdict(summary) }
}

fn of_tournament(run: &ShownRun) -> String {
    let (list, games) = (rating_list(run), counted(run.summary.games, "game"));
    let order = best_first(&list);
    let leaders = possible_leaders(&list, &order);
    let names = |engines: &[usize]| -> Vec<&str> { engines.iter().map(|&engine| run.name(engine)).collect() };
    let [first] = leaders[..] else {
        let names = listed(&names(&leaders), MOST_NAMED);
        return format!("{games} cannot tell which engine is the best: no results compare {names}.");
    };
    let group = list.players()[first].group;
    let others =
        order.iter().copied().filter(|&other| list.players()[other].group == group && other != first);
    let leads = others.map(|other| (other, list.difference(first, other)));
    let leads: Vec<(usize, Option<EloEstimate>)> = leads.collect();
    let is_level = |lead: Option<EloEstimate>| lead.is_some_and(|lead| lead.elo.value() < LEVEL);
    let level = leads.iter().filter(|(_, lead)| is_level(*lead)).map(|(other, _)| *other);
    let level: Vec<usize> = [first].into_iter().chain(level).collect();
    let best = run.name(first);
    let Some(&(next, lead)) = leads.first() else { return format!("{games} were played.") };
    let next = run.name(next);
    match lead {
        _ if level.len() > 1 => {
            format!("{} are level after {games}.", listed(&names(&level), MOST_NAMED))
        }
        Some(lead) if lead.lower.value() > 0.0 => {
            format!("{best} is the strongest after {games}: {} vs {next}.", lead_text(&lead))
        }
        Some(lead) => {
            format!("{best} leads after {games}, but {next} may be as strong: {}.", lead_text(&lead))
        }
        None => format!("{best} leads after {games}; its lead over {next} is unknown."),
    }
}

/// The best of each group that may hold the best engine of all, and the engines whose games rate them in none.
fn possible_leaders(list: &RatingList, order: &[usize]) -> Vec<usize> {
    let (players, groups) = (list.players(), list.groups());
    let is_first_beaten = groups.iter().any(|group| group.link == Some(GroupLink::Above));
    let may_lead = |group: &RatingGroup| match group.link {
        None => !is_first_beaten,
        Some(link) => link != GroupLink::Below,
    };
    let groups = groups.iter().enumerate().filter(|(_, group)| may_lead(group));
    let best = groups.filter_map(|(group, _)| order.iter().find(|&&one| players[one].group == Some(group)));
    let adrift =
        order.iter().filter(|&&one| players[one].group.is_none() && players[one].results.games() > 0);
    best.chain(adrift).copied().collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::{config, game, recorded, round_robin, two_engine_match};
    use crate::results::{RecordedRun, RunPhase};
    use referee::GameResult;
    use runner::{Format, GameRecord, RunConfig};
    use stats::{Sprt, SprtModel};

    fn sentence(config: &RunConfig, games: Vec<GameRecord>) -> String {
        let RecordedRun { mut state, .. } = recorded(config, games);
        let (summary, facts) = (state.summary(), state.take_facts().unwrap());
        verdict_by_ratings(&ShownRun { summary, facts, state: RunPhase::Running })
    }

    fn of_match(results: &str, bounds: Option<(f64, f64)>) -> String {
        let mut config = config(&["new", "old"], false);
        config.sprt =
            bounds.map(|(elo0, elo1)| Sprt::new(elo0, elo1, 0.05, 0.05, SprtModel::Logistic).unwrap());
        sentence(&config, two_engine_match(results))
    }

    #[test]
    fn an_interval_that_contains_zero_is_no_verdict() {
        assert_eq!(of_match("", None), "No game is finished.");
        assert_eq!(of_match("wlwl", None), "4 games cannot tell new and old apart: +0.0 ± 426.5 Elo.");
        let sentence = of_match(&"w".repeat(20), None);
        assert_eq!(sentence, "new is stronger than old: more than 140.2 Elo after 20 games.");
        let sentence = of_match("wdwdwwwdwd", None);
        assert!(sentence.starts_with("new is stronger than old: +"), "{sentence}");
        let sentence = of_match("ldldllldld", Some((0.0, 5.0)));
        assert!(sentence.starts_with("new is weaker than old: −"), "{sentence}");
        assert!(sentence.ends_with("after 10 games; the SPRT is undecided."), "{sentence}");
    }

    #[test]
    fn what_a_test_accepted_depends_on_what_it_asked() {
        let (won, lost) = ("wwwd".repeat(40), "llld".repeat(40));
        for (results, bounds, claim) in [
            (&won, (0.0, 50.0), "new is stronger than old"),
            (&won, (-50.0, 0.0), "new is no regression from old"),
            (&lost, (0.0, 50.0), "new is no gain over old"),
            (&lost, (-50.0, 0.0), "new is weaker than old"),
        ] {
            let sentence = of_match(results, Some(bounds));
            assert!(sentence.starts_with(&format!("{claim}: SPRT accepted H")), "{sentence}");
        }
    }

    #[test]
    fn the_leader_of_a_tournament_is_named_with_what_is_known_of_its_lead() {
        let text = sentence(&config(&["a", "b", "c", "d"], false), round_robin());
        assert!(text.starts_with("a "), "{text}");
        assert!(text.contains(" b"), "{text}");
    }

    /// What is said of six engines, of which the games have these players and winners.
    fn of_six(games: &[((usize, usize), GameResult)]) -> String {
        let games = games.iter().enumerate();
        let games = games.map(|(index, &(players, result))| game(index as u32, players, Some(result)));
        sentence(&config(&["a", "b", "c", "x", "y", "z"], false), games.collect())
    }

    #[test]
    fn ratings_of_groups_that_never_met_have_no_leader() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let apart = [((0, 1), WhiteWins), ((1, 0), Draw), ((3, 4), WhiteWins), ((4, 3), Draw)];
        assert_eq!(of_six(&apart), "4 games cannot tell which engine is the best: no results compare a, x.");
        // The winner of all games against the larger group is the best, though its own rating is lower.
        let above = [
            ((0, 1), WhiteWins),
            ((1, 2), WhiteWins),
            ((2, 0), Draw),
            ((1, 0), Draw),
            ((2, 1), Draw),
            ((3, 4), Draw),
            ((4, 3), WhiteWins),
            ((3, 0), WhiteWins),
            ((0, 4), BlackWins),
        ];
        let text = of_six(&above);
        assert!(text.starts_with("y leads after 9 games, but x may be as strong: +"), "{text}");
    }

    #[test]
    fn nobody_leads_where_the_score_is_level() {
        use GameResult::Draw;
        let draws = [((0, 1), Draw), ((1, 0), Draw), ((0, 2), Draw), ((2, 0), Draw)];
        assert_eq!(of_six(&draws), "a, b, c are level after 4 games.");
    }

    #[test]
    fn a_knockout_that_goes_on_has_no_leader() {
        let mut config = config(&["a", "b", "c", "d"], false);
        config.games = 2;
        config.format = Format::Knockout { extra_pairs: 0 };
        let text = sentence(&config, two_engine_match("ww"));
        assert!(text.ends_with("engines are left in the knockout after 2 games."), "{text}");
    }
}
