//! Checks that an idle engine uses no CPU time and writes no error output.

use std::time::Duration;

use super::finding::Outcome;
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
