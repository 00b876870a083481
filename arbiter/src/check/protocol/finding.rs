//! What one check of the protocol has found.

use serde::Serialize;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The engine does not offer what would have been checked.
    Skip,
    /// As it should be.
    Pass,
    /// Unusual, and harmless in games as we play them.
    Warn,
    /// Against the protocol or the rules; it costs games, or hangs a GUI.
    Fail,
}

/// The result of one named check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The name of the check.
    pub check: &'static str,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How bad it is.
    pub verdict: Verdict,
    /// One sentence: what the engine did.
    pub sentence: String,
    /// What was seen, word for word, where that helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
}

impl Outcome {
    pub(super) fn new(verdict: Verdict, sentence: impl Into<String>) -> Outcome {
        Outcome { verdict, sentence: sentence.into(), seen: None }
    }

    /// The engine does it as it should.
    pub(super) fn pass(sentence: impl Into<String>) -> Outcome {
        Outcome::new(Verdict::Pass, sentence)
    }

    /// The engine does something odd.
    pub(super) fn warn(sentence: impl Into<String>) -> Outcome {
        Outcome::new(Verdict::Warn, sentence)
    }

    /// The engine does it wrong.
    pub(super) fn fail(sentence: impl Into<String>) -> Outcome {
        Outcome::new(Verdict::Fail, sentence)
    }

    /// There is nothing to check.
    pub(super) fn skip(sentence: impl Into<String>) -> Outcome {
        Outcome::new(Verdict::Skip, sentence)
    }

    /// The same with what was seen, cut where it becomes long.
    pub(super) fn seen(self, text: impl AsRef<str>) -> Outcome {
        const LONGEST: usize = 200;
        let text = text.as_ref();
        let cut = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
        let seen = if cut < text.len() { format!("{} …", &text[..cut]) } else { text.to_owned() };
        Outcome { seen: Some(seen), ..self }
    }

    /// The same under the name of its check.
    pub(super) fn of(self, check: &'static str) -> Finding {
        Finding { check, outcome: self }
    }
}
