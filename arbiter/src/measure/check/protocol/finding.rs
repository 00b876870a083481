//! The result of a check.

use serde::Serialize;

/// The severity of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The engine lacks the feature.
    Skip,
    /// The engine is right.
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
    /// Its outcome.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The severity.
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

    /// The engine is right.
    pub(super) fn pass(sentence: impl Into<String>) -> Outcome {
        Outcome::new(Verdict::Pass, sentence)
    }

    /// The engine does something unusual.
    pub(super) fn warn(sentence: impl Into<String>) -> Outcome {
        Outcome::new(Verdict::Warn, sentence)
    }

    /// The engine is wrong.
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
