//! The result as JUnit XML: a test suite for each step, a test case for each of its checks.

use super::ci_result::CiResult;
use super::step_result::{CheckOutcome, StepResult};
use crate::text::junit::{CaseOutcome, TestCase, TestSuite, junit};

/// The XML document.
pub fn ci_junit(result: &CiResult) -> String {
    junit("arbiter ci", result.steps.iter().map(|step| suite(result, step)))
}

fn suite(result: &CiResult, step: &StepResult) -> TestSuite {
    let cases = step.checks.iter().map(|check| TestCase {
        name: check.name.clone(),
        outcome: match &check.outcome {
            CheckOutcome::Passed => CaseOutcome::Passed,
            CheckOutcome::Failed(message) => CaseOutcome::Failed(message.clone(), String::new()),
            CheckOutcome::Skipped(message) => CaseOutcome::Skipped(message.clone()),
        },
    });
    let output: Vec<&str> =
        std::iter::once(&step.sentence).chain(&step.details).map(String::as_str).collect();
    TestSuite {
        name: format!("{} {}", result.engine, step.step),
        seconds: step.seconds,
        started: result.started,
        cases: cases.collect(),
        output: output.join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::ci::made_up_results::regression;

    #[test]
    fn a_regression_in_two_steps() {
        insta::assert_snapshot!(ci_junit(&regression()));
    }

    #[test]
    fn output_of_an_engine_cannot_break_the_document() {
        let mut result = regression();
        result.engine = "<a&b>".to_owned();
        result.steps[0].checks[0].outcome = CheckOutcome::Failed("]]></failure>\u{1b}\"".to_owned());
        let xml = ci_junit(&result);
        assert!(xml.contains("message=\"]]&gt;&lt;/failure&gt;\u{fffd}&quot;\""), "{xml}");
        assert!(xml.contains("name=\"&lt;a&amp;b&gt; perft\""), "{xml}");
    }
}
