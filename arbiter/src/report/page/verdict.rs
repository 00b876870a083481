//! What a run says, in one sentence.

use super::rating::{rating_list, ratings};
use super::run_report::RunReport;
use crate::report::verdict::lead_text;
use crate::text::number_text::counted;
pub(in crate::report) use crate::text::number_text::minus;

/// The verdict, a whole sentence.
pub fn verdict(report: &RunReport) -> String {
    match &report.summary.pairings[..] {
        [] | [_] => crate::report::verdict::verdict(&report.summary),
        _ if report.summary.games == 0 || !report.summary.bracket.is_empty() => {
            crate::report::verdict::verdict(&report.summary)
        }
        _ => of_tournament(report),
    }
}

fn of_tournament(report: &RunReport) -> String {
    let ratings = ratings(report);
    let games = counted(report.summary.games, "game");
    let [first, second, ..] = ratings[..] else { return format!("{games} were played.") };
    let (best, next) = (report.name(first.engine), report.name(second.engine));
    match rating_list(report).difference(first.engine, second.engine) {
        Some(lead) if lead.lower.value() > 0.0 => {
            format!("{best} is the strongest after {games}: {} against {next}.", lead_text(&lead))
        }
        Some(lead) => {
            format!("{best} leads after {games}, but {next} may be as strong: {}.", lead_text(&lead))
        }
        None => format!("{best} leads after {games}; how far ahead of {next} the games cannot tell."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_state::made_up_games::{config, recorded, round_robin, two_engine_match};
    use runner::{GameRecord, RunConfig};
    use stats::{Sprt, SprtModel};

    fn sentence(config: &RunConfig, games: Vec<GameRecord>) -> String {
        verdict(&RunReport::of(recorded(config, games)))
    }

    fn of_match(results: &str, bounds: Option<(f64, f64)>) -> String {
        let mut config = config(&["new", "old"], false);
        config.sprt =
            bounds.map(|(elo0, elo1)| Sprt::new(elo0, elo1, 0.05, 0.05, SprtModel::Logistic).unwrap());
        sentence(&config, two_engine_match(results))
    }

    #[test]
    fn an_interval_that_contains_zero_is_no_verdict() {
        assert_eq!(of_match("", None), "No game has been finished yet.");
        assert_eq!(of_match("wlwl", None), "4 games cannot tell new and old apart: +0.0 ± 426.5 Elo.");
        let sentence = of_match(&"w".repeat(20), None);
        assert_eq!(sentence, "new is stronger than old: more than 140.2 Elo after 20 games.");
        let sentence = of_match("wdwdwwwdwd", None);
        assert!(sentence.starts_with("new is stronger than old: +"), "{sentence}");
        let sentence = of_match("ldldllldld", Some((0.0, 5.0)));
        assert!(sentence.starts_with("new is weaker than old: −"), "{sentence}");
        assert!(sentence.ends_with("after 10 games; the sequential test is undecided."), "{sentence}");
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
            assert!(sentence.starts_with(&format!("{claim}: the sequential test accepted H")), "{sentence}");
        }
    }

    #[test]
    fn the_leader_of_a_tournament_is_named_with_what_is_known_of_its_lead() {
        let text = sentence(&config(&["a", "b", "c", "d"], false), round_robin());
        assert!(text.starts_with("a "), "{text}");
        assert!(text.contains(" b"), "{text}");
    }
}
