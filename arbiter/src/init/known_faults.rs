//! Notes the failures of the current commit in `arbiter.toml` as known, so that `arbiter ci` passes now and reports new
//! ones.

use std::fmt::Write as _;

use crate::compare::ci::{Step, StepResult};
use crate::text::junit::CaseOutcome;

/// The text of `arbiter.toml` with the failures of a step: protocol checks are added to `may_fail`, perft suites are
/// left out, and any other step is commented out.
pub fn note(text: &str, failed: &StepResult) -> String {
    let StepResult { step, judgement, .. } = failed;
    let title = format!("[{step}]");
    let passed = judgement.checks.iter().filter(|check| check.outcome == CaseOutcome::Passed);
    let passed: Vec<String> = passed.map(|check| format!("{:?}", check.name)).collect();
    let mut noted = String::new();
    let mut is_in_step = false;
    for line in text.lines() {
        is_in_step = if line.starts_with('[') { line == title } else { is_in_step && !line.is_empty() };
        match step {
            Step::Protocol if is_in_step && line == "may_fail = [" => {
                let _ = writeln!(noted, "{line}");
                for check in &judgement.checks {
                    if let CaseOutcome::Failed(reason) = &check.outcome {
                        let _ = writeln!(noted, "    {:?}, # {}", check.name, one_line(reason));
                    }
                }
                continue;
            }
            Step::Protocol => {}
            Step::Perft if !passed.is_empty() => {
                if is_in_step && line.starts_with("suites = ") {
                    continue;
                }
                if is_in_step && line == title {
                    let _ = writeln!(noted, "# Suites with wrong counts are left out: {}", why(failed));
                    let _ = writeln!(noted, "{line}\nsuites = [{}]", passed.join(", "));
                    continue;
                }
            }
            _ if is_in_step => {
                if line == title {
                    let _ = writeln!(
                        noted,
                        "# It fails today: {}\n# Remove each # below to enable the step again.",
                        why(failed)
                    );
                }
                noted += "# ";
            }
            _ => {}
        }
        let _ = writeln!(noted, "{line}");
    }
    noted
}

/// The first problem, on one line.
pub fn why(failed: &StepResult) -> String {
    let judgement = &failed.judgement;
    let details = judgement.details.first().map(|detail| format!(": {detail}")).unwrap_or_default();
    one_line(&format!("{}{details}", judgement.sentence))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
