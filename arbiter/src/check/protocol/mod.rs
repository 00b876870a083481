//! What does an engine do wrong in the protocol?
//!
//! [`examine`] holds an [`Interview`](interview::Interview) with one engine: a list of named checks, each of which asks
//! the engine something and has one [`Finding`]. What every search has in common, as that its move is legal, is
//! observed throughout and reported at the end. An engine that breaks in one check is started again for the next, and
//! every wait has an end, so that an examination takes a minute or two at worst whatever the engine does.
//!
//! The protocol is that of Stefan Meyer-Kahlen, "Description of the universal chess interface (UCI)", April 2006.

mod farewell_check;
mod finding;
mod interview;
mod introduction_check;
mod limits_check;
mod manners_check;
mod observations;
mod ponder_check;
mod position_check;
mod positions;
mod readiness_check;
mod search_record;
mod setup;

pub use finding::{Finding, Outcome, Verdict};

use std::io;

use interview::Interview;

use runner::process::{EngineCommand, EngineError};

/// A named check: it has the engine in front of it, ready for a command.
type Check = (&'static str, fn(&mut Interview<'_>) -> Result<Outcome, EngineError>);

/// The checks in their order: what they build on comes first, and what ends the engine last.
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
    ("go ponder", ponder_check::ponder),
    ("go searchmoves", limits_check::search_moves),
    ("go mate", limits_check::mate),
    ("isready in a search", readiness_check::during_search),
    ("info", limits_check::info),
    ("mate scores", limits_check::mate_scores),
    ("unknown commands", readiness_check::unknown_commands),
    ("blanks", readiness_check::white_space),
    ("carriage returns", readiness_check::carriage_returns),
    ("stop without a search", readiness_check::stop_without_search),
    ("idle", manners_check::idle),
    ("error output", manners_check::error_output),
    ("quit", farewell_check::quit),
    ("quit in a search", farewell_check::quit_during_search),
    ("end of input", farewell_check::end_of_input),
];

/// An engine that leaves so many checks without an answer is not asked on, or it would take all day.
const MOST_SILENCES: usize = 5;

/// Examines an engine with these options set, each a name and a value (none for a button). Every finding is shown to
/// `tell` as soon as it is there; all of them are returned.
///
/// # Errors
/// The system has no more event queues. What goes wrong with the engine is a finding.
pub fn examine(
    command: &EngineCommand,
    options: &[(String, Option<String>)],
    mut tell: impl FnMut(&Finding),
) -> io::Result<Vec<Finding>> {
    let mut interview = Interview::new(command, options)?;
    let mut findings = Vec::new();
    let mut add = |finding: Finding| {
        tell(&finding);
        findings.push(finding);
    };
    match introduction_check::findings(&mut interview) {
        Ok(introduction) => introduction.into_iter().for_each(&mut add),
        Err(error) => {
            add(Outcome::fail("it does not introduce itself").seen(error.to_string()).of("handshake"));
            return Ok(findings);
        }
    }
    let mut silences = 0;
    for &(name, check) in CHECKS {
        let outcome = interview.settle().and_then(|()| check(&mut interview));
        silences += usize::from(matches!(outcome, Err(EngineError::Silent { .. })));
        add(outcome.unwrap_or_else(|error| broken(&error)).of(name));
        if interview.is_hopeless() || silences == MOST_SILENCES {
            add(Outcome::fail("it broke too often; the other checks are left out").of("to be continued"));
            break;
        }
    }
    interview.observations.findings().into_iter().for_each(&mut add);
    Ok(findings)
}

/// What an engine that does not answer has to hear.
fn broken(error: &EngineError) -> Outcome {
    let sentence = match error {
        EngineError::Silent { timeout, .. } => {
            return Outcome::fail("it does not answer")
                .seen(format!("nothing within {} s", timeout.as_secs()));
        }
        EngineError::Ended { .. } => "it ends instead of answering",
        EngineError::Start { .. } | EngineError::Setting { .. } => "it cannot be started with its options",
    };
    Outcome::fail(sentence).seen(error.to_string())
}
