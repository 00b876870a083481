//! The result of a check, the record of a search, and observations from all searches.

use std::time::Duration;

use serde::Serialize;

use super::SAME_TWICE;
use super::test_position::TestPosition;
use crate::results::SearchEnd;
use crate::text::{Line, Tone};
use uci::{Info, Message, Score, ScoreValue, UciMove};

pub(super) const NOT_ALWAYS: &str = "failed in some of the tries";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CheckVerdict {
    Skip,
    Pass,
    /// Unusual, but harmless in matches.
    Warn,
    /// Violates the protocol or the rules of chess; it loses games or hangs a GUI.
    Fail,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub check: &'static str,
    #[serde(flatten)]
    pub outcome: CheckOutcome,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckOutcome {
    pub verdict: CheckVerdict,
    pub sentence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
}

impl Finding {
    /// Whether this warning is shown beside other results: it makes every test noisier, or the engine fails now and then.
    pub fn is_told(&self) -> bool {
        let is_doubt = self.check == SAME_TWICE || self.outcome.sentence.starts_with(NOT_ALWAYS);
        is_doubt && self.outcome.verdict == CheckVerdict::Warn
    }

    pub(super) fn fails(&self) -> bool {
        self.outcome.verdict == CheckVerdict::Fail
    }

    pub(super) fn lines(&self) -> Vec<Line> {
        const NAME: usize = 24;
        const SHORT: usize = 32;
        let Finding { check, outcome: CheckOutcome { verdict, sentence, seen } } = self;
        let (mark, tone) = match verdict {
            CheckVerdict::Skip => ("-", Tone::Faint),
            CheckVerdict::Pass => ("✓", Tone::Good),
            CheckVerdict::Warn => ("!", Tone::Strong),
            CheckVerdict::Fail => ("✗", Tone::Bad),
        };
        let line = Line::default().and(mark, tone).and(format!(" {check:<NAME$}  {sentence}"), Tone::Plain);
        let faint = |line: Line, seen: String| line.and(seen, Tone::Faint);
        match seen {
            None => vec![line],
            Some(seen) if seen.chars().count() <= SHORT => vec![faint(line, format!(" ({seen})"))],
            Some(seen) => vec![line, faint(Line::default(), format!("  {:<NAME$}  {seen}", ""))],
        }
    }
}

impl CheckOutcome {
    pub fn text(&self) -> String {
        let seen = self.seen.as_ref().map(|seen| format!(" ({seen})")).unwrap_or_default();
        format!("{}{seen}", self.sentence)
    }

    pub(super) fn new(verdict: CheckVerdict, sentence: impl Into<String>) -> CheckOutcome {
        CheckOutcome { verdict, sentence: sentence.into(), seen: None }
    }

    pub(super) fn pass(sentence: impl Into<String>) -> CheckOutcome {
        CheckOutcome::new(CheckVerdict::Pass, sentence)
    }

    pub(super) fn warn(sentence: impl Into<String>) -> CheckOutcome {
        CheckOutcome::new(CheckVerdict::Warn, sentence)
    }

    pub(super) fn fail(sentence: impl Into<String>) -> CheckOutcome {
        CheckOutcome::new(CheckVerdict::Fail, sentence)
    }

    pub(super) fn skip(sentence: impl Into<String>) -> CheckOutcome {
        CheckOutcome::new(CheckVerdict::Skip, sentence)
    }

    pub(super) fn warn_if(self, is_so: bool, sentence: impl Into<String>) -> CheckOutcome {
        if is_so { CheckOutcome::warn(sentence) } else { self }
    }

    pub(super) fn fail_if(self, is_so: bool, sentence: impl Into<String>) -> CheckOutcome {
        if is_so { CheckOutcome::fail(sentence) } else { self }
    }

    /// Adds an observation, shortened if it is long.
    pub(super) fn seen(self, text: impl AsRef<str>) -> CheckOutcome {
        const LONGEST: usize = 200;
        let text = text.as_ref();
        let cut = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
        let seen = if cut < text.len() { format!("{} …", &text[..cut]) } else { text.to_owned() };
        CheckOutcome { seen: Some(seen), ..self }
    }

    pub(super) fn of(self, check: &'static str) -> Finding {
        Finding { check, outcome: self }
    }
}

/// The maximum number of `info` lines kept: the first ones and the last one.
const MAX_INFOS: usize = 2000;

#[derive(Clone, Debug, Default)]
pub(super) struct SearchRecord {
    /// The `info` lines in order; beyond the maximum, each new line replaces the last one.
    pub(super) infos: Vec<Info>,
    pub(super) answer: Option<String>,
    /// Time to `bestmove`, from `go`, or from the `stop` or `ponderhit` that ends the search.
    pub(super) elapsed: Duration,
}

impl SearchRecord {
    /// Returns whether the line is the answer.
    pub(super) fn observe(&mut self, line: &str) -> bool {
        let line = line.trim();
        if line.split_whitespace().next() == Some("bestmove") {
            self.answer = Some(line.to_owned());
            return true;
        }
        if let Ok(Message::Info(info)) = line.parse() {
            if self.infos.len() >= MAX_INFOS {
                self.infos.pop();
            }
            self.infos.push(*info);
        }
        false
    }

    pub(super) fn best(&self) -> Option<&str> {
        let word = self.answer.as_deref()?.split_whitespace().nth(1)?;
        (!matches!(word, "(none)" | "0000" | "none" | "NULL")).then_some(word)
    }

    pub(super) fn ponder(&self) -> Option<&str> {
        let mut words = self.answer.as_deref()?.split_whitespace().skip(2);
        (words.next()? == "ponder").then(|| words.next())?
    }

    pub(super) fn end(&self) -> SearchEnd {
        SearchEnd {
            nodes: self.infos.iter().rev().find_map(|info| info.nodes),
            depth: self.infos.iter().filter_map(|info| info.depth).max(),
            time: self.elapsed,
            has_mate: self.score().is_some_and(|score| matches!(score.value, ScoreValue::Mate(_))),
        }
    }

    pub(super) fn score(&self) -> Option<Score> {
        self.infos.iter().rev().find_map(|info| info.score)
    }
}

const EXAMPLES: usize = 3;

#[derive(Clone, Debug, Default)]
pub(super) struct EngineObservations {
    searches: usize,
    pub(super) unrequested_answers: Vec<String>,
    illegal_moves: Vec<String>,
    upper_case_moves: Vec<String>,
    illegal_ponder_moves: Vec<String>,
    illegal_pvs: Vec<String>,
    other_pv_moves: Vec<String>,
    lines: usize,
}

impl EngineObservations {
    pub(super) fn add(&mut self, setup: &TestPosition, record: &SearchRecord) {
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

    fn add_lines(&mut self, setup: &TestPosition, record: &SearchRecord) {
        for info in record.infos.iter().filter(|info| !info.pv.is_empty()) {
            self.lines += 1;
            let line: Vec<&str> = info.pv.iter().map(UciMove::as_str).collect();
            if let Err(error) = setup.referee.check_line(&line) {
                self.illegal_pvs.push(format!("{error}: {}", line.join(" ")));
            }
        }
        let main = |info: &&Info| !info.pv.is_empty() && info.multipv.is_none_or(|line| line == 1);
        let last = record.infos.iter().rev().find(main);
        if let (Some(last), Some(best)) = (last, record.best())
            && !last.pv[0].as_str().eq_ignore_ascii_case(best)
        {
            self.other_pv_moves.push(format!("pv {} but bestmove {best}", last.pv[0]));
        }
    }

    pub(super) fn findings(&self) -> Vec<Finding> {
        let searches = self.searches;
        vec![
            summary(
                "one bestmove per go",
                CheckVerdict::Fail,
                &self.unrequested_answers,
                &format!("{searches} searches have one bestmove each"),
                "the engine sends bestmove without a search",
            ),
            summary(
                "legal moves",
                CheckVerdict::Fail,
                &self.illegal_moves,
                &format!("the moves of {searches} searches are legal"),
                "the engine plays illegal moves",
            ),
            summary(
                "lower case",
                CheckVerdict::Warn,
                &self.upper_case_moves,
                "moves are in lower case, promotions included",
                "moves have upper-case letters; the protocol demands lower case",
            ),
            summary(
                "ponder moves",
                CheckVerdict::Warn,
                &self.illegal_ponder_moves,
                "every ponder move is legal",
                "ponder moves are illegal",
            ),
            summary(
                "legal PVs",
                CheckVerdict::Warn,
                &self.illegal_pvs,
                &format!("{} principal variations are legal", self.lines),
                "principal variations have illegal moves",
            ),
            summary(
                "bestmove is first in PV",
                CheckVerdict::Warn,
                &self.other_pv_moves,
                "bestmove is the first move of the last PV",
                "bestmove is not the first move of the last PV",
            ),
        ]
    }
}

fn summary(
    check: &'static str,
    verdict: CheckVerdict,
    cases: &[String],
    all_well: &str,
    problem: &str,
) -> Finding {
    if cases.is_empty() {
        return CheckOutcome::pass(all_well).of(check);
    }
    let times = if cases.len() == 1 { "once".to_owned() } else { format!("{} times", cases.len()) };
    let examples = &cases[..cases.len().min(EXAMPLES)];
    CheckOutcome::new(verdict, format!("{problem}, {times}")).seen(examples.join("; ")).of(check)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bestmove_ends_the_record_and_of_too_many_lines_the_first_and_the_last_are_kept() {
        let mut record = SearchRecord::default();
        for depth in 1..10_000 {
            assert!(!record.observe(&format!("info depth {depth} score cp 3")));
        }
        assert!(!record.observe("info score mate 2"));
        assert!(record.observe("bestmove e2e4 ponder e7e5\r"));
        assert_eq!(record.infos.len(), MAX_INFOS);
        assert_eq!(record.score(), Some(Score::mate(2)));
        assert_eq!((record.best(), record.ponder()), (Some("e2e4"), Some("e7e5")));
        for answer in ["bestmove (none)", "bestmove 0000", "bestmove"] {
            let mut record = SearchRecord::default();
            assert!(record.observe(answer));
            assert_eq!(record.best(), None, "{answer}");
        }
    }
}
