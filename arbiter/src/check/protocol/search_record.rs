//! Everything an engine says in answer to one `go`.

use std::ops::ControlFlow;
use std::time::Duration;

use uci::{Info, Message, Score};

/// More `info` lines than this are not kept; an engine that floods is judged by the first and the last.
const INFO_CAP: usize = 2000;

/// The `info` lines and the answer of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct SearchRecord {
    /// The lines in their order, those beyond the cap replaced by the last one.
    pub(super) infos: Vec<Info>,
    /// The whole line with `bestmove`; `None` when it did not come.
    pub(super) answer: Option<String>,
    /// From the question, or from the `stop` or `ponderhit` that ends the search, to the answer.
    pub(super) elapsed: Duration,
}

impl SearchRecord {
    /// Takes a line of the engine; breaks off at the answer.
    pub(super) fn observe(&mut self, line: &str) -> ControlFlow<()> {
        let line = line.trim();
        if line.split_whitespace().next() == Some("bestmove") {
            self.answer = Some(line.to_owned());
            return ControlFlow::Break(());
        }
        if let Ok(Message::Info(info)) = line.parse() {
            if self.infos.len() >= INFO_CAP {
                self.infos.pop();
            }
            self.infos.push(*info);
        }
        ControlFlow::Continue(())
    }

    /// The move, as the engine wrote it; `None` where it says that it has none.
    pub(super) fn best(&self) -> Option<&str> {
        let word = self.answer.as_deref()?.split_whitespace().nth(1)?;
        (!matches!(word, "(none)" | "0000" | "none" | "NULL")).then_some(word)
    }

    /// The reply to ponder on.
    pub(super) fn ponder(&self) -> Option<&str> {
        let mut words = self.answer.as_deref()?.split_whitespace().skip(2);
        (words.next()? == "ponder").then(|| words.next())?
    }

    /// The last score that was reported.
    pub(super) fn score(&self) -> Option<Score> {
        self.infos.iter().rev().find_map(|info| info.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uci::Score;

    #[test]
    fn the_answer_ends_the_record_and_nothing_is_lost_by_a_flood_but_its_middle() {
        let mut record = SearchRecord::default();
        for depth in 1..10_000 {
            assert!(record.observe(&format!("info depth {depth} score cp 3")).is_continue());
        }
        assert!(record.observe("info score mate 2").is_continue());
        assert!(record.observe("bestmove e2e4 ponder e7e5\r").is_break());
        assert_eq!(record.infos.len(), INFO_CAP);
        assert_eq!(record.score(), Some(Score::mate(2)));
        assert_eq!((record.best(), record.ponder()), (Some("e2e4"), Some("e7e5")));
    }

    #[test]
    fn an_engine_may_say_that_it_has_no_move() {
        for answer in ["bestmove (none)", "bestmove 0000", "bestmove"] {
            let mut record = SearchRecord::default();
            assert!(record.observe(answer).is_break());
            assert_eq!(record.best(), None, "{answer}");
        }
    }
}
