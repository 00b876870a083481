//! Checks that the engine understands positions of every kind.

use std::time::Duration;

use super::finding::Outcome;
use super::positions;
use super::setup::Setup;
use super::tested_engine::{TIMEOUT, TestedEngine};
use referee::Variant;
use runner::process::EngineError;

/// The longest wait for an answer in a position without legal moves.
const SHORT: Duration = Duration::from_secs(2);

/// Plies of a game longer than any ever played; its line has about 5 kB.
const LONG_GAME: usize = 1000;

/// Searches a position and returns what is wrong with the answer.
fn problem(engine: &mut TestedEngine<'_>, setup: &Setup) -> Result<Option<String>, EngineError> {
    let record = engine.search(setup, "go depth 3", TIMEOUT)?;
    let Some(best) = record.best() else {
        return Ok(Some(format!("no move in {}", setup.referee.fen())));
    };
    let played = setup.referee.clone().play(&best.to_ascii_lowercase());
    Ok(played.err().map(|error| error.to_string()))
}

fn judge(engine: &mut TestedEngine<'_>, setups: &[Setup], all_well: &str) -> Result<Outcome, EngineError> {
    for setup in setups {
        if let Some(problem) = problem(engine, setup)? {
            return Ok(Outcome::fail("it plays no legal move in a position").seen(problem));
        }
    }
    Ok(Outcome::pass(all_well))
}

/// `position startpos` and `position fen`, each with and without moves.
pub(super) fn forms(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    let setups = [
        Setup::startpos(""),
        Setup::startpos("e2e4"),
        positions::set_up(positions::EN_PASSANT, ""),
        positions::set_up(positions::EN_PASSANT, "d4e3"),
    ];
    judge(engine, &setups, "it understands startpos and fen, with and without moves")
}

/// Castling and promotion moves in `position`.
pub(super) fn special_moves(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    let setups = positions::SPECIAL_MOVES.map(|(fen, mv)| positions::set_up(fen, mv));
    judge(engine, &setups, "it understands castling and promotion moves")
}

/// Castling and promotion moves in `bestmove`.
pub(super) fn notation(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    if let Some(problem) = problem(engine, &positions::set_up(positions::PROMOTES, ""))? {
        return Ok(Outcome::fail("its notation of a promotion is wrong").seen(problem));
    }
    let (fen, mv) = positions::SPECIAL_MOVES[0];
    let record =
        engine.search(&positions::set_up(fen, ""), &format!("go depth 3 searchmoves {mv}"), TIMEOUT)?;
    let best = record.best().unwrap_or("(none)");
    Ok(match best {
        "e1h1" | "O-O" | "0-0" => Outcome::fail("castling is not written as the king's move").seen(best),
        "e1g1" => Outcome::pass("its notation of castling and promotions is right"),
        _ => Outcome::pass("its notation of promotions is right; it did not castle"),
    })
}

/// Positions without legal moves, which must not crash the engine.
pub(super) fn no_legal_moves(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    for (fen, what) in [(positions::MATED, "checkmate"), (positions::STALEMATED, "stalemate")] {
        match engine.search(&positions::set_up(fen, ""), "go depth 3", SHORT) {
            Ok(record) => {
                if let Some(best) = record.best() {
                    return Ok(Outcome::fail(format!("it plays a move after {what}")).seen(best));
                }
            }
            Err(EngineError::Silent { .. }) => {
                return Ok(Outcome::warn(format!("it does not answer `go` after {what}")));
            }
            Err(error) => return Err(error),
        }
        engine.ensure_ready()?;
    }
    Ok(Outcome::pass("it reports no move after checkmate and stalemate"))
}

/// A `position` line longer than the buffer of many engines.
pub(super) fn long_game(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    let setup = Setup::long_game(LONG_GAME);
    judge(engine, &[setup], &format!("it understands a game of {LONG_GAME} plies"))
}

/// Chess960, where castling is the king taking its rook.
pub(super) fn chess960(engine: &mut TestedEngine<'_>) -> Result<Outcome, EngineError> {
    let introduction = engine.introduction();
    let Some(option) = introduction.option("UCI_Chess960") else {
        return Ok(Outcome::skip("it has no option UCI_Chess960"));
    };
    engine.lines_within(&format!("setoption name {} value true\n", option.name), Duration::ZERO)?;
    engine.is_ready()?;
    let (fen, moves) = positions::CHESS960;
    let setups = [
        Setup::fen(fen, moves, Variant::Chess960).unwrap_or_else(|_| Setup::startpos("")),
        Setup::fen(fen, "", Variant::Chess960).unwrap_or_else(|_| Setup::startpos("")),
    ];
    let outcome = judge(engine, &setups, "it understands Chess960, castling included");
    engine.kill();
    outcome
}
