//! Checks of searches: all kinds of positions, and the limits of `go`.

use std::time::Duration;

use super::finding::{CheckOutcome, SearchRecord};
use super::test_position::{self as setup, TestPosition};
use super::tested_engine::{TIMEOUT, TestedEngine};
use crate::engines::shortest_clock::{self, MIDDLEGAMES, SHORT_ENOUGH};
use crate::results::{LimitDoubt, LimitUse};
use referee::Variant;
use runner::SearchLimits;
use runner::process::EngineError;
use uci::{Go, ScoreValue};

const SHORT: Duration = Duration::from_secs(2);

/// Plies of a game longer than any real one; its line has about 5 kB.
const LONG_GAME: usize = 1000;

fn problem(engine: &mut TestedEngine, setup: &TestPosition) -> Result<Option<String>, EngineError> {
    let record = engine.search(setup, "go depth 3", TIMEOUT)?;
    let Some(best) = record.best() else {
        return Ok(Some(format!("no move in {}", setup.referee.fen())));
    };
    let played = setup.referee.clone().play(&best.to_ascii_lowercase());
    Ok(played.err().map(|error| error.to_string()))
}

fn judge(
    engine: &mut TestedEngine,
    setups: &[TestPosition],
    all_well: &str,
) -> Result<CheckOutcome, EngineError> {
    for setup in setups {
        if let Some(problem) = problem(engine, setup)? {
            return Ok(CheckOutcome::fail("it plays no legal move in a position").seen(problem));
        }
    }
    Ok(CheckOutcome::pass(all_well))
}

pub(super) fn forms(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let setups = [
        TestPosition::startpos(""),
        TestPosition::startpos("e2e4"),
        setup::set_up(setup::EN_PASSANT, ""),
        setup::set_up(setup::EN_PASSANT, "d4e3"),
    ];
    judge(engine, &setups, "it understands startpos and fen, with and without moves")
}

pub(super) fn special_moves(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let setups = setup::SPECIAL_MOVES.map(|(fen, mv)| setup::set_up(fen, mv));
    judge(engine, &setups, "it understands castling and promotion moves")
}

pub(super) fn notation(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    if let Some(problem) = problem(engine, &setup::set_up(setup::PROMOTES, ""))? {
        return Ok(CheckOutcome::fail("its notation of a promotion is wrong").seen(problem));
    }
    let (fen, mv) = setup::SPECIAL_MOVES[0];
    let record = engine.search(&setup::set_up(fen, ""), &format!("go depth 3 searchmoves {mv}"), TIMEOUT)?;
    let best = record.best().unwrap_or("(none)");
    Ok(match best {
        "e1h1" | "O-O" | "0-0" => CheckOutcome::fail("castling is not written as the king's move").seen(best),
        "e1g1" => CheckOutcome::pass("its notation of castling and promotions is right"),
        _ => CheckOutcome::pass("its notation of promotions is right; it did not castle"),
    })
}

pub(super) fn no_legal_moves(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    for (fen, what) in [(setup::MATED, "checkmate"), (setup::STALEMATED, "stalemate")] {
        match engine.search(&setup::set_up(fen, ""), "go depth 3", SHORT) {
            Ok(record) => {
                if let Some(best) = record.best() {
                    return Ok(CheckOutcome::fail(format!("it plays a move after {what}")).seen(best));
                }
            }
            Err(EngineError::Silent { .. }) => {
                return Ok(CheckOutcome::warn(format!("it does not answer `go` after {what}")));
            }
            Err(error) => return Err(error),
        }
        engine.ensure_ready()?;
    }
    Ok(CheckOutcome::pass("it reports no move after checkmate and stalemate"))
}

/// A `position` line longer than the buffer of many engines.
pub(super) fn long_game(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let setup = TestPosition::long_game(LONG_GAME);
    judge(engine, &[setup], &format!("it understands a game of {LONG_GAME} plies"))
}

pub(super) fn chess960(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    if !engine.switch_on("UCI_Chess960")? {
        return Ok(CheckOutcome::skip("it has no option UCI_Chess960"));
    }
    let (fen, moves) = setup::CHESS960;
    let set_up = |moves| {
        TestPosition::fen(fen, moves, Variant::Chess960).unwrap_or_else(|_| TestPosition::startpos(""))
    };
    let setups = [moves, ""].map(set_up);
    let outcome = judge(engine, &setups, "it understands Chess960, castling included");
    engine.kill();
    outcome
}

const LONG: Duration = Duration::from_secs(10);

/// The excess search time that the machine may have caused.
const TOLERANCE: Duration = Duration::from_millis(50);

/// The time in which an infinite search must not end by itself.
const ENDLESS: Duration = Duration::from_millis(700);

