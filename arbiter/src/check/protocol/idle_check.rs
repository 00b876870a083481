//! Is the engine quiet when nobody asks: no load, no error output?

use std::time::Duration;

use super::finding::Outcome;
use super::interview::{Interview, PATIENCE};
use super::setup::Setup;
use runner::process::EngineError;

/// How long the engine is watched while it has nothing to do.
const WATCHED: Duration = Duration::from_millis(500);

/// The processor time that an idle engine may use in that time.
const IDLE_TIME: Duration = Duration::from_millis(50);

/// An engine that waits must not compute, or it takes time from its opponent.
pub(super) fn idle(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    interview.search(&Setup::startpos(""), "go depth 4", PATIENCE)?;
    interview.is_ready()?;
    let id = interview.process().and_then(runner::process::EngineProcess::id);
    let Some(before) = id.and_then(processor_time) else {
        return Ok(Outcome::skip("the system does not tell how much it computes"));
    };
    interview.rest(WATCHED);
    let used = id.and_then(processor_time).unwrap_or(before).saturating_sub(before);
    let seen = format!("{} ms of processor time in {} ms", used.as_millis(), WATCHED.as_millis());
    Ok(if used > IDLE_TIME {
        Outcome::fail("it computes while it waits for a command").seen(seen)
    } else {
        Outcome::pass("it is idle while it waits for a command").seen(seen)
    })
}

/// The error output is for errors.
pub(super) fn error_output(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    interview.search(&Setup::startpos(""), "go depth 4", PATIENCE)?;
    let text = interview.process().map(runner::process::EngineProcess::complaints).unwrap_or_default();
    Ok(match text.lines().next() {
        None => Outcome::pass("there is nothing on its error output"),
        Some(line) => Outcome::warn("it writes to its error output").seen(line),
    })
}

/// The time that all threads of a process have computed.
#[cfg(target_os = "linux")]
fn processor_time(id: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program, the second field, is in parentheses and may hold anything; proc(5) counts from there.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    let ticks = ticks(14)? + ticks(15)?;
    Some(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64))
}

#[cfg(not(target_os = "linux"))]
fn processor_time(_id: u32) -> Option<Duration> {
    None
}
