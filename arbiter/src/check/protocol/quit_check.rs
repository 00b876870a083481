//! Does the engine go when it is told to, and when nobody is there any more?

use std::time::Duration;

use super::finding::Outcome;
use super::interview::Interview;
use super::setup::Setup;
use runner::process::EngineError;

/// An engine that is still there after so long is killed.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runners wait about so long before they kill.
const BRISK: Duration = Duration::from_millis(500);

/// `quit` when nothing is searched.
pub(super) fn quit(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    leave(interview, "", "quit\n", "quit")
}

/// `quit` during a search.
pub(super) fn quit_during_search(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    leave(interview, "go infinite\n", "quit\n", "quit during a search")
}

/// The end of the input, as when the GUI crashes, during a search.
pub(super) fn end_of_input(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    if !cfg!(unix) {
        return Ok(Outcome::skip("the input cannot be closed on this system"));
    }
    leave(interview, "go infinite\n", "", "the end of its input")
}

fn leave(
    interview: &mut Interview<'_>,
    before: &str,
    farewell: &str,
    what: &str,
) -> Result<Outcome, EngineError> {
    if !before.is_empty() {
        let line = format!("{}\n{before}", Setup::startpos("").line);
        interview.listen(&line, Duration::from_millis(200))?;
    }
    if farewell.is_empty() {
        interview.close_input();
    } else if let Err(error) = interview.listen(farewell, Duration::ZERO) {
        // It went so fast that we saw its output end.
        return match error {
            EngineError::Ended { .. } => Ok(Outcome::pass(format!("{what} ends it"))),
            other => Err(other),
        };
    }
    Ok(match interview.wait_for_end(PATIENCE) {
        None => Outcome::fail(format!("{what} does not end it"))
            .seen(format!("still there after {} s", PATIENCE.as_secs())),
        Some(time) => {
            let seen = format!("{} ms", time.as_millis());
            if time > BRISK {
                Outcome::warn(format!("{what} ends it late")).seen(seen)
            } else {
                Outcome::pass(format!("{what} ends it")).seen(seen)
            }
        }
    })
}
