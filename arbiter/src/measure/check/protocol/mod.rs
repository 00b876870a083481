//! Checks that an engine follows the UCI protocol.
//!
//! [`check_protocol`] runs a list of named checks on a [`TestedEngine`](tested_engine::TestedEngine); each has one
//! [`Finding`]. What holds for every search, for example that its move is legal, is observed in all checks and reported
//! at the end. An engine that fails in one check is started again for the next. Every wait has a timeout, so that all
//! checks take at most a minute or two.
//!
//! The protocol is that of Stefan Meyer-Kahlen, "Description of the universal chess interface (UCI)", April 2006.

mod finding;
mod handshake_check;
mod idle_check;
mod limits_check;
mod observations;
mod position_check;
mod positions;
mod readiness_check;
mod setup;
mod tested_engine;

pub use finding::{Finding, Outcome, Verdict};

use std::io;

use observations::Observations;
use tested_engine::TestedEngine;

use runner::process::{EngineCommand, EngineError};

/// A named check, called with the engine ready for a command.
type Check = (&'static str, fn(&mut TestedEngine<'_>) -> Result<Outcome, EngineError>);

/// The checks in their order: the basic ones first, those that end the engine last.
const CHECKS: &[Check] = &[
    ("isready", readiness_check::at_once),
    ("ucinewgame", readiness_check::new_game),
    ("setoption", readiness_check::set_option),
    ("position", position_check::forms),
    ("castling, promotion in", position_check::special_moves),
    ("castling, promotion out", position_check::notation),
    ("long game", position_check::long_game),
    ("no legal moves", position_check::no_legal_moves),
    ("Chess960", position_check::chess960),
    ("go depth", limits_check::depth),
    ("go nodes", limits_check::nodes),
    ("go movetime", limits_check::move_time),
    ("go wtime btime", limits_check::clocks),
    ("go infinite, stop", limits_check::infinite),
    ("go ponder", idle_check::ponder),
    ("go searchmoves", limits_check::search_moves),
    ("go mate", limits_check::mate),
    ("isready in a search", readiness_check::during_search),
    ("info", limits_check::info),
    ("mate scores", limits_check::mate_scores),
    ("unknown commands", readiness_check::unknown_commands),
    ("white space", readiness_check::white_space),
    ("carriage returns", readiness_check::carriage_returns),
    ("stop without a search", readiness_check::stop_without_search),
    ("idle", idle_check::idle),
    ("error output", idle_check::error_output),
    ("quit", idle_check::quit),
    ("quit in a search", idle_check::quit_during_search),
    ("end of input", idle_check::end_of_input),
];

/// The finding that stands for the checks that are skipped.
const OTHERS: &str = "other checks";

/// After this many checks without an answer, the remaining ones are skipped.
const MAX_TIMEOUTS: usize = 5;

/// Checks an engine with these options set, each a name and a value (`None` for a button). Calls `report` with each
/// finding at once; returns all findings.
pub fn check_protocol(
    command: &EngineCommand,
    options: &[(String, Option<String>)],
    mut report: impl FnMut(&Finding),
) -> io::Result<Vec<Finding>> {
    let mut engine = TestedEngine::new(command, options)?;
    let mut findings = Vec::new();
    let mut add = |finding: Finding| {
        report(&finding);
        findings.push(finding);
    };
    match handshake_check::findings(&mut engine) {
        Ok(introduction) => introduction.into_iter().for_each(&mut add),
        Err(error) => {
            add(Outcome::fail("it does not answer `uci` with `uciok`")
                .seen(error.to_string())
                .of("handshake"));
            return Ok(findings);
        }
    }
    let mut timeouts = 0;
    for &(name, check) in CHECKS {
        let outcome = engine.ensure_ready().and_then(|()| check(&mut engine));
        timeouts += usize::from(matches!(outcome, Err(EngineError::Silent { .. })));
        add(outcome.unwrap_or_else(|error| failed(&error)).of(name));
        if engine.never_starts() || timeouts == MAX_TIMEOUTS {
            add(Outcome::fail("it failed too often; the other checks are skipped").of(OTHERS));
            break;
        }
    }
    engine.observations.findings().into_iter().for_each(&mut add);
    Ok(findings)
}

/// The names of all checks in their order.
pub fn check_names() -> Vec<&'static str> {
    let checks = CHECKS.iter().map(|(name, _)| *name);
    let observed = Observations::default().findings();
    handshake_check::NAMES
        .into_iter()
        .chain(checks)
        .chain([OTHERS])
        .chain(observed.iter().map(|finding| finding.check))
        .collect()
}

/// The outcome of a check in which the engine did not answer.
fn failed(error: &EngineError) -> Outcome {
    let sentence = match error {
        EngineError::Silent { timeout, .. } => {
            return Outcome::fail("it does not answer")
                .seen(format!("no answer within {} s", timeout.as_secs()));
        }
        EngineError::Ended { .. } => "it exits instead of answering",
        EngineError::Start { .. } | EngineError::Clock { .. } | EngineError::Setting { .. } => {
            "it cannot be started with its options"
        }
    };
    Outcome::fail(sentence).seen(error.to_string())
}
