//! The protocol step: does the engine follow the UCI protocol?

use std::fmt::Write as _;

use super::ci_file::ProtocolTable;
use super::step::{CheckOutcome, Step, StepResult, StepVerdict};
use crate::cli::{Blame, CliError};
use crate::measure::check::protocol::{Finding, Verdict, check_protocol};
use crate::text::number_text::counted;
use runner::EngineConfig;

/// Runs the checks of `arbiter check`. A check that fails is an engine fault, unless `may_fail` lists it.
pub fn run(table: &ProtocolTable, engine: &EngineConfig) -> Result<StepResult, CliError> {
    let options: Vec<_> =
        engine.options.iter().map(|option| (option.name.clone(), option.value.clone())).collect();
    let findings = check_protocol(&engine.command(), &options, |_| {}).fault()?;
    Ok(judge(table, &findings))
}

fn judge(table: &ProtocolTable, findings: &[Finding]) -> StepResult {
    let may_fail = |finding: &&Finding| table.may_fail.iter().any(|name| name == finding.check);
    let count = |verdict| findings.iter().filter(|finding| finding.outcome.verdict == verdict).count();
    let failed = || findings.iter().filter(|finding| finding.outcome.verdict == Verdict::Fail);
    let fatal: Vec<&Finding> = failed().filter(|finding| !may_fail(finding)).collect();
    let [passed, warned] = [Verdict::Pass, Verdict::Warn].map(count);
    let tolerated = failed().count() - fatal.len();
    let mut sentence = format!(
        "{} passed, {} with a warning, {} failed",
        counted(passed as u64, "check"),
        warned,
        fatal.len()
    );
    if tolerated > 0 {
        let _ = write!(sentence, ", {tolerated} failed but allowed by may_fail");
    }
    let verdict = if fatal.is_empty() { StepVerdict::Passed } else { StepVerdict::Broken };
    let mut result = StepResult::new(Step::Protocol, verdict, sentence);
    for finding in &fatal {
        result = result.detail(format!("{}: {}", finding.check, described(finding)));
    }
    for finding in findings {
        let outcome = match finding.outcome.verdict {
            Verdict::Pass | Verdict::Warn => CheckOutcome::Passed,
            Verdict::Skip => CheckOutcome::Skipped(described(finding)),
            Verdict::Fail if may_fail(&finding) => CheckOutcome::Skipped(described(finding)),
            Verdict::Fail => CheckOutcome::Failed(described(finding)),
        };
        result = result.check(finding.check, outcome);
    }
    result
}

/// What the check found, with the line that it saw.
fn described(finding: &Finding) -> String {
    let seen = finding.outcome.seen.as_ref().map(|seen| format!(" ({seen})")).unwrap_or_default();
    format!("{}{seen}", finding.outcome.sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::check::protocol::Outcome;

    fn finding(check: &'static str, verdict: Verdict) -> Finding {
        Finding { check, outcome: Outcome { verdict, sentence: "it is so".to_owned(), seen: None } }
    }

    #[test]
    fn a_check_that_may_fail_does_not_break_the_engine() {
        let findings = [finding("info", Verdict::Pass), finding("go ponder", Verdict::Fail)];
        let strict = judge(&ProtocolTable::default(), &findings);
        assert_eq!(strict.verdict, StepVerdict::Broken);
        assert_eq!(strict.details, ["go ponder: it is so"]);
        let lenient = judge(&ProtocolTable { may_fail: vec!["go ponder".to_owned()] }, &findings);
        assert_eq!(lenient.verdict, StepVerdict::Passed);
        assert_eq!(
            lenient.sentence,
            "1 check passed, 0 with a warning, 0 failed, 1 failed but allowed by may_fail"
        );
        assert_eq!(lenient.checks.len(), 2);
    }
}
