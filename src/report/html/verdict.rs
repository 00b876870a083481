//! What a run says, in one sentence.

use super::rating::{rating_list, ratings};
use super::run_report::RunReport;
use crate::report::number_text::{counted, elo};
use crate::report::{PairingSummary, SprtSummary};
use crate::runner::Tie;
use crate::stats::{Elo, EloEstimate, SprtStatus};

/// The verdict, a whole sentence.
pub fn verdict(report: &RunReport) -> String {
    let games = report.summary.games;
    if games == 0 {
        return "No game has been finished yet.".to_owned();
    }
    if let Some([Tie { winner: Some(winner), .. }]) = report.summary.bracket.last().map(Vec::as_slice) {
        return format!("{} wins the knockout.", report.name(*winner));
    }
    match &report.summary.pairings[..] {
        [pairing] => of_match(report, pairing),
        _ => of_tournament(report),
    }
}

fn of_match(report: &RunReport, pairing: &PairingSummary) -> String {
    let [first, second] = [pairing.first, pairing.second].map(|engine| report.name(engine));
    let games = counted(pairing.wdl.games(), "game");
    if let Some(sentence) = pairing.sprt.and_then(|test| of_test(&test, first, second, &games)) {
        return sentence;
    }
    let undecided = if pairing.sprt.is_some() { "; the sequential test is undecided" } else { "" };
    let estimate = lead_text(&pairing.elo);
    let [lower, upper] = [pairing.elo.lower, pairing.elo.upper].map(Elo::value);
    if lower > 0.0 {
        format!("{first} is stronger than {second}: {estimate} after {games}{undecided}.")
    } else if upper < 0.0 {
        format!("{first} is weaker than {second}: {estimate} after {games}{undecided}.")
    } else {
        format!("{games} cannot tell {first} and {second} apart: {estimate}{undecided}.")
    }
}

/// What a test that has decided says; `None` while it has not.
fn of_test(test: &SprtSummary, first: &str, second: &str, games: &str) -> Option<String> {
    let (elo0, elo1) = (test.test.elo0(), test.test.elo1());
    let (hypothesis, claim) = match test.status {
        SprtStatus::Continue => return None,
        SprtStatus::AcceptH1 if elo1 <= 0.0 => ("H1", "is no regression from"),
        SprtStatus::AcceptH1 => ("H1", "is stronger than"),
        SprtStatus::AcceptH0 if elo0 < 0.0 => ("H0", "is weaker than"),
        SprtStatus::AcceptH0 => ("H0", "is no gain over"),
    };
    Some(format!("{first} {claim} {second}: the sequential test accepted {hypothesis} after {games}."))
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

/// `+13.5 ± 17.2 Elo`, or `more than 140.2 Elo` where all games went one way.
pub fn lead_text(lead: &EloEstimate) -> String {
    match [lead.lower, lead.upper].map(Elo::value) {
        [lower, f64::INFINITY] if lower > 0.0 => format!("more than {lower:.1} Elo"),
        [f64::NEG_INFINITY, upper] if upper < 0.0 => format!("more than {:.1} Elo", -upper),
        _ => format!("{} Elo", minus(&elo(lead))),
    }
}

/// With the minus sign that numbers are set with.
pub fn minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::RunState;
    use crate::report::html::facts::{RecordedRun, RunFacts};
    use crate::report::made_up_games::{config, round_robin, two_engine_match};
    use crate::runner::{GameRecord, RunConfig};
    use crate::stats::{Sprt, SprtModel};

    fn sentence(config: RunConfig, games: Vec<GameRecord>) -> String {
        let mut facts = RunFacts::new(config);
        for game in games {
            facts.add(game);
        }
        verdict(&RunReport::of(RecordedRun { state: RunState::Running, facts }))
    }

    fn of_match(results: &str, bounds: Option<(f64, f64)>) -> String {
        let mut config = config(&["new", "old"], false);
        config.sprt =
            bounds.map(|(elo0, elo1)| Sprt::new(elo0, elo1, 0.05, 0.05, SprtModel::Logistic).unwrap());
        sentence(config, two_engine_match(results))
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
        let text = sentence(config(&["a", "b", "c", "d"], false), round_robin());
        assert!(text.starts_with("a "), "{text}");
        assert!(text.contains(" b"), "{text}");
    }
}
