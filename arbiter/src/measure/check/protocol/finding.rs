//! The result of a check.

use std::ops::ControlFlow;
use std::time::Duration;

use serde::Serialize;

use uci::{Info, Message, Score};

/// The severity of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The engine lacks the feature.
    Skip,
    Pass,
    /// Unusual, but harmless in matches.
    Warn,
    /// Against the protocol or the rules of chess; it loses games or hangs a GUI.
    Fail,
}

/// The result of one named check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The name of the check.
    pub check: &'static str,
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    pub verdict: Verdict,
    /// One sentence: what the engine did.
    pub sentence: String,
    /// What was observed, for example the engine's answer or a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
}

impl Outcome {
    pub(super) fn new(verdict: Verdict, sentence: impl Into<String>) -> Outcome {
        Outcome { verdict, sentence: sentence.into(), seen: None }
    }

    pub(super) fn pass(sentence: impl Into<String>) -> Outcome {
        Outcome::new(Verdict::Pass, sentence)
    }

    /// The engine does something unusual.
    pub(super) fn warn(sentence: impl Into<String>) -> Outcome {
        Outcome::new(Verdict::Warn, sentence)
    }

    pub(super) fn fail(sentence: impl Into<String>) -> Outcome {
        Outcome::new(Verdict::Fail, sentence)
    }

    /// There is nothing to check.
    pub(super) fn skip(sentence: impl Into<String>) -> Outcome {
        Outcome::new(Verdict::Skip, sentence)
    }

    /// Adds what was observed, shortened if it is long.
    pub(super) fn seen(self, text: impl AsRef<str>) -> Outcome {
        const LONGEST: usize = 200;
        let text = text.as_ref();
        let cut = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
        let seen = if cut < text.len() { format!("{} …", &text[..cut]) } else { text.to_owned() };
        Outcome { seen: Some(seen), ..self }
    }

    /// The finding of the check with this name.
    pub(super) fn of(self, check: &'static str) -> Finding {
        Finding { check, outcome: self }
    }
}

/// The most `info` lines kept: the first ones and the last.
const MAX_INFOS: usize = 2000;

/// The `info` lines and the answer of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchRecord {
    /// The `info` lines in their order; beyond the maximum, the last one replaces the one before it.
    pub(super) infos: Vec<Info>,
    /// The `bestmove` line; `None` without one.
    pub(super) answer: Option<String>,
    /// Time to `bestmove`, from `go`, or from the `stop` or `ponderhit` that ends the search.
    pub(super) elapsed: Duration,
}

impl SearchRecord {
    /// Adds a line of the engine; breaks off at `bestmove`.
    pub(super) fn observe(&mut self, line: &str) -> ControlFlow<()> {
        let line = line.trim();
        if line.split_whitespace().next() == Some("bestmove") {
            self.answer = Some(line.to_owned());
            return ControlFlow::Break(());
        }
        if let Ok(Message::Info(info)) = line.parse() {
            if self.infos.len() >= MAX_INFOS {
                self.infos.pop();
            }
            self.infos.push(*info);
        }
        ControlFlow::Continue(())
    }

    /// The move of `bestmove`, as written; `None` if the engine reports no move.
    pub(super) fn best(&self) -> Option<&str> {
        let word = self.answer.as_deref()?.split_whitespace().nth(1)?;
        (!matches!(word, "(none)" | "0000" | "none" | "NULL")).then_some(word)
    }

    pub(super) fn ponder(&self) -> Option<&str> {
        let mut words = self.answer.as_deref()?.split_whitespace().skip(2);
        (words.next()? == "ponder").then(|| words.next())?
    }

    /// The last score reported.
    pub(super) fn score(&self) -> Option<Score> {
        self.infos.iter().rev().find_map(|info| info.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::Score;

    #[test]
    fn bestmove_ends_the_record_and_of_too_many_lines_the_first_and_the_last_are_kept() {
        let mut record = SearchRecord::default();
        for depth in 1..10_000 {
            assert!(record.observe(&format!("info depth {depth} score cp 3")).is_continue());
        }
        assert!(record.observe("info score mate 2").is_continue());
        assert!(record.observe("bestmove e2e4 ponder e7e5\r").is_break());
        assert_eq!(record.infos.len(), MAX_INFOS);
        assert_eq!(record.score(), Some(Score::mate(2)));
        assert_eq!((record.best(), record.ponder()), (Some("e2e4"), Some("e7e5")));
    }

    #[test]
    fn an_engine_may_report_no_move() {
        for answer in ["bestmove (none)", "bestmove 0000", "bestmove"] {
            let mut record = SearchRecord::default();
            assert!(record.observe(answer).is_break());
            assert_eq!(record.best(), None, "{answer}");
        }
    }
}
