//! The sequential tests of several pairings.

use crate::results::{PairingSummary, SprtSummary, Summary};
use crate::text::number_text::{counted, elo, thousands};
use crate::text::{Table, Tone};
use stats::{Sprt, SprtModel, SprtStatus};

/// The verdict of a test in words, and what it means to the reader.
pub fn verdict_words(sprt: &SprtSummary) -> (&'static str, Tone) {
    match sprt.status {
        SprtStatus::Continue if sprt.given_up => ("given up", Tone::Plain),
        SprtStatus::Continue => ("undecided", Tone::Plain),
        SprtStatus::AcceptH0 => ("H0 accepted", Tone::Bad),
        SprtStatus::AcceptH1 => ("H1 accepted", Tone::Good),
    }
}

/// `nElo` or `Elo`, the unit of the bounds, and `mixture` if the test is one.
pub const fn unit(test: &Sprt) -> &'static str {
    match (test.model(), test.is_mixture()) {
        (SprtModel::Normalized, false) => "nElo",
        (SprtModel::Normalized, true) => "nElo, mixture",
        (SprtModel::Logistic, false) => "Elo",
        (SprtModel::Logistic, true) => "Elo, mixture",
    }
}

/// `, exaggerated by the SPRT` if a decided test stopped the match: such an estimate is biased.
pub fn bias(pairing: &PairingSummary) -> &'static str {
    let is_decided = pairing.sprt.is_some_and(|sprt| sprt.status != SprtStatus::Continue);
    if is_decided { ", exaggerated by the SPRT" } else { "" }
}

/// The Elo of a pairing with its bias.
pub fn tested_elo(pairing: &PairingSummary) -> String {
    elo(&pairing.elo) + bias(pairing)
}

/// What the test of a pairing is called: the engine that is tested, and its opponent if the run has several.
pub fn tested_name(summary: &Summary, pairing: &PairingSummary) -> String {
    let [first, second] = [pairing.first, pairing.second].map(|engine| summary.engine_name(engine));
    let mut others = summary.tests().filter(|(other, _)| other.second != pairing.second);
    if others.next().is_some() { format!("{first} vs {second}") } else { first.to_owned() }
}

/// The bounds and the errors of several tests: `SPRT vs old: [0, 5] nElo, alpha 0.05 for all 3 tests, beta 0.05 for each`.
pub fn tests_heading(summary: &Summary) -> Option<String> {
    let tests: Vec<_> = summary.tests().collect();
    let (pairing, SprtSummary { test, .. }) = tests.first()?;
    let is_base = tests.iter().all(|(other, _)| other.second == pairing.second);
    let base = if is_base { format!(" vs {}", summary.engine_name(pairing.second)) } else { String::new() };
    // The sum of equal parts, without the last bits that are not theirs.
    let alpha = (test.alpha() * tests.len() as f64 * 1e9).round() / 1e9;
    Some(format!(
        "SPRT{base}: [{}, {}] {}, alpha {alpha} for all {}, beta {} for each",
        test.elo0(),
        test.elo1(),
        unit(test),
        counted(tests.len() as u64, "test"),
        test.beta()
    ))
}

/// A row for each test, and a line above with what they have in common; empty where there are not several. The
/// table has at most so many columns of letters.
pub fn tests_text(summary: &Summary, width: usize, colour: bool) -> String {
    let Some(heading) = tests_heading(summary).filter(|_| summary.has_several_tests()) else {
        return String::new();
    };
    let mut table = Table::new(["", "Games", "Elo (95%)", "LLR", "Bounds", "Verdict"]);
    for (pairing, sprt) in summary.tests() {
        let (verdict, tone) = verdict_words(sprt);
        table.row([
            (tested_name(summary, pairing), Tone::Strong),
            (thousands(pairing.wdl.games()), Tone::Plain),
            (elo(&pairing.elo), Tone::Plain),
            (format!("{:.2}", sprt.llr), Tone::Plain),
            (format!("({:.2}, {:.2})", sprt.lower, sprt.upper), Tone::Plain),
            (verdict.to_owned(), tone),
        ]);
    }
    format!("  {heading}\n{}", table.within(width).text(colour))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::made_up_games::candidates;

    #[test]
    fn each_test_has_its_row() {
        let text = tests_text(&candidates(), 80, false);
        assert!(
            text.starts_with("  SPRT vs old: [0, 5] nElo, alpha 0.05 for all 3 tests, beta 0.05 for each\n")
        );
        let rows: Vec<&str> = text.lines().skip(2).map(str::trim).collect();
        assert!(rows[0].starts_with("good") && rows[0].ends_with("(-2.98, 4.04)  H1 accepted"), "{text}");
        assert!(rows[1].starts_with("bad") && rows[1].ends_with("H0 accepted"), "{text}");
        assert!(rows[2].starts_with("same") && rows[2].ends_with("undecided"), "{text}");
        assert!(text.lines().all(|line| console::measure_text_width(line) <= 80), "{text}");
    }
}
