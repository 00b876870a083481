//! `arbiter report --junit`: runs as test suites, for tools that show CI results.
//!
//! A game is not a test case, since a thousand passed games say nothing. All runs of the same engines have the same
//! cases: the run finished, the SPRT, and for each engine no time loss, no stall, no crash, no illegal move, no failed
//! start. A failure lists its games.
//!
//! An accepted H0 is a failure. Skipped are an undecided SPRT, time losses that the machine or Arbiter caused, and the
//! cases of PGN files that do not say how games were lost or that have games without a result.

use std::fmt::Write as _;

use super::quote::quote;
use super::verdict::{Verdict, blame, state, tested_name, verdict};
use crate::results::facts::again;
use crate::results::{FaultyGame, RunPhase, RunResults};
use crate::text::junit::{CaseOutcome, TestCase, TestSuite, junit};
use crate::text::number_text::{counted, llr};
use runner::Termination;

const LISTED_GAMES: usize = 20;

/// The cases of each engine, with the terminations that fail them.
const CHECKS: [(&str, &[Termination]); 5] = [
    ("does not lose on time", &[Termination::TimeLoss]),
    ("does not stall", &[Termination::Stall]),
    ("does not crash", &[Termination::Crash, Termination::Disconnect]),
    ("plays legal moves", &[Termination::IllegalMove, Termination::NoMove]),
    ("starts", &[Termination::NoHandshake, Termination::FailedToStart]),
];

pub fn run_junit(runs: &[RunResults]) -> String {
    junit("arbiter", runs.iter().map(suite))
}

fn suite(run: &RunResults) -> TestSuite {
    TestSuite {
        name: run.name(),
        seconds: run.summary.duration.as_secs_f64(),
        started: run.started,
        cases: cases(run),
        output: [
            Some(verdict(&run.summary)),
            quote(&run.summary, &run.config),
            blame(&run.summary, Some(&run.config)),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("\n"),
    }
}

fn cases(run: &RunResults) -> Vec<TestCase> {
    let mut cases = vec![TestCase { name: "the run finishes".to_owned(), outcome: completeness(&run.phase) }];
    for (pairing, sprt) in run.summary.tests() {
        let message = format!("{} LLR {}", verdict(&run.summary), llr(sprt));
        let outcome = Verdict::of_test(&run.summary, pairing, sprt).case(message);
        let name = if run.summary.has_several_tests() {
            format!("{}: SPRT accepts H1", tested_name(&run.summary, pairing))
        } else {
            "SPRT accepts H1".to_owned()
        };
        cases.push(TestCase { name, outcome });
    }
    for (place, engine) in run.summary.engines.iter().enumerate() {
        let losses = run.summary.files.as_ref().and_then(|files| files.unexplained_losses.get(place));
        let open = run.summary.files.as_ref().map_or(0, |files| files.excluded.without_result);
        let unexplained = match (losses.copied().unwrap_or_default(), open) {
            (0, 0) => None,
            (0, open) => Some(format!("nothing says how {} without a result ended", counted(open, "game"))),
            (losses, _) => Some(format!("nothing says how {} lost {}", engine.name, counted(losses, "game"))),
        };
        cases.extend(CHECKS.map(|(deed, kinds)| TestCase {
            name: format!("{} {deed}", engine.name),
            outcome: conduct(run, &engine.name, kinds, unexplained.clone()),
        }));
    }
    cases
}

fn completeness(phase: &RunPhase) -> CaseOutcome {
    match (state(phase), phase) {
        (None, _) => CaseOutcome::Passed,
        (Some(state), RunPhase::Interrupted { .. }) => CaseOutcome::Error(state),
        (Some(state), _) => CaseOutcome::Skipped(state),
    }
}

fn conduct(
    run: &RunResults,
    engine: &str,
    kinds: &[Termination],
    unexplained: Option<String>,
) -> CaseOutcome {
    let is_meant = |game: &&FaultyGame| game.offender == engine && kinds.contains(&game.termination);
    let games: Vec<&FaultyGame> = run.faulty_games.iter().filter(is_meant).collect();
    if games.is_empty() {
        return unexplained.map_or(CaseOutcome::Passed, CaseOutcome::Skipped);
    }
    let mut body = String::new();
    let has_logs = run.summary.files.is_none();
    let log = |number: u32| {
        let again = again(&run.folder, number);
        if has_logs { format!("; see bad/{number}.log; again: {again}") } else { String::new() }
    };
    for FaultyGame { number, white, black, ending, .. } in games.iter().take(LISTED_GAMES) {
        let _ = writeln!(body, "game {number} ({white} - {black}): {ending}{}", log(*number));
    }
    if games.len() > LISTED_GAMES {
        let _ = writeln!(body, "and {} more", games.len() - LISTED_GAMES);
    }
    let message = format!("{engine} lost {} of {} games this way", games.len(), run.summary.games);
    // An engine that never answers is at fault, however long it waited for a core.
    if games.iter().all(|game| game.excused && game.termination == Termination::TimeLoss) {
        return CaseOutcome::Skipped(format!("{message}, while the machine or Arbiter kept it waiting"));
    }
    CaseOutcome::Failed(format!("{message}\n{body}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::test_games::{lost_by, outcome, two_engine_match};
    use referee::Side;

    #[test]
    fn a_match_with_faults() {
        let mut games = two_engine_match("wdwwlddd");
        games.push(lost_by(8, (0, 1), Side::Black, Termination::TimeLoss));
        games.push(lost_by(9, (1, 0), Side::White, Termination::IllegalMove));
        insta::assert_snapshot!(run_junit(&[outcome(&["new", "old"], true, &games)]));
    }

    #[test]
    fn a_test_that_accepted_h0_is_a_failure_and_one_that_accepted_h1_is_none() {
        let suite = |results: &str| {
            run_junit(&[outcome(&["new", "old"], true, &two_engine_match(&results.repeat(300)))])
        };
        assert!(suite("wwwd").contains("failures=\"0\" errors=\"0\" skipped=\"0\""), "{}", suite("wwwd"));
        assert!(suite("llld").contains("failures=\"1\" errors=\"0\" skipped=\"0\""), "{}", suite("llld"));
    }

    #[test]
    fn what_an_engine_says_cannot_break_the_document() {
        let mut odd = lost_by(0, (0, 1), Side::White, Termination::Crash);
        odd.detail = Some("]]></failure>\u{1b}[31m & \"quoted\"\u{0}\n".to_owned());
        let xml = run_junit(&[outcome(&["<a&b>", "old"], false, &[odd])]);
        assert!(
            xml.contains("]]&gt;&lt;/failure&gt;\u{fffd}[31m &amp; &quot;quoted&quot;\u{fffd}\n"),
            "{xml}"
        );
        assert!(xml.contains("name=\"&lt;a&amp;b&gt; does not crash\""), "{xml}");
    }
}
