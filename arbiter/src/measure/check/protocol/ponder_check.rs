//! Checks pondering, if the engine has the option `Ponder`.

use std::time::Duration;

use super::finding::Outcome;
use super::positions;
use super::setup::Setup;
use super::tested_engine::{TIMEOUT, TestedEngine};
use runner::process::EngineError;

/// The time that it ponders.
const PONDERING: Duration = Duration::from_millis(700);

/// `go ponder`, ended by `ponderhit` and by `stop`.
pub(super) fn ponder(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    let introduction = engine.introduction();
    let Some(option) = introduction.option("Ponder") else {
        return Ok(Outcome::skip("it has no option Ponder"));
    };
    engine.lines_within(&format!("setoption name {} value true\n", option.name), Duration::ZERO)?;
    engine.is_ready()?;
    let setup = Setup::startpos(positions::ITALIAN);
    // The clock is shorter than the ponder time, which must not count.
    let go = "go ponder wtime 500 btime 500";
    let (hit, was_early) = engine.search_until(&setup, go, PONDERING, ("ponderhit", TIMEOUT))?;
    if was_early {
        return Ok(Outcome::fail("it sends bestmove before ponderhit or stop"));
    }
    let seen = format!("{} ms after ponderhit", hit.elapsed.as_millis());
    if hit.elapsed > Duration::from_millis(500) {
        return Ok(Outcome::fail("after ponderhit it uses more time than it has").seen(seen));
    }
    let (stopped, was_early) = engine.search_until(&setup, go, PONDERING, ("stop", TIMEOUT))?;
    engine.kill();
    if was_early {
        return Ok(Outcome::fail("it sends bestmove before ponderhit or stop"));
    }
    let seen = format!("{seen}, {} ms after stop", stopped.elapsed.as_millis());
    Ok(Outcome::pass("it ponders until ponderhit or stop").seen(seen))
}
