//! The checks that need no search of their own: an idle engine is silent, it quits when told to, and it ponders.

use std::time::Duration;

use super::finding::Outcome;
use super::positions;
use super::setup::Setup;
use super::tested_engine::{TIMEOUT, TestedEngine};
use runner::process::EngineError;

/// The time in which the idle engine is observed.
const OBSERVED: Duration = Duration::from_millis(500);

/// The CPU time that an idle engine may use in this time.
const MAX_CPU_TIME: Duration = Duration::from_millis(50);

/// A waiting engine must not compute: it would take CPU time from its opponent.
pub(super) fn idle(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    engine.search(&Setup::startpos(""), "go depth 4", TIMEOUT)?;
    engine.is_ready()?;
    let id = engine.process().and_then(runner::process::EngineProcess::id);
    let Some(before) = id.and_then(cpu_time) else {
        return Ok(Outcome::skip("the system does not measure CPU time"));
    };
    engine.sleep(OBSERVED);
    let used = id.and_then(cpu_time).unwrap_or(before).saturating_sub(before);
    let seen = format!("{} ms of CPU time in {} ms", used.as_millis(), OBSERVED.as_millis());
    Ok(if used > MAX_CPU_TIME {
        Outcome::fail("it uses CPU time while it waits for a command").seen(seen)
    } else {
        Outcome::pass("it is idle while it waits for a command").seen(seen)
    })
}

/// Standard error is for errors.
pub(super) fn error_output(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    engine.search(&Setup::startpos(""), "go depth 4", TIMEOUT)?;
    let text = engine.process().map(runner::process::EngineProcess::complaints).unwrap_or_default();
    Ok(match text.lines().next() {
        None => Outcome::pass("it writes nothing to standard error"),
        Some(line) => Outcome::warn("it writes to standard error").seen(line),
    })
}

/// The CPU time of all threads of a process.
#[cfg(target_os = "linux")]
fn cpu_time(id: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, the second field, is in parentheses and may hold anything; proc(5) counts from there.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    let ticks = ticks(14)? + ticks(15)?;
    Some(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

#[cfg(not(target_os = "linux"))]
fn cpu_time(_id: u32) -> Option<Duration> {
    None
}

/// The longest wait for the end of the process, which is then killed.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

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
    Ok(match engine.wait_for_end(QUIT_TIMEOUT) {
        None => Outcome::fail(format!("it does not exit after {what}"))
            .seen(format!("still running after {} s", QUIT_TIMEOUT.as_secs())),
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
