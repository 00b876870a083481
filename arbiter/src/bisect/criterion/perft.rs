//! Does a build know the rules?

use std::ops::ControlFlow;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};

use super::{Judgement, PerftCriterion, Subject, Verdict};
use crate::cli::{Blame, CliError};
use crate::engines::{EngineSession, sessions};
use crate::files::suite_files;
use crate::perft::{EngineCounter, PerftCheck, PerftMismatch, PerftPosition, PerftSuite};
use runner::EngineConfig;

/// How long the first moves may take, before an engine is taken for one that does not count.
const PATIENCE: Duration = Duration::from_secs(5);

impl PerftCriterion {
    /// Counts until something is wrong.
    ///
    /// # Errors
    /// A suite cannot be read, or is wrong itself.
    pub fn judge(&self, subject: &Subject<'_>) -> Result<Judgement, CliError> {
        let texts = suite_files::read("perft", &self.suites).usage()?;
        let suites: Result<Vec<PerftSuite>, _> =
            texts.iter().map(|(name, text)| PerftSuite::parse(name, text)).collect();
        let suites = suites.usage()?;
        let session = match start(subject.engine) {
            Ok(session) => session,
            Err(error) => return Ok(Judgement::skipped(format!("{error:#}"))),
        };
        let mut counter = EngineCounter::new(&*subject.engine.name, session);
        let (mut positions, mut nodes) = (0, 0);
        for suite in &suites {
            for position in &suite.positions {
                let place = format!("{}:{}: {}", suite.name, position.line, position.name);
                match PerftCheck::run(&mut counter, position, self.depth.unwrap_or(u32::MAX)) {
                    Err(error) => return Ok(Judgement::new(Verdict::Bad, format!("{place}: {error}"))),
                    Ok(PerftCheck { mismatch: Some(mismatch), .. }) => {
                        return wrong_count(&place, position, &mismatch);
                    }
                    Ok(check) => nodes += check.nodes,
                }
                positions += 1;
            }
        }
        Ok(Judgement::new(Verdict::Good, format!("{positions} positions, {nodes} nodes, all counts right")))
    }
}

/// A count that is wrong, down to the smallest position.
fn wrong_count(
    place: &str,
    position: &PerftPosition,
    mismatch: &PerftMismatch,
) -> Result<Judgement, CliError> {
    let PerftMismatch { depth, expected, found, difference } = mismatch;
    let Some(difference) = difference else {
        let problem =
            anyhow!("{place}: expected {expected} nodes at depth {depth}, but shakmaty counts {found} too");
        return Err(CliError::Usage(problem));
    };
    let mut evidence = format!("{place} at depth {depth}: expected {expected} nodes, found {found}");
    if difference.fen != position.fen {
        evidence.push_str("; smallest position ");
        evidence.push_str(&difference.fen);
    }
    for (what, moves) in [("missing", &difference.missing), ("illegal", &difference.extra)] {
        if !moves.is_empty() {
            evidence.extend(["; ", what, ": ", &moves.join(" ")]);
        }
    }
    Ok(Judgement::new(Verdict::Bad, evidence))
}

/// Starts an engine that counts moves.
///
/// # Errors
/// It does not start, or does not answer `go perft` as Stockfish does.
fn start(engine: &EngineConfig) -> Result<EngineSession> {
    let mut session = sessions::start(engine)?;
    let mut counts = false;
    session.ask("position startpos\ngo perft 1\n", PATIENCE, |line| {
        counts = line.starts_with("Nodes searched");
        if counts || line.starts_with("bestmove") {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    if !counts {
        bail!("engine {}: answered `go perft` with a search; it does not count moves", engine.name);
    }
    Ok(session)
}
