//! Checks of commands outside a search: `isready`, options, unknown lines, idleness, `quit`, and pondering.

use std::fmt::Write;
use std::time::Duration;

use super::finding::CheckOutcome;
use super::test_position::{self as setup, TestPosition};
use super::tested_engine::{TIMEOUT, TestedEngine};
use runner::process::{EngineError, EngineProcess};
use uci::OptionKind;

/// A slower `readyok` gives a warning: a GUI waits for it.
const BRISK: Duration = Duration::from_secs(1);

const COLLECTING_TIME: Duration = Duration::from_millis(500);

pub(super) fn judge_time(elapsed: Duration) -> CheckOutcome {
    CheckOutcome::pass("readyok comes in time")
        .warn_if(elapsed > BRISK, "readyok is late")
        .seen(format!("{:.1} ms", elapsed.as_secs_f64() * 1e3))
}

pub(super) fn set_option(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let introduction = engine.introduction();
    let mut lines = String::new();
    for (name, wanted) in [("Hash", 32), ("Threads", 2)] {
        if let Some(option) = introduction.option(name)
            && let OptionKind::Spin { min, max, .. } = option.kind
        {
            let value = wanted.clamp(min, max.max(min));
            let _ = writeln!(lines, "setoption name {} value {value}", option.name);
        }
    }
    if lines.is_empty() {
        return Ok(CheckOutcome::skip("it has neither option Hash nor Threads"));
    }
    engine.begin_game(&lines)?;
    let record = engine.search(&TestPosition::startpos(""), "go depth 4", TIMEOUT)?;
    engine.kill();
    let seen = lines.trim().replace('\n', ", ");
    Ok(CheckOutcome::pass("it searches after Hash and Threads are set")
        .fail_if(record.best().is_none(), "it plays no move after Hash and Threads are set")
        .seen(seen))
}

pub(super) fn unknown_commands(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    engine.lines_within("abracadabra 42\nxyzzy\nregister later\n", Duration::ZERO)?;
    engine.is_ready()?;
    Ok(CheckOutcome::pass("it ignores unknown commands"))
}

pub(super) fn white_space(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let heard = engine.lines_within("\n   \n\t\n  isready  \n\tisready\n", COLLECTING_TIME)?;
    let answers = heard.iter().filter(|line| *line == "readyok").count();
    if answers != 2 {
        return Ok(CheckOutcome::warn(format!("it answers {answers} of two isready among spaces and tabs")));
    }
    let line = "position   startpos\tmoves   e2e4  ".to_owned();
    let setup = TestPosition { line, ..TestPosition::startpos("e2e4") };
    let record = engine.search(&setup, "go   depth   3 ", TIMEOUT)?;
    Ok(judge_legality(&setup, record.best(), "it ignores empty lines, spaces and tabs"))
}

pub(super) fn carriage_returns(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let mut setup = TestPosition::startpos("e2e4");
    setup.line += "\r";
    let record = engine.search(&setup, "go depth 3\r", TIMEOUT)?;
    Ok(judge_legality(&setup, record.best(), "it understands lines with Windows line endings"))
}

fn judge_legality(setup: &TestPosition, best: Option<&str>, all_well: &str) -> CheckOutcome {
    let is_legal = best.is_some_and(|best| setup.referee.clone().play(&best.to_ascii_lowercase()).is_ok());
    if is_legal {
        CheckOutcome::pass(all_well)
    } else {
        CheckOutcome::fail("it plays no legal move").seen(format!("bestmove {}", best.unwrap_or("(none)")))
    }
}

pub(super) fn stop_without_search(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let heard = engine.lines_within("stop\nisready\n", COLLECTING_TIME)?;
    if let Some(answer) = heard.iter().find(|line| line.starts_with("bestmove")) {
        return Ok(CheckOutcome::fail("it answers stop without a search with a bestmove").seen(answer));
    }
    if !heard.iter().any(|line| line == "readyok") {
        engine.is_ready()?;
    }
    Ok(CheckOutcome::pass("it ignores stop without a search"))
}

/// `isready` during a search, which must not end it.
pub(super) fn during_search(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    const BEFORE: Duration = Duration::from_millis(100);
    let setup = TestPosition::startpos(setup::ITALIAN);
    let go = "go infinite";
    let mut lines = engine.lines_within(&format!("{}\n{go}\n", setup.line), BEFORE)?;
    let answered = engine.ask("isready\n", TIMEOUT, |line| {
        lines.push(line.trim().to_owned());
        line.trim() == "readyok"
    });
    let elapsed = match answered {
        Ok(elapsed) => elapsed,
        Err(EngineError::Silent { .. }) => {
            engine.kill();
            return Ok(CheckOutcome::fail("it does not answer isready during a search"));
        }
        Err(error) => return Err(error),
    };
    let is_move = |line: &String| line.starts_with("bestmove");
    if lines.iter().any(is_move) {
        if elapsed > BRISK {
            return Ok(CheckOutcome::fail("it answers isready only after its search"));
        }
        // Whether `isready` ended the search. If `go infinite` ends by itself, another check reports it.
        let as_long = BEFORE + elapsed + COLLECTING_TIME;
        let (_, ends_by_itself) = engine.search_until(&setup, go, as_long, ("stop", TIMEOUT))?;
        return Ok(if ends_by_itself {
            CheckOutcome::skip("its search ends by itself before it can be asked")
        } else {
            CheckOutcome::fail("isready ends its search")
        });
    }
    let heard = engine.lines_within("stop\n", COLLECTING_TIME)?;
    Ok(if heard.iter().any(is_move) {
        judge_time(elapsed)
    } else {
        engine.kill();
        CheckOutcome::fail("after isready in a search, stop brings no bestmove")
    })
}

