//! JUnit XML, which CI services show as test results.
//!
//! There is no standard beyond what readers agree on: `testsuites`, `testsuite`, `testcase`, `failure`, `error`,
//! `skipped` and `system-out`, with the attributes that Ant's JUnit task has written since 2003.

use std::fmt::Write as _;

use jiff::Timestamp;
use maud::Render;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct TestSuite {
    /// The name, which is also the class of its cases.
    pub name: String,
    pub seconds: f64,
    pub started: Timestamp,
    pub cases: Vec<TestCase>,
    pub output: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestCase {
    pub name: String,
    #[serde(flatten)]
    pub outcome: CaseOutcome,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", content = "message", rename_all = "lowercase")]
pub enum CaseOutcome {
    Passed,
    Failed(String),
    Error(String),
    /// The case was not tested, or is undecided.
    Skipped(String),
}

impl CaseOutcome {
    /// Element, message and body; `None` if the case passed.
    fn element(&self) -> Option<(&'static str, &str, &str)> {
        match self {
            CaseOutcome::Passed => None,
            CaseOutcome::Failed(text) => {
                let (message, body) = text.split_once('\n').unwrap_or((text, ""));
                Some(("failure", message, body))
            }
            CaseOutcome::Error(message) => Some(("error", message, "")),
            CaseOutcome::Skipped(message) => Some(("skipped", message, "")),
        }
    }
}

pub fn junit(name: &str, suites: impl IntoIterator<Item = TestSuite>) -> String {
    let mut xml =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n", escape(name));
    for suite in suites {
        push_suite(&mut xml, &suite);
    }
    xml + "</testsuites>\n"
}

fn push_suite(xml: &mut String, suite: &TestSuite) {
    let elements: Vec<_> = suite.cases.iter().map(|case| case.outcome.element()).collect();
    let count = |kind| elements.iter().flatten().filter(|(element, ..)| *element == kind).count();
    let name = escape(&suite.name);
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\" \
         timestamp=\"{}\">",
        elements.len(),
        count("failure"),
        count("error"),
        count("skipped"),
        suite.seconds,
        suite.started.strftime("%Y-%m-%dT%H:%M:%S")
    );
    for (case, element) in suite.cases.iter().zip(elements) {
        let _ = write!(xml, "    <testcase classname=\"{name}\" name=\"{}\" time=\"0\"", escape(&case.name));
        let _ = match element {
            None => writeln!(xml, "/>"),
            Some((element, message, body)) => {
                let (message, body) = (escape(message), escape(body));
                writeln!(xml, ">\n      <{element} message=\"{message}\">{body}</{element}>\n    </testcase>")
            }
        };
    }
    let _ = writeln!(xml, "    <system-out>{}</system-out>\n  </testsuite>", escape(&suite.output));
}

/// Text for XML 1.0, which cannot represent most control characters.
fn escape(text: &str) -> String {
    let is_refused = |letter: char| {
        letter.is_control() && !matches!(letter, '\n' | '\t') || matches!(letter, '\u{fffe}' | '\u{ffff}')
    };
    text.replace(is_refused, "\u{fffd}").render().into_string()
}