/// A slower answer to `stop` gives a warning; it loses games at short time controls.
const PROMPT: Duration = Duration::from_millis(100);

fn middlegame() -> TestPosition {
    TestPosition::startpos(setup::ITALIAN)
}

fn millis(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

/// The first warning about these limits, and the first search. Once the engine keeps the limits, no more is searched.
fn limit_doubts(
    engine: &mut TestedEngine,
    limits: &SearchLimits,
) -> Result<(Option<LimitDoubt>, SearchRecord), EngineError> {
    let (mut ends, mut first) = (Vec::new(), None);
    for fen in MIDDLEGAMES {
        let record = engine.search(&setup::set_up(fen, ""), &limits.go().to_string(), LONG)?;
        let end = record.end();
        ends.push(end);
        first.get_or_insert(record);
        if LimitUse::of(limits, [end; MIDDLEGAMES.len()]).doubts(limits, None).is_empty() {
            break;
        }
    }
    let doubts = LimitUse::of(limits, ends).doubts(limits, None);
    Ok((doubts.first().copied(), first.unwrap_or_default()))
}

fn judge_limit(doubt: Option<LimitDoubt>, all_well: String) -> CheckOutcome {
    doubt.map_or_else(|| CheckOutcome::pass(all_well), |doubt| CheckOutcome::warn(format!("it {doubt}")))
}

pub(super) fn depth(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    const DEPTH: u32 = 6;
    let limits = SearchLimits { depth: Some(DEPTH), ..SearchLimits::default() };
    let (doubt, record) = limit_doubts(engine, &limits)?;
    let deepest = record.end().depth;
    let seen = deepest.map_or("no depth".to_owned(), |depth| format!("depth {depth}"));
    Ok(judge_limit(doubt, format!("it searches to depth {DEPTH} and stops"))
        .seen(format!("{seen} in {}", millis(record.elapsed))))
}

pub(super) fn nodes(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    const NODES: [u64; 2] = [20_000, 200_000];
    let mut outcome = CheckOutcome::skip("not asked");
    for nodes in NODES {
        let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
        let (doubt, record) = limit_doubts(engine, &limits)?;
        let seen = record.end().nodes;
        let seen = seen.map_or("no nodes reported".to_owned(), |nodes| format!("{nodes} nodes reported"));
        outcome = judge_limit(doubt, format!("`go nodes {nodes}` stops in time")).seen(seen);
        // An engine that moves at once may come close to the smaller number.
        if doubt.is_some() || record.elapsed > PROMPT {
            break;
        }
    }
    Ok(outcome)
}

pub(super) fn move_time(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let allowed = Duration::from_millis(300);
    let elapsed = quickest(engine, &middlegame(), "go movetime 300", allowed + TOLERANCE)?;
    let limits = SearchLimits { movetime: Some(allowed), ..SearchLimits::default() };
    let (doubt, _) = limit_doubts(engine, &limits)?;
    Ok(judge_limit(doubt, "`go movetime 300` is kept".to_owned())
        .warn_if(elapsed > allowed + TOLERANCE, "`go movetime 300` takes longer")
        .fail_if(elapsed > allowed + 4 * TOLERANCE, "`go movetime 300` takes much longer")
        .seen(millis(elapsed)))
}

/// The time of a search; if it is too long, the minimum of a few attempts, because a busy machine may have delayed the
/// others.
fn quickest(
    engine: &mut TestedEngine,
    setup: &TestPosition,
    go: &str,
    allowed: Duration,
) -> Result<Duration, EngineError> {
    const ATTEMPTS: usize = 3;
    let mut quickest = Duration::MAX;
    for _ in 0..ATTEMPTS {
        quickest = quickest.min(engine.search(setup, go, allowed + TIMEOUT)?.elapsed);
        if quickest <= allowed {
            break;
        }
    }
    Ok(quickest)
}

/// `go` with clocks: the engine uses no more than its own time.
pub(super) fn clocks(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let after_white = TestPosition::startpos("e2e4");
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
        let elapsed = quickest(engine, setup, go, Duration::from_millis(has))?;
        let share = elapsed.as_secs_f64() * 1e3 / has as f64;
        if share > worst.0 {
            worst = (share, format!("{} of {has} ms for `{go}`", elapsed.as_millis()));
        }
    }
    let (share, seen) = worst;
    Ok(CheckOutcome::pass("it uses no more time than it has")
        .fail_if(share > 1.0, "it uses more time than it has")
        .seen(seen))
}

