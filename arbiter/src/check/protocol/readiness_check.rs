//! Does the engine answer `isready`, and bear what else may come before a search?

use std::fmt::Write;
use std::time::Duration;

use super::finding::Outcome;
use super::interview::{Interview, PATIENCE};
use super::positions;
use super::setup::Setup;
use runner::process::EngineError;
use uci::OptionKind;

/// `isready` is a ping; a GUI waits for it.
const BRISK: Duration = Duration::from_secs(1);

/// How long an answer to harmless lines is waited for.
const HEARING: Duration = Duration::from_millis(500);

/// `isready` when there is nothing to do.
pub(super) fn at_once(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    Ok(judge_time(interview.is_ready()?))
}

fn judge_time(elapsed: Duration) -> Outcome {
    let seen = format!("{:.1} ms", elapsed.as_secs_f64() * 1e3);
    if elapsed > BRISK {
        Outcome::warn("readyok comes late").seen(seen)
    } else {
        Outcome::pass("readyok comes at once").seen(seen)
    }
}

/// `ucinewgame`, which has no answer of its own.
pub(super) fn new_game(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    interview.listen("ucinewgame\n", Duration::ZERO)?;
    Ok(judge_time(interview.is_ready()?))
}

/// Hash and Threads, which tournaments set.
pub(super) fn set_option(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let introduction = interview.introduction();
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
        return Ok(Outcome::skip("it offers neither Hash nor Threads"));
    }
    interview.listen(&lines, Duration::ZERO)?;
    interview.is_ready()?;
    let record = interview.search(&Setup::startpos(""), "go depth 4", PATIENCE)?;
    interview.part();
    let seen = lines.trim().replace('\n', ", ");
    Ok(match record.best() {
        Some(_) => Outcome::pass("it searches with Hash and Threads set").seen(seen),
        None => Outcome::fail("it has no move after Hash and Threads were set").seen(seen),
    })
}

/// Words that are not in the protocol are to be ignored.
pub(super) fn unknown_commands(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    interview.listen("abracadabra 42\nxyzzy\nregister later\n", Duration::ZERO)?;
    interview.is_ready()?;
    Ok(Outcome::pass("words that it does not know change nothing"))
}

/// Empty lines, blanks and tabs.
pub(super) fn white_space(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let heard = interview.listen("\n   \n\t\n  isready  \n\tisready\n", HEARING)?;
    let answers = heard.iter().filter(|line| *line == "readyok").count();
    if answers != 2 {
        return Ok(Outcome::warn(format!("of two isready among blanks {answers} are answered")));
    }
    let line = "position   startpos\tmoves   e2e4  ".to_owned();
    let setup = Setup { line, ..Setup::startpos("e2e4") };
    let record = interview.search(&setup, "go   depth   3 ", PATIENCE)?;
    Ok(judge_legality(&setup, record.best(), "empty lines, blanks and tabs change nothing"))
}

/// Lines that end as on Windows.
pub(super) fn carriage_returns(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let mut setup = Setup::startpos("e2e4");
    setup.line += "\r";
    let record = interview.search(&setup, "go depth 3\r", PATIENCE)?;
    Ok(judge_legality(&setup, record.best(), "lines may end with a carriage return"))
}

fn judge_legality(setup: &Setup, best: Option<&str>, all_well: &str) -> Outcome {
    let is_legal = best.is_some_and(|best| setup.referee.clone().play(&best.to_ascii_lowercase()).is_ok());
    if is_legal {
        Outcome::pass(all_well)
    } else {
        Outcome::fail("the position is not understood").seen(format!("bestmove {}", best.unwrap_or("(none)")))
    }
}

/// `stop` when nothing is searched.
pub(super) fn stop_without_search(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let heard = interview.listen("stop\nisready\n", HEARING)?;
    if let Some(answer) = heard.iter().find(|line| line.starts_with("bestmove")) {
        return Ok(Outcome::fail("stop without a search is answered with a move").seen(answer));
    }
    if heard.iter().any(|line| line == "readyok") {
        return Ok(Outcome::pass("stop without a search changes nothing"));
    }
    interview.is_ready()?;
    Ok(Outcome::pass("stop without a search changes nothing"))
}

/// `isready` while a search is going on, which is to be answered without ending it.
pub(super) fn during_search(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let setup = Setup::startpos(positions::ITALIAN);
    interview.listen(&format!("{}\ngo infinite\n", setup.line), Duration::from_millis(100))?;
    let answered = interview.is_ready();
    let heard = interview.listen("stop\n", HEARING)?;
    let elapsed = match answered {
        Ok(elapsed) => elapsed,
        Err(EngineError::Silent { .. }) => {
            interview.part();
            return Ok(Outcome::fail("isready is not answered while a search is going on"));
        }
        Err(error) => return Err(error),
    };
    Ok(if heard.iter().any(|line| line.starts_with("bestmove")) {
        judge_time(elapsed)
    } else {
        interview.part();
        Outcome::fail("isready ends the search, or stop does not after it")
    })
}
