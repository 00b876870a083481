//! Observations of all searches: the moves, the principal variations, and one answer per search.

use super::finding::SearchRecord;
use super::finding::{Finding, Outcome, Verdict};
use super::setup::Setup;

/// Examples shown in a finding, at most.
const EXAMPLES: usize = 3;

/// The errors in all searches.
#[derive(Clone, Debug, Default)]
pub(super) struct Observations {
    searches: usize,
    /// Each `bestmove` without a `go`.
    pub(super) unrequested_answers: Vec<String>,
    illegal_moves: Vec<String>,
    upper_case_moves: Vec<String>,
    illegal_ponder_moves: Vec<String>,
    illegal_pvs: Vec<String>,
    other_pv_moves: Vec<String>,
    lines: usize,
}

impl Observations {
    /// Adds the answer and the lines of a search.
    pub(super) fn add(&mut self, setup: &Setup, record: &SearchRecord) {
        self.searches += 1;
        // Another check covers positions in which the game is over.
        let is_over = setup.referee.legal_moves().is_empty();
        if let Some(best) = record.best().filter(|_| !is_over) {
            let mut after = setup.referee.clone();
            let lower = best.to_ascii_lowercase();
            if lower != best {
                self.upper_case_moves.push(best.to_owned());
            }
            if let Err(error) = after.play(&lower) {
                self.illegal_moves.push(error.to_string());
            } else if let Some(ponder) = record.ponder()
                && let Err(error) = after.play(ponder)
            {
                self.illegal_ponder_moves.push(error.to_string());
            }
        }
        self.add_lines(setup, record);
    }

    fn add_lines(&mut self, setup: &Setup, record: &SearchRecord) {
        for info in record.infos.iter().filter(|info| !info.pv.is_empty()) {
            self.lines += 1;
            let line: Vec<&str> = info.pv.iter().map(uci::UciMove::as_str).collect();
            if let Err(error) = setup.referee.check_line(&line) {
                self.illegal_pvs.push(format!("{error}: {}", line.join(" ")));
            }
        }
        let main = |info: &&uci::Info| !info.pv.is_empty() && info.multipv.is_none_or(|line| line == 1);
        let last = record.infos.iter().rev().find(main);
        if let (Some(last), Some(best)) = (last, record.best())
            && !last.pv[0].as_str().eq_ignore_ascii_case(best)
        {
            self.other_pv_moves.push(format!("pv {} but bestmove {best}", last.pv[0]));
        }
    }

    /// One finding per observed property.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let searches = self.searches;
        vec![
            summary(
                "one bestmove per go",
                Verdict::Fail,
                &self.unrequested_answers,
                &format!("{searches} searches have one bestmove each"),
                "the engine sends bestmove without a search",
            ),
            summary(
                "legal moves",
                Verdict::Fail,
                &self.illegal_moves,
                &format!("the moves of {searches} searches are legal"),
                "the engine plays illegal moves",
            ),
            summary(
                "lower case",
                Verdict::Warn,
                &self.upper_case_moves,
                "moves are in lower case, promotions included",
                "moves have upper-case letters; the protocol demands lower case",
            ),
            summary(
                "ponder moves",
                Verdict::Warn,
                &self.illegal_ponder_moves,
                "every ponder move is legal",
                "ponder moves are illegal",
            ),
            summary(
                "legal PVs",
                Verdict::Warn,
                &self.illegal_pvs,
                &format!("{} principal variations are legal", self.lines),
                "principal variations have illegal moves",
            ),
            summary(
                "bestmove is first in PV",
                Verdict::Warn,
                &self.other_pv_moves,
                "bestmove is the first move of the last PV",
                "bestmove is not the first move of the last PV",
            ),
        ]
    }
}

fn summary(
    check: &'static str,
    verdict: Verdict,
    cases: &[String],
    all_well: &str,
    problem: &str,
) -> Finding {
    if cases.is_empty() {
        return Outcome::pass(all_well).of(check);
    }
    let times = if cases.len() == 1 { "once".to_owned() } else { format!("{} times", cases.len()) };
    let examples = &cases[..cases.len().min(EXAMPLES)];
    Outcome::new(verdict, format!("{problem}, {times}")).seen(examples.join("; ")).of(check)
}
