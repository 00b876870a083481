//! Checks that the engine exits after `quit` and at the end of its input.

use std::time::Duration;

use super::finding::Outcome;
use super::setup::Setup;
use super::tested_engine::TestedEngine;
use runner::process::EngineError;

/// The longest wait for the end of the process, which is then killed.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Match runners kill an engine after about this time.
const BRISK: Duration = Duration::from_millis(500);

/// `quit` without a search.
pub(super) fn quit(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    check_exit(engine, "", "quit\n", "quit")
}

/// `quit` during a search.
pub(super) fn quit_during_search(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    check_exit(engine, "go infinite\n", "quit\n", "quit during a search")
}

/// The end of the input during a search, as when a GUI crashes.
pub(super) fn end_of_input(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    if !cfg!(unix) {
        return Ok(Outcome::skip("the input cannot be closed on this system"));
    }
    check_exit(engine, "go infinite\n", "", "the end of its input")
}

fn check_exit(
    engine: &mut TestedEngine<'_>,
    before: &str,
    command: &str,
    what: &str,
) -> Result<Outcome, EngineError> {
    if !before.is_empty() {
        let line = format!("{}\n{before}", Setup::startpos("").line);
        engine.lines_within(&line, Duration::from_millis(200))?;
    }
    if command.is_empty() {
        engine.close_input();
    } else if let Err(error) = engine.lines_within(command, Duration::ZERO) {
        // The engine exited before the wait began.
        return match error {
            EngineError::Ended { .. } => Ok(Outcome::pass(format!("it exits after {what}"))),
            other => Err(other),
        };
    }
    Ok(match engine.wait_for_end(TIMEOUT) {
        None => Outcome::fail(format!("it does not exit after {what}"))
            .seen(format!("still running after {} s", TIMEOUT.as_secs())),
        Some(time) => {
            let seen = format!("{} ms", time.as_millis());
            if time > BRISK {
                Outcome::warn(format!("it exits late after {what}")).seen(seen)
            } else {
                Outcome::pass(format!("it exits after {what}")).seen(seen)
            }
        }
    })
}