const OBSERVED: Duration = Duration::from_millis(500);

const MAX_CPU_TIME: Duration = Duration::from_millis(50);

/// A waiting engine must not compute: it would take CPU time from its opponent.
pub(super) fn idle(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    engine.search(&TestPosition::startpos(""), "go depth 4", TIMEOUT)?;
    engine.is_ready()?;
    let cpu_time = |engine: &TestedEngine| engine.process.as_ref().and_then(EngineProcess::cpu_time);
    let Some(before) = cpu_time(engine) else {
        return Ok(CheckOutcome::skip("the system does not measure CPU time"));
    };
    engine.sleep(OBSERVED);
    let used = cpu_time(engine).unwrap_or(before).saturating_sub(before);
    let seen = format!("{} ms of CPU time in {} ms", used.as_millis(), OBSERVED.as_millis());
    Ok(CheckOutcome::pass("it is idle while it waits for a command")
        .fail_if(used > MAX_CPU_TIME, "it uses CPU time while it waits for a command")
        .seen(seen))
}

pub(super) fn error_output(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    engine.search(&TestPosition::startpos(""), "go depth 4", TIMEOUT)?;
    let text = engine.process.as_ref().map(EngineProcess::complaints).unwrap_or_default();
    Ok(match text.lines().next() {
        None => CheckOutcome::pass("it writes nothing to standard error"),
        Some(line) => CheckOutcome::warn("it writes to standard error").seen(line),
    })
}

/// The timeout for the process to exit; then it is killed.
const QUIT_TIMEOUT: Duration = Duration::from_secs(2);

/// Match runners kill an engine after about this time.
const BRISK_EXIT: Duration = Duration::from_millis(500);

/// The end of the input during a search, as when a GUI crashes.
pub(super) fn end_of_input(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    if !cfg!(unix) {
        return Ok(CheckOutcome::skip("the input cannot be closed on this system"));
    }
    exit(engine, "go infinite\n", "", "the end of its input")
}

pub(super) fn exit(
    engine: &mut TestedEngine,
    before: &str,
    command: &str,
    what: &str,
) -> Result<CheckOutcome, EngineError> {
    if !before.is_empty() {
        let line = format!("{}\n{before}", TestPosition::startpos("").line);
        engine.lines_within(&line, Duration::from_millis(200))?;
    }
    if command.is_empty() {
        engine.close_input();
    } else if let Err(error) = engine.lines_within(command, Duration::ZERO) {
        // The engine exited before the wait began.
        return match error {
            EngineError::Ended { .. } => Ok(CheckOutcome::pass(format!("it exits after {what}"))),
            other => Err(other),
        };
    }
    Ok(match engine.wait_for_end(QUIT_TIMEOUT) {
        None => CheckOutcome::fail(format!("it does not exit after {what}"))
            .seen(format!("still running after {} s", QUIT_TIMEOUT.as_secs())),
        Some(time) => CheckOutcome::pass(format!("it exits after {what}"))
            .warn_if(time > BRISK_EXIT, format!("it exits late after {what}"))
            .seen(format!("{} ms", time.as_millis())),
    })
}

const PONDERING: Duration = Duration::from_millis(700);

pub(super) fn ponder(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    if !engine.switch_on("Ponder")? {
        return Ok(CheckOutcome::skip("it has no option Ponder"));
    }
    let setup = TestPosition::startpos(setup::ITALIAN);
    // The clock is shorter than the ponder time, which must not count.
    let go = "go ponder wtime 500 btime 500";
    let (hit, was_early) = engine.search_until(&setup, go, PONDERING, ("ponderhit", TIMEOUT))?;
    if was_early {
        return Ok(CheckOutcome::fail("it sends bestmove before ponderhit or stop"));
    }
    let seen = format!("{} ms after ponderhit", hit.elapsed.as_millis());
    if hit.elapsed > Duration::from_millis(500) {
        return Ok(CheckOutcome::fail("after ponderhit it uses more time than it has").seen(seen));
    }
    let (stopped, was_early) = engine.search_until(&setup, go, PONDERING, ("stop", TIMEOUT))?;
    engine.kill();
    if was_early {
        return Ok(CheckOutcome::fail("it sends bestmove before ponderhit or stop"));
    }
    let seen = format!("{seen}, {} ms after stop", stopped.elapsed.as_millis());
    Ok(CheckOutcome::pass("it ponders until ponderhit or stop").seen(seen))
}
