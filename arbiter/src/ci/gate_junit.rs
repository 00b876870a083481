//! What the gate says, as test suites: one for each step, with a case for each of its checks.

use std::fmt::Write as _;

use super::gate_result::GateResult;
use super::step_result::{CheckOutcome, GateCheck, StepResult};
use crate::report::junit::escape;

/// The file, in the dialect of [`junit`](crate::report::junit::junit()).
pub fn gate_junit(result: &GateResult) -> String {
    let mut xml =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"arbiter ci\">\n");
    for step in &result.steps {
        suite(&mut xml, result, step);
    }
    xml + "</testsuites>\n"
}

fn suite(xml: &mut String, result: &GateResult, step: &StepResult) {
    let count =
        |is_so: fn(&CheckOutcome) -> bool| step.checks.iter().filter(|check| is_so(&check.outcome)).count();
    let failures = count(|outcome| matches!(outcome, CheckOutcome::Failed(_)));
    let skipped = count(|outcome| matches!(outcome, CheckOutcome::Skipped(_)));
    let name = escape(&format!("{} {}", result.engine, step.step));
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" \
         time=\"{:.3}\" timestamp=\"{}\">",
        step.checks.len(),
        step.seconds,
        result.started.strftime("%Y-%m-%dT%H:%M:%S")
    );
    for GateCheck { name: check, outcome } in &step.checks {
        let _ = write!(xml, "    <testcase classname=\"{name}\" name=\"{}\" time=\"0\"", escape(check));
        let (element, message) = match outcome {
            CheckOutcome::Passed => {
                xml.push_str("/>\n");
                continue;
            }
            CheckOutcome::Failed(message) => ("failure", message),
            CheckOutcome::Skipped(message) => ("skipped", message),
        };
        let message = escape(message);
        let _ = writeln!(xml, ">\n      <{element} message=\"{message}\"></{element}>\n    </testcase>");
    }
    let said = std::iter::once(&step.sentence).chain(&step.details);
    let said = said.map(String::as_str).collect::<Vec<_>>().join("\n");
    let _ = writeln!(xml, "    <system-out>{}</system-out>\n  </testsuite>", escape(&said));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::made_up_gate::regression;

    #[test]
    fn a_regression_in_two_steps() {
        insta::assert_snapshot!(gate_junit(&regression()));
    }

    #[test]
    fn what_an_engine_says_cannot_break_the_document() {
        let mut result = regression();
        result.engine = "<a&b>".to_owned();
        result.steps[0].checks[0].outcome = CheckOutcome::Failed("]]></failure>\u{1b}\"".to_owned());
        let xml = gate_junit(&result);
        assert!(xml.contains("message=\"]]&gt;&lt;/failure&gt;\u{fffd}&quot;\""), "{xml}");
        assert!(xml.contains("name=\"&lt;a&amp;b&gt; perft\""), "{xml}");
    }
}
