//! The ratings of a run's engines, and the verdict by ratings.

use std::collections::BTreeMap;

use super::shown_run::ShownRun;
use crate::report::verdict::{lead_text, verdict};
use crate::text::number_text::counted;
use stats::EloEstimate;
use stats::ratings::{Encounter, RatingList};

/// The rating of one engine.
#[derive(Clone, Copy, Debug)]
pub struct Rating {
    /// Its index in the configuration.
    pub engine: usize,
    /// Its rating with the 95% interval; `None` if unknown.
    pub elo: Option<EloEstimate>,
}

/// The ratings of all engines, the best first, those that cannot be rated last.
pub fn ratings(run: &ShownRun) -> Vec<Rating> {
    let list = rating_list(run);
    let players = list.players().iter().enumerate();
    let mut ratings: Vec<Rating> =
        players.map(|(engine, player)| Rating { engine, elo: player.rating }).collect();
    ratings.sort_by(|one, other| rank(other.elo).total_cmp(&rank(one.elo)));
    ratings
}

/// The ratings by the index of the engine, with their covariance.
pub fn rating_list(run: &ShownRun) -> RatingList {
    let encounters = run.facts.colours.encounters();
    let encounters: Vec<Encounter> =
        encounters.map(|(white, black, results)| Encounter { white, black, results }).collect();
    RatingList::new(run.summary.engines.len(), &encounters, &BTreeMap::new())
}

/// The rating; for engines that won all games its lower bound.
pub fn rank(elo: Option<EloEstimate>) -> f64 {
    const OPEN: f64 = 1e6;
    match elo {
        None => f64::NEG_INFINITY,
        Some(elo) if elo.elo.value().is_finite() => elo.elo.value(),
        Some(elo) if elo.lower.value().is_finite() => OPEN + elo.lower.value(),
        Some(elo) => elo.upper.value().max(-OPEN) - OPEN,
    }
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
    let ratings = ratings(run);
    let games = counted(run.summary.games, "game");
    let [first, second, ..] = ratings[..] else { return format!("{games} were played.") };
    let (best, next) = (run.name(first.engine), run.name(second.engine));
    match rating_list(run).difference(first.engine, second.engine) {
        Some(lead) if lead.lower.value() > 0.0 => {
            format!("{best} is the strongest after {games}: {} vs {next}.", lead_text(&lead))
        }
        Some(lead) => {
            format!("{best} leads after {games}, but {next} may be as strong: {}.", lead_text(&lead))
        }
        None => format!("{best} leads after {games}; its lead over {next} is unknown."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_state::made_up_games::{config, recorded, round_robin, two_engine_match};
    use crate::run_state::{RecordedRun, RunPhase};
    use runner::{GameRecord, RunConfig};
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
}
