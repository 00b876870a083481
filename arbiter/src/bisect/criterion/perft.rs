//! Does a build know the rules?

use anyhow::anyhow;

use super::{Judgement, PerftCriterion, Subject, Verdict};
use crate::cli::{Blame, CliError};
use crate::evidence::perft;
use crate::evidence::perft::CountedPosition;
use crate::files::suite_files;
use crate::perft::{PerftMismatch, PerftSuite};

impl PerftCriterion {
    /// Counts until something is wrong.
    ///
    /// # Errors
    /// A suite cannot be read, or is wrong itself.
    pub fn judge(&self, subject: &Subject<'_>) -> Result<Judgement, CliError> {
        let suites = suite_files::parse("perft", &self.suites, PerftSuite::parse).usage()?;
        let mut counter = match perft::counter(subject.engine) {
            Ok(counter) => counter,
            Err(unanswered) => return Ok(Judgement::skipped(unanswered.to_string())),
        };
        if let Err(error) = counter.probe() {
            return Ok(Judgement::skipped(error.to_string()));
        }
        let (mut positions, mut nodes) = (0, 0);
        for suite in &suites {
            for counted in perft::counts(&mut counter, suite, self.depth.unwrap_or(u32::MAX)) {
                let check = match &counted.check {
                    Ok(check) => check,
                    Err(unanswered) => return Ok(Judgement::new(Verdict::Bad, unanswered.to_string())),
                };
                if let Some(mismatch) = &check.mismatch {
                    return wrong_count(&counted, mismatch);
                }
                positions += 1;
                nodes += check.nodes;
            }
        }
        Ok(Judgement::new(Verdict::Good, format!("{positions} positions, {nodes} nodes, all counts right")))
    }
}

/// A count that is wrong, down to the smallest position.
fn wrong_count(counted: &CountedPosition<'_>, mismatch: &PerftMismatch) -> Result<Judgement, CliError> {
    let PerftMismatch { depth, expected, found, difference } = mismatch;
    let place = format!("{}: {}", counted.place(), counted.position.name);
    let Some(difference) = difference else {
        let problem =
            anyhow!("{place}: expected {expected} nodes at depth {depth}, but shakmaty counts {found} too");
        return Err(CliError::Usage(problem));
    };
    let mut evidence = format!("{place} at depth {depth}: expected {expected} nodes, found {found}");
    if difference.fen != counted.position.fen {
        evidence.push_str("; smallest position ");
        evidence.push_str(&difference.fen);
    }
    evidence.push_str(&perft::wrong_moves(difference));
    Ok(Judgement::new(Verdict::Bad, evidence))
}
