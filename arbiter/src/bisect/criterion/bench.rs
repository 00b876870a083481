//! Does a build search as many nodes as the good one in its own bench?

use std::time::Duration;

use anyhow::anyhow;

use super::{Judgement, Subject, Verdict, Yardstick};
use crate::cli::{Blame, CliError};
use crate::evidence::bench;
use crate::evidence::bench::BenchQuestion;

/// How long a bench may take.
const PATIENCE: Duration = Duration::from_mins(10);

/// Runs the bench; that of the good build twice, since a number that differs by itself is no signature.
///
/// # Errors
/// The good build has no bench, or one that is not the same twice.
pub fn judge(subject: &Subject<'_>) -> Result<Judgement, CliError> {
    let log = subject.folder.join("bench.log");
    let measure = || bench::nodes(subject.engine, BenchQuestion::Argument { log: &log }, PATIENCE);
    if subject.is_the_good_one() {
        let (first, second) = (measure().usage()?, measure().usage()?);
        if first != second {
            let problem = anyhow!(
                "--by bench: expected the good build to search the same number of nodes every time, found {first} and \
                 {second}"
            );
            return Err(CliError::Usage(problem));
        }
        let achieved = Yardstick { signature: Some(first), ..Yardstick::default() };
        return Ok(Judgement { achieved, ..Judgement::new(Verdict::Good, format!("{first} nodes")) });
    }
    let found = match measure() {
        Ok(found) => found,
        Err(unanswered) => return Ok(Judgement::skipped(unanswered.to_string())),
    };
    let expected = subject.yardstick.signature.unwrap_or_default();
    let verdict = if found == expected { Verdict::Good } else { Verdict::Bad };
    Ok(Judgement::new(verdict, format!("{found} nodes, the good one {expected}")))
}
