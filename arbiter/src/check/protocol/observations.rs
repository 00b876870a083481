//! What is judged in every search, whatever it was asked for: the move, the lines, and that there is one answer.

use super::finding::{Finding, Outcome, Verdict};
use super::search_record::SearchRecord;
use super::setup::Setup;

/// More examples than this are counted only.
const EXAMPLES: usize = 3;

/// What went wrong in any search.
#[derive(Clone, Debug, Default)]
pub(super) struct Observations {
    searches: usize,
    /// Answers that came when nobody had asked.
    pub(super) stray_answers: Vec<String>,
    illegal_moves: Vec<String>,
    capitals: Vec<String>,
    illegal_ponder_moves: Vec<String>,
    broken_lines: Vec<String>,
    other_first_moves: Vec<String>,
    lines: usize,
}

impl Observations {
    /// Looks at the answer and the lines of a search.
    pub(super) fn judge(&mut self, setup: &Setup, record: &SearchRecord) {
        self.searches += 1;
        // What it answers where the game is over is a check of its own.
        let is_over = setup.referee.legal_moves().is_empty();
        if let Some(best) = record.best().filter(|_| !is_over) {
            let mut after = setup.referee.clone();
            let lower = best.to_ascii_lowercase();
            if lower != best {
                self.capitals.push(best.to_owned());
            }
            if let Err(error) = after.play(&lower) {
                self.illegal_moves.push(error.to_string());
            } else if let Some(ponder) = record.ponder()
                && let Err(error) = after.play(ponder)
            {
                self.illegal_ponder_moves.push(error.to_string());
            }
        }
        self.judge_lines(setup, record);
    }

    fn judge_lines(&mut self, setup: &Setup, record: &SearchRecord) {
        for info in record.infos.iter().filter(|info| !info.pv.is_empty()) {
            self.lines += 1;
            let line: Vec<&str> = info.pv.iter().map(uci::UciMove::as_str).collect();
            if let Err(error) = setup.referee.check_line(&line) {
                self.broken_lines.push(format!("{error}: {}", line.join(" ")));
            }
        }
        let main = |info: &&uci::Info| !info.pv.is_empty() && info.multipv.is_none_or(|line| line == 1);
        let last = record.infos.iter().rev().find(main);
        if let (Some(last), Some(best)) = (last, record.best())
            && !last.pv[0].as_str().eq_ignore_ascii_case(best)
        {
            self.other_first_moves.push(format!("pv {} but bestmove {best}", last.pv[0]));
        }
    }

    /// One finding for each thing that is observed in every search.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let searches = self.searches;
        vec![
            summary(
                "one bestmove per go",
                Verdict::Fail,
                &self.stray_answers,
                &format!("{searches} searches have one answer each"),
                "the engine answers when nobody has asked",
            ),
            summary(
                "legal moves",
                Verdict::Fail,
                &self.illegal_moves,
                &format!("the moves of {searches} searches are legal"),
                "the engine plays illegal moves",
            ),
            summary(
                "small letters",
                Verdict::Warn,
                &self.capitals,
                "moves are written in small letters, promotions included",
                "moves are written with capitals, where the protocol has small letters",
            ),
            summary(
                "ponder moves",
                Verdict::Warn,
                &self.illegal_ponder_moves,
                "every move to ponder on is legal",
                "the move to ponder on is illegal",
            ),
            summary(
                "legal lines",
                Verdict::Warn,
                &self.broken_lines,
                &format!("{} principal variations are legal", self.lines),
                "principal variations run into illegal moves",
            ),
            summary(
                "bestmove is the line's",
                Verdict::Warn,
                &self.other_first_moves,
                "the move is the first of the last line reported",
                "the move is not that of the last line reported",
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