/// The shortest time control at which the engine thinks.
pub(super) fn shortest_clock(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let mut search = |fen: &str, go: &Go| {
        let order = format!("position fen {fen}\n{go}\n");
        engine.ask(&order, TIMEOUT, |line| SearchRecord::default().observe(line))
    };
    Ok(match shortest_clock::shortest(&mut search)? {
        None => CheckOutcome::warn("it answers at once, whatever its clock says"),
        Some(shortest) if SHORT_ENOUGH.contains(&shortest) => {
            CheckOutcome::pass(format!("it thinks with a clock from {shortest} on"))
        }
        Some(shortest) => CheckOutcome::warn(format!("it hardly thinks with a clock below {shortest}"))
            .seen("a shorter time control is no fair test"),
    })
}

pub(super) fn infinite(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let forced = setup::set_up(setup::WHITE_MATES, "");
    let mut slowest = Duration::ZERO;
    for (setup, place) in [(&middlegame(), "in a middlegame"), (&forced, "where it sees a mate")] {
        let (record, was_early) = engine.search_until(setup, "go infinite", ENDLESS, ("stop", TIMEOUT))?;
        if was_early {
            return Ok(CheckOutcome::fail(format!("`go infinite` stops by itself {place}"))
                .seen(format!("after {}", millis(record.elapsed))));
        }
        slowest = slowest.max(record.elapsed);
    }
    Ok(CheckOutcome::pass("`go infinite` runs until stop, and stop is answered at once")
        .warn_if(slowest > PROMPT, "it answers stop late")
        .seen(format!("at most {}", millis(slowest))))
}

pub(super) fn search_moves(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let record = engine.search(&TestPosition::startpos(""), "go depth 4 searchmoves a2a3 h2h4", LONG)?;
    let best = record.best().unwrap_or("(none)");
    Ok(CheckOutcome::pass("it plays a move of searchmoves")
        .warn_if(!matches!(best, "a2a3" | "h2h4"), "it ignores searchmoves, which analysis needs")
        .seen(format!("bestmove {best}")))
}

pub(super) fn mate(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let setup = setup::set_up(setup::WHITE_MATES, "");
    match engine.search(&setup, "go mate 1", TIMEOUT) {
        Ok(record) => {
            let mut after = setup.referee.clone();
            let has_mated =
                record.best().is_some_and(|best| after.play(best).is_ok()) && after.legal_moves().is_empty();
            Ok(CheckOutcome::pass("`go mate 1` finds the mate")
                .warn_if(!has_mated, "`go mate 1` plays another move")
                .seen(format!("bestmove {}", record.best().unwrap_or("(none)"))))
        }
        Err(EngineError::Silent { .. }) => {
            Ok(CheckOutcome::warn("`go mate 1` does not stop although there is a mate in one"))
        }
        Err(error) => Err(error),
    }
}

/// Mate scores and their sign: a score is always for the side to move.
pub(super) fn mate_scores(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let cases = [
        (setup::WHITE_MATES, 1, "White mates in one"),
        (setup::BLACK_MATES, 1, "Black mates in one"),
        (setup::WHITE_IS_MATED, -1, "White is mated in one"),
    ];
    for (fen, expected, what) in cases {
        let record = engine.search(&setup::set_up(fen, ""), "go depth 6", LONG)?;
        let score = record.score().map(|score| score.value);
        let seen = score.map_or("no score".to_owned(), |score| format!("score {score}"));
        match score {
            Some(ScoreValue::Mate(moves)) if moves == expected => {}
            Some(ScoreValue::Mate(value) | ScoreValue::Centipawns(value)) if value.signum() == -expected => {
                return Ok(
                    CheckOutcome::fail(format!("the score has the wrong sign where {what}")).seen(seen)
                );
            }
            _ => {
                let sentence = format!("expected `score mate {expected}` where {what}");
                return Ok(CheckOutcome::warn(sentence).seen(seen));
            }
        }
    }
    Ok(CheckOutcome::pass("mate scores are in moves and for the side to move"))
}

pub(super) fn info(engine: &mut TestedEngine) -> Result<CheckOutcome, EngineError> {
    let record = engine.search(&middlegame(), "go movetime 300", TIMEOUT)?;
    let has = |what: &dyn Fn(&uci::Info) -> bool| record.infos.iter().any(what);
    let fields = [
        ("depth", has(&|info| info.depth.is_some())),
        ("score", has(&|info| info.score.is_some())),
        ("time", has(&|info| info.time.is_some())),
        ("nodes", has(&|info| info.nodes.is_some())),
        ("pv", has(&|info| !info.pv.is_empty())),
    ];
    let missing: Vec<&str> = fields.iter().filter(|(_, is_there)| !is_there).map(|(name, _)| *name).collect();
    Ok(CheckOutcome::pass("it reports depth, score, time, nodes and pv")
        .warn_if(!missing.is_empty(), format!("it never reports {}", missing.join(", ")))
        .seen(format!("{} info lines", record.infos.len())))
}
