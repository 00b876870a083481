//! Does the engine ponder as the protocol asks, if it offers to?

use std::time::Duration;

use super::finding::Outcome;
use super::interview::{Interview, PATIENCE};
use super::positions;
use super::setup::Setup;
use runner::process::EngineError;

/// How long it is left pondering.
const PONDERING: Duration = Duration::from_millis(700);

/// `go ponder`, ended by `ponderhit` and by `stop`.
pub(super) fn ponder(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let introduction = interview.introduction();
    let Some(option) = introduction.option("Ponder") else {
        return Ok(Outcome::skip("it does not offer to ponder"));
    };
    interview.listen(&format!("setoption name {} value true\n", option.name), Duration::ZERO)?;
    interview.is_ready()?;
    let setup = Setup::startpos(positions::ITALIAN);
    // The clock is shorter than the pondering, which must not count.
    let go = "go ponder wtime 500 btime 500";
    let (hit, was_early) = interview.search_until(&setup, go, PONDERING, ("ponderhit", PATIENCE))?;
    if was_early {
        return Ok(Outcome::fail("it ends pondering before ponderhit or stop"));
    }
    let seen = format!("{} ms after ponderhit", hit.elapsed.as_millis());
    if hit.elapsed > Duration::from_millis(500) {
        return Ok(Outcome::fail("after ponderhit it uses more time than it has").seen(seen));
    }
    let (stopped, was_early) = interview.search_until(&setup, go, PONDERING, ("stop", PATIENCE))?;
    interview.part();
    if was_early {
        return Ok(Outcome::fail("it ends pondering before ponderhit or stop"));
    }
    let seen = format!("{seen}, {} ms after stop", stopped.elapsed.as_millis());
    Ok(Outcome::pass("it ponders until ponderhit or stop").seen(seen))
}
