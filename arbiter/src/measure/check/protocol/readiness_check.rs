//! Checks `isready` and other commands outside a search.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::time::Duration;

use super::finding::Outcome;
use super::positions;
use super::setup::Setup;
use super::tested_engine::{TIMEOUT, TestedEngine};
use runner::process::EngineError;
use uci::OptionKind;

/// A slower `readyok` gives a warning: a GUI waits for it.
const BRISK: Duration = Duration::from_secs(1);

/// The time in which answers to harmless lines are collected.
const COLLECTING_TIME: Duration = Duration::from_millis(500);

/// `isready` without a search.
pub(super) fn at_once(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    Ok(judge_time(engine.is_ready()?))
}

fn judge_time(elapsed: Duration) -> Outcome {
    let seen = format!("{:.1} ms", elapsed.as_secs_f64() * 1e3);
    if elapsed > BRISK {
        Outcome::warn("readyok is late").seen(seen)
    } else {
        Outcome::pass("readyok comes in time").seen(seen)
    }
}

/// `ucinewgame`, which has no answer.
pub(super) fn new_game(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    engine.lines_within("ucinewgame\n", Duration::ZERO)?;
    Ok(judge_time(engine.is_ready()?))
}

/// The options Hash and Threads, which matches set.
pub(super) fn set_option(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
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
        return Ok(Outcome::skip("it has neither option Hash nor Threads"));
    }
    engine.lines_within(&lines, Duration::ZERO)?;
    engine.is_ready()?;
    let record = engine.search(&Setup::startpos(""), "go depth 4", TIMEOUT)?;
    engine.kill();
    let seen = lines.trim().replace('\n', ", ");
    Ok(match record.best() {
        Some(_) => Outcome::pass("it searches after Hash and Threads are set").seen(seen),
        None => Outcome::fail("it plays no move after Hash and Threads are set").seen(seen),
    })
}

/// Unknown commands, which an engine must ignore.
pub(super) fn unknown_commands(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    engine.lines_within("abracadabra 42\nxyzzy\nregister later\n", Duration::ZERO)?;
    engine.is_ready()?;
    Ok(Outcome::pass("it ignores unknown commands"))
}

/// Empty lines, spaces and tabs.
pub(super) fn white_space(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    let heard = engine.lines_within("\n   \n\t\n  isready  \n\tisready\n", COLLECTING_TIME)?;
    let answers = heard.iter().filter(|line| *line == "readyok").count();
    if answers != 2 {
        return Ok(Outcome::warn(format!("it answers {answers} of two isready among spaces and tabs")));
    }
    let line = "position   startpos\tmoves   e2e4  ".to_owned();
    let setup = Setup { line, ..Setup::startpos("e2e4") };
    let record = engine.search(&setup, "go   depth   3 ", TIMEOUT)?;
    Ok(judge_legality(&setup, record.best(), "it ignores empty lines, spaces and tabs"))
}

pub(super) fn carriage_returns(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    let mut setup = Setup::startpos("e2e4");
    setup.line += "\r";
    let record = engine.search(&setup, "go depth 3\r", TIMEOUT)?;
    Ok(judge_legality(&setup, record.best(), "it understands lines with Windows line endings"))
}

fn judge_legality(setup: &Setup, best: Option<&str>, all_well: &str) -> Outcome {
    let is_legal = best.is_some_and(|best| setup.referee.clone().play(&best.to_ascii_lowercase()).is_ok());
    if is_legal {
        Outcome::pass(all_well)
    } else {
        Outcome::fail("it plays no legal move").seen(format!("bestmove {}", best.unwrap_or("(none)")))
    }
}

/// `stop` without a search.
pub(super) fn stop_without_search(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    let heard = engine.lines_within("stop\nisready\n", COLLECTING_TIME)?;
    if let Some(answer) = heard.iter().find(|line| line.starts_with("bestmove")) {
        return Ok(Outcome::fail("it answers stop without a search with a bestmove").seen(answer));
    }
    if heard.iter().any(|line| line == "readyok") {
        return Ok(Outcome::pass("it ignores stop without a search"));
    }
    engine.is_ready()?;
    Ok(Outcome::pass("it ignores stop without a search"))
}

/// `isready` during a search, which must not end it.
pub(super) fn during_search(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    const BEFORE: Duration = Duration::from_millis(100);
    let setup = Setup::startpos(positions::ITALIAN);
    let go = "go infinite";
    let mut lines = engine.lines_within(&format!("{}\n{go}\n", setup.line), BEFORE)?;
    let answered = engine.ask("isready\n", TIMEOUT, |line| {
        lines.push(line.trim().to_owned());
        if line.trim() == "readyok" { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let elapsed = match answered {
        Ok(elapsed) => elapsed,
        Err(EngineError::Silent { .. }) => {
            engine.kill();
            return Ok(Outcome::fail("it does not answer isready during a search"));
        }
        Err(error) => return Err(error),
    };
    let is_move = |line: &String| line.starts_with("bestmove");
    if lines.iter().any(is_move) {
        if elapsed > BRISK {
            return Ok(Outcome::fail("it answers isready only after its search"));
        }
        // Did `isready` end the search? That `go infinite` ends by itself is the finding of another check.
        let as_long = BEFORE + elapsed + COLLECTING_TIME;
        let (_, ends_by_itself) = engine.search_until(&setup, go, as_long, ("stop", TIMEOUT))?;
        return Ok(if ends_by_itself {
            Outcome::skip("its search ends by itself before it can be asked")
        } else {
            Outcome::fail("isready ends its search")
        });
    }
    let heard = engine.lines_within("stop\n", COLLECTING_TIME)?;
    Ok(if heard.iter().any(is_move) {
        judge_time(elapsed)
    } else {
        engine.kill();
        Outcome::fail("after isready in a search, stop brings no bestmove")
    })
}
