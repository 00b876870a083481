//! Does the engine keep to the limits of `go`?

use std::time::Duration;

use super::finding::Outcome;
use super::interview::{Interview, PATIENCE};
use super::positions;
use super::setup::Setup;
use runner::process::EngineError;
use uci::ScoreValue;

/// A search for a depth or a number of nodes that takes longer has no limit.
const LONG: Duration = Duration::from_secs(10);

/// By how much the time for a move may be overstepped on a busy machine.
const TOLERANCE: Duration = Duration::from_millis(50);

/// How long an endless search is left alone to see that it does not end by itself.
const ENDLESS: Duration = Duration::from_millis(700);

/// A `stop` that takes longer to be obeyed costs games where the clock is short.
const PROMPT: Duration = Duration::from_millis(100);

fn middlegame() -> Setup {
    Setup::startpos(positions::ITALIAN)
}

fn millis(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

/// `go depth`.
pub(super) fn depth(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    const DEPTH: u32 = 6;
    let record = interview.search(&middlegame(), &format!("go depth {DEPTH}"), LONG)?;
    let deepest = record.infos.iter().filter_map(|info| info.depth).max();
    let seen = format!(
        "{} in {}",
        deepest.map_or("no depth".to_owned(), |depth| format!("depth {depth}")),
        millis(record.elapsed)
    );
    Ok(match deepest {
        Some(depth) if depth == DEPTH => {
            Outcome::pass(format!("it searches to depth {DEPTH} and ends")).seen(seen)
        }
        Some(_) => Outcome::warn(format!("`go depth {DEPTH}` ends at another depth")).seen(seen),
        None => Outcome::warn("it ends, but never says how deep it is").seen(seen),
    })
}

/// `go nodes`.
pub(super) fn nodes(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    const NODES: u64 = 20_000;
    let record = interview.search(&middlegame(), &format!("go nodes {NODES}"), LONG)?;
    let nodes = record.infos.iter().rev().find_map(|info| info.nodes);
    let seen = nodes.map_or("no nodes reported".to_owned(), |nodes| format!("{nodes} nodes reported"));
    Ok(match nodes {
        Some(nodes) if nodes > 2 * NODES => {
            Outcome::warn(format!("`go nodes {NODES}` searches far more")).seen(seen)
        }
        Some(_) => Outcome::pass(format!("`go nodes {NODES}` ends in time")).seen(seen),
        None => Outcome::warn("it ends, but does not count its nodes").seen(seen),
    })
}

/// `go movetime`.
pub(super) fn move_time(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let allowed = Duration::from_millis(300);
    let elapsed = quickest(interview, &middlegame(), "go movetime 300", allowed + TOLERANCE)?;
    let seen = millis(elapsed);
    Ok(if elapsed > allowed + 4 * TOLERANCE {
        Outcome::fail("`go movetime 300` takes much longer").seen(seen)
    } else if elapsed > allowed + TOLERANCE {
        Outcome::warn("`go movetime 300` takes longer").seen(seen)
    } else {
        Outcome::pass("`go movetime 300` is kept").seen(seen)
    })
}

/// The time of a search, or the best of a few when it exceeds what is allowed: a busy machine may have been to blame
/// for the others.
fn quickest(
    interview: &mut Interview<'_>,
    setup: &Setup,
    go: &str,
    allowed: Duration,
) -> Result<Duration, EngineError> {
    const ATTEMPTS: usize = 3;
    let mut quickest = Duration::MAX;
    for _ in 0..ATTEMPTS {
        quickest = quickest.min(interview.search(setup, go, allowed + PATIENCE)?.elapsed);
        if quickest <= allowed {
            break;
        }
    }
    Ok(quickest)
}

/// `go` with clocks: the engine uses its own clock, and no more than it has.
pub(super) fn clocks(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let after_white = Setup::startpos("e2e4");
    let white = middlegame();
    let cases = [
        (&white, "go wtime 1000 btime 1000", 1000),
        (&white, "go wtime 200 btime 60000 winc 100 binc 0", 200),
        (&after_white, "go wtime 60000 btime 300 winc 0 binc 0", 300),
        (&white, "go wtime 400 btime 400 movestogo 1", 400),
        (&white, "go wtime 500 btime 500 winc 0 binc 0 movestogo 40", 500),
    ];
    let mut worst = (0.0, String::new());
    for (setup, go, has) in cases {
        let elapsed = quickest(interview, setup, go, Duration::from_millis(has))?;
        let share = elapsed.as_secs_f64() * 1e3 / has as f64;
        if share > worst.0 {
            worst = (share, format!("{} of {has} ms for `{go}`", elapsed.as_millis()));
        }
    }
    let (share, seen) = worst;
    Ok(if share > 1.0 {
        Outcome::fail("it uses more time than it has").seen(seen)
    } else {
        Outcome::pass("it uses no more time than it has").seen(seen)
    })
}

/// `go infinite`, which ends with `stop` alone.
pub(super) fn infinite(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let forced = positions::set_up(positions::WHITE_MATES, "");
    let mut slowest = Duration::ZERO;
    for (setup, place) in [(&middlegame(), "in a middlegame"), (&forced, "where it sees a mate")] {
        let (record, was_early) =
            interview.search_until(setup, "go infinite", ENDLESS, ("stop", PATIENCE))?;
        if was_early {
            return Ok(Outcome::fail(format!("`go infinite` ends without stop {place}"))
                .seen(format!("after {}", millis(record.elapsed))));
        }
        slowest = slowest.max(record.elapsed);
    }
    let seen = format!("at most {}", millis(slowest));
    Ok(if slowest > PROMPT {
        Outcome::warn("stop is obeyed late").seen(seen)
    } else {
        Outcome::pass("`go infinite` goes on until stop, which is obeyed at once").seen(seen)
    })
}

/// `go searchmoves`.
pub(super) fn search_moves(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let record = interview.search(&Setup::startpos(""), "go depth 4 searchmoves a2a3 h2h4", LONG)?;
    let best = record.best().unwrap_or("(none)").to_owned();
    Ok(if matches!(best.as_str(), "a2a3" | "h2h4") {
        Outcome::pass("it keeps to searchmoves").seen(format!("bestmove {best}"))
    } else {
        Outcome::warn("searchmoves is ignored, which analysis relies on").seen(format!("bestmove {best}"))
    })
}

/// `go mate`.
pub(super) fn mate(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let setup = positions::set_up(positions::WHITE_MATES, "");
    match interview.search(&setup, "go mate 1", PATIENCE) {
        Ok(record) => {
            let seen = format!("bestmove {}", record.best().unwrap_or("(none)"));
            let mut after = setup.referee.clone();
            let has_mated =
                record.best().is_some_and(|best| after.play(best).is_ok()) && after.legal_moves().is_empty();
            Ok(if has_mated {
                Outcome::pass("`go mate 1` ends with the mate").seen(seen)
            } else {
                Outcome::warn("`go mate 1` ends with another move").seen(seen)
            })
        }
        Err(EngineError::Silent { .. }) => {
            Ok(Outcome::warn("`go mate 1` does not end where there is a mate in one"))
        }
        Err(error) => Err(error),
    }
}

/// Whether mates are announced, and with the right sign: a score is always that of the side to move.
pub(super) fn mate_scores(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let cases = [
        (positions::WHITE_MATES, 1, "White mates in one"),
        (positions::BLACK_MATES, 1, "Black mates in one"),
        (positions::WHITE_IS_MATED, -1, "White is mated in one"),
    ];
    for (fen, expected, what) in cases {
        let record = interview.search(&positions::set_up(fen, ""), "go depth 6", LONG)?;
        let score = record.score().map(|score| score.value);
        let seen = score.map_or("no score".to_owned(), |score| format!("score {score}"));
        match score {
            Some(ScoreValue::Mate(moves)) if moves == expected => {}
            Some(ScoreValue::Mate(moves)) if moves.signum() != expected => {
                return Ok(Outcome::fail(format!("the score has the wrong sign where {what}")).seen(seen));
            }
            Some(ScoreValue::Centipawns(value)) if value.signum() != expected => {
                return Ok(Outcome::fail(format!("the score has the wrong sign where {what}")).seen(seen));
            }
            _ => {
                let sentence = format!("expected `score mate {expected}` where {what}");
                return Ok(Outcome::warn(sentence).seen(seen));
            }
        }
    }
    Ok(Outcome::pass("mates are announced for the side to move, in moves"))
}

/// What the lines with `info` tell.
pub(super) fn info(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let record = interview.search(&middlegame(), "go movetime 300", PATIENCE)?;
    let has = |what: &dyn Fn(&uci::Info) -> bool| record.infos.iter().any(what);
    let fields = [
        ("depth", has(&|info| info.depth.is_some())),
        ("score", has(&|info| info.score.is_some())),
        ("time", has(&|info| info.time.is_some())),
        ("nodes", has(&|info| info.nodes.is_some())),
        ("pv", has(&|info| !info.pv.is_empty())),
    ];
    let missing: Vec<&str> = fields.iter().filter(|(_, is_there)| !is_there).map(|(name, _)| *name).collect();
    let count = record.infos.len();
    Ok(if missing.is_empty() {
        Outcome::pass("it tells depth, score, time, nodes and its line").seen(format!("{count} lines"))
    } else {
        Outcome::warn(format!("it never tells {}", missing.join(", "))).seen(format!("{count} lines"))
    })
}
