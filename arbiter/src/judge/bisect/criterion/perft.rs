//! `--by perft`: a build is bad if a count is wrong.

use anyhow::anyhow;

use super::{PerftCriterion, TestResult, TestedBuild, Verdict};
use crate::cli::{Blame, CliError};
use crate::files::suite_files;
use crate::measure::evidence::MeasureError;
use crate::measure::evidence::perft::{self, CountedPosition};
use crate::measure::perft::{PerftMismatch, PerftSuite, countable};

impl PerftCriterion {
    /// Counts the positions up to the first wrong count.
    pub fn judge(&self, build: &TestedBuild<'_>) -> Result<TestResult, CliError> {
        let suites = suite_files::parse("perft", &self.suites, PerftSuite::parse).usage()?;
        let mut counter = match perft::counter(build.engine) {
            Ok(counter) => counter,
            Err(error) => return Ok(TestResult::skipped(error.to_string())),
        };
        if let Err(error) = counter.probe() {
            return Ok(TestResult::skipped(error.to_string()));
        }
        let (suites, skipped) = countable(&counter, suites, !self.suites.is_empty());
        let (mut positions, mut nodes) = (0, 0);
        for suite in &suites {
            for counted in perft::counts(&mut counter, suite, self.depth.unwrap_or(u32::MAX)) {
                let check = match &counted.check {
                    Ok(check) => check,
                    Err(MeasureError::EngineFault(error)) => {
                        return Ok(TestResult::new(Verdict::Bad, error.to_string()));
                    }
                    Err(MeasureError::Usage(error)) => return Ok(TestResult::skipped(format!("{error:#}"))),
                };
                if let Some(mismatch) = &check.mismatch {
                    return wrong_count(&counted, mismatch);
                }
                positions += 1;
                nodes += check.nodes;
            }
        }
        let without = match &skipped[..] {
            [] => String::new(),
            _ => format!("; no option UCI_Chess960: skipped {}", skipped.join(", ")),
        };
        Ok(TestResult::new(
            Verdict::Good,
            format!("{positions} positions, {nodes} nodes, all counts correct{without}"),
        ))
    }
}

/// The verdict on a wrong count, with the smallest position that shows it.
fn wrong_count(counted: &CountedPosition<'_>, mismatch: &PerftMismatch) -> Result<TestResult, CliError> {
    let PerftMismatch { depth, expected, found, difference } = mismatch;
    let place = format!("{}: {}", counted.place(), counted.position.name);
    let Some(difference) = difference else {
        let problem = anyhow!(
            "{place}: the suite is wrong: it has {expected} nodes at depth {depth}, but shakmaty counts {found}, too"
        );
        return Err(CliError::Usage(problem));
    };
    let mut evidence = format!("{place} at depth {depth}: expected {expected} nodes, found {found}");
    if difference.fen != counted.position.fen {
        evidence.push_str("; smallest position ");
        evidence.push_str(&difference.fen);
    }
    evidence.push_str(&perft::wrong_moves(difference));
    Ok(TestResult::new(Verdict::Bad, evidence))
}
