//! `--by bench`: a build is bad if its bench differs from the good one's.

use std::time::Duration;

use anyhow::anyhow;

use super::{Reference, TestResult, TestedBuild, Verdict};
use crate::cli::{Blame, CliError};
use crate::measure::evidence::bench;
use crate::measure::evidence::bench::BenchMethod;

/// The most time that a bench may take.
const TIMEOUT: Duration = Duration::from_mins(10);

/// Runs the bench; that of the good build twice, to check that it is deterministic.
pub fn judge(build: &TestedBuild<'_>) -> Result<TestResult, CliError> {
    let log = build.folder.join("bench.log");
    let measure = || bench::nodes(build.engine, BenchMethod::Argument { log: &log }, TIMEOUT);
    if build.is_good() {
        let (first, second) = (measure().usage()?, measure().usage()?);
        if first != second {
            let problem = anyhow!(
                "--by bench: expected the same bench in two runs of the good build, found {first} and {second} nodes"
            );
            return Err(CliError::Usage(problem));
        }
        let measured = Reference { bench: Some(first), ..Reference::default() };
        return Ok(TestResult { measured, ..TestResult::new(Verdict::Good, format!("{first} nodes")) });
    }
    let found = match measure() {
        Ok(found) => found,
        Err(error) => return Ok(TestResult::skipped(error.to_string())),
    };
    let expected = build.reference.bench.unwrap_or_default();
    Ok(if found == expected {
        TestResult::new(Verdict::Good, format!("{found} nodes, as for the good commit"))
    } else {
        TestResult::new(Verdict::Bad, format!("{found} nodes; the good commit has {expected}"))
    })
}
