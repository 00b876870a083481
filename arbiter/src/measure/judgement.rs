//! The result of a measurement in numbers and sentences, for `ci`, `bisect`, `history` and `ablate`.

use anyhow::anyhow;
use serde::{Deserialize, Serialize};

use super::MeasureError;
use crate::cli::CliError;
use crate::report::verdict::{Verdict, verdict};
use crate::run::NestedRun;
use crate::text::junit::{CaseOutcome, TestCase};
use crate::text::number_text::{counted, llr};
use crate::text::one_line;
use runner::{FinishReason, Termination};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    pub verdict: Verdict,
    pub sentence: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// The parts that pass or fail on their own.
    pub checks: Vec<TestCase>,
}

impl Judgement {
    pub fn new(verdict: Verdict, sentence: impl Into<String>) -> Judgement {
        Judgement { verdict, sentence: sentence.into(), details: Vec::new(), checks: Vec::new() }
    }

    pub fn detail(mut self, line: impl Into<String>) -> Judgement {
        self.details.push(line.into());
        self
    }

    pub fn check(self, name: impl Into<String>, passed: bool, message: String) -> Judgement {
        self.case(name, if passed { CaseOutcome::Passed } else { CaseOutcome::Failed(message) })
    }

    pub fn case(mut self, name: impl Into<String>, outcome: CaseOutcome) -> Judgement {
        self.checks.push(TestCase { name: name.into(), outcome });
        self
    }

    /// Without checks of its own, the judgement is one check.
    pub fn check_as_a_whole(self, name: impl Into<String>) -> Judgement {
        if !self.checks.is_empty() {
            return self;
        }
        let outcome = self.verdict.case(self.sentence.clone());
        self.case(name, outcome)
    }

    pub fn text(&self) -> String {
        [std::slice::from_ref(&self.sentence), &self.details].concat().join("; ")
    }

    /// The first problem, on one line.
    pub fn reason(&self) -> String {
        let details = self.details.first().map(|detail| format!(": {detail}")).unwrap_or_default();
        one_line(&format!("{}{details}", self.sentence))
    }

    /// Judges the first engine of a match. Returns an error if there are no games to judge by.
    pub fn of_match(NestedRun { summary, reason }: &NestedRun) -> Result<Judgement, MeasureError> {
        let sentence = match reason {
            FinishReason::EngineDoesNotStart { engine: 0, detail } => {
                return Err(MeasureError::EngineFault(anyhow!("{detail}")));
            }
            FinishReason::EngineDoesNotStart { detail, .. } => {
                let problem = anyhow!("the build to compare with does not start: {detail}");
                return Err(MeasureError::Usage(problem));
            }
            FinishReason::FileChanged { detail } => return Err(MeasureError::Usage(anyhow!("{detail}"))),
            FinishReason::Requested => "interrupted before the SPRT decided.".to_owned(),
            _ => verdict(summary),
        };
        let test = summary.pairing(0, 1).and_then(|pairing| pairing.estimates.sprt);
        let ratio = test.map(|sprt| format!(" LLR {}", llr(&sprt))).unwrap_or_default();
        let judgement = Judgement::new(Verdict::of_run(summary, reason), sentence + &ratio);
        let engine = &summary.engines[0];
        Ok(match engine.faults_of(Termination::TimeLoss) {
            0 => judgement,
            losses => judgement.detail(format!("{} lost {} on time", engine.name, counted(losses, "game"))),
        })
    }
}

impl MeasureError {
    /// Judges a failed measurement as a broken engine, unless the user can fix the error. `check` is what failed.
    pub fn judgement(self, check: &str) -> Result<Judgement, CliError> {
        Ok(Judgement::new(Verdict::Broken, self.engine_fault()?).check_as_a_whole(check))
    }
}
