//! Does the engine understand every position: with and without moves, castled, promoted, over, very long?

use std::time::Duration;

use super::finding::Outcome;
use super::interview::{Interview, PATIENCE};
use super::positions;
use super::setup::Setup;
use referee::Variant;
use runner::process::EngineError;

/// How long an engine may take to say that it has no move.
const SHORT: Duration = Duration::from_secs(2);

/// More than any game that was played; the line has about 5 kB.
const LONG_GAME: usize = 1000;

/// Searches a position and says what is wrong with the answer.
fn problem(interview: &mut Interview<'_>, setup: &Setup) -> Result<Option<String>, EngineError> {
    let record = interview.search(setup, "go depth 3", PATIENCE)?;
    let Some(best) = record.best() else {
        return Ok(Some(format!("no move in {}", setup.referee.fen())));
    };
    let played = setup.referee.clone().play(&best.to_ascii_lowercase());
    Ok(played.err().map(|error| error.to_string()))
}

fn judge(interview: &mut Interview<'_>, setups: &[Setup], all_well: &str) -> Result<Outcome, EngineError> {
    for setup in setups {
        if let Some(problem) = problem(interview, setup)? {
            return Ok(Outcome::fail("a position is not understood").seen(problem));
        }
    }
    Ok(Outcome::pass(all_well))
}

/// `position startpos` and `position fen`, each with and without moves.
pub(super) fn forms(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let setups = [
        Setup::startpos(""),
        Setup::startpos("e2e4"),
        positions::set_up(positions::EN_PASSANT, ""),
        positions::set_up(positions::EN_PASSANT, "d4e3"),
    ];
    judge(interview, &setups, "startpos and fen are understood, with and without moves")
}

/// Moves that are castling and promotions, coming in.
pub(super) fn special_moves(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let setups = positions::SPECIAL_MOVES.map(|(fen, mv)| positions::set_up(fen, mv));
    judge(interview, &setups, "castling and promotions are played on its board")
}

/// Castling and promotions, going out.
pub(super) fn notation(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    if let Some(problem) = problem(interview, &positions::set_up(positions::PROMOTES, ""))? {
        return Ok(Outcome::fail("a promotion is written wrongly").seen(problem));
    }
    let (fen, mv) = positions::SPECIAL_MOVES[0];
    let record =
        interview.search(&positions::set_up(fen, ""), &format!("go depth 3 searchmoves {mv}"), PATIENCE)?;
    let best = record.best().unwrap_or("(none)");
    Ok(match best {
        "e1h1" | "O-O" | "0-0" => Outcome::fail("castling is not written as the king's move").seen(best),
        "e1g1" => Outcome::pass("castling and promotions are written as the protocol has them"),
        _ => Outcome::pass("promotions are written as the protocol has them; castling was not seen"),
    })
}

/// A position where the game is over has no move, and must not end the engine.
pub(super) fn no_legal_moves(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    for (fen, what) in [(positions::MATED, "checkmate"), (positions::STALEMATED, "stalemate")] {
        match interview.search(&positions::set_up(fen, ""), "go depth 3", SHORT) {
            Ok(record) => {
                if let Some(best) = record.best() {
                    return Ok(Outcome::fail(format!("it has a move in a position of {what}")).seen(best));
                }
            }
            Err(EngineError::Silent { .. }) => {
                return Ok(Outcome::warn(format!("it does not answer `go` in a position of {what}")));
            }
            Err(error) => return Err(error),
        }
        interview.settle()?;
    }
    Ok(Outcome::pass("where the game is over it says that it has no move"))
}

/// A `position` line longer than the buffers of many engines.
pub(super) fn long_game(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let setup = Setup::long_game(LONG_GAME);
    judge(interview, &[setup], &format!("a game of {LONG_GAME} plies in one line is understood"))
}

/// Chess960, where castling is the king taking its rook.
pub(super) fn chess960(interview: &mut Interview<'_>) -> Result<Outcome, EngineError> {
    let introduction = interview.introduction();
    let Some(option) = introduction.option("UCI_Chess960") else {
        return Ok(Outcome::skip("it does not offer Chess960"));
    };
    interview.listen(&format!("setoption name {} value true\n", option.name), Duration::ZERO)?;
    interview.is_ready()?;
    let (fen, moves) = positions::CHESS960;
    let setups = [
        Setup::fen(fen, moves, Variant::Chess960).unwrap_or_else(|_| Setup::startpos("")),
        Setup::fen(fen, "", Variant::Chess960).unwrap_or_else(|_| Setup::startpos("")),
    ];
    let outcome = judge(interview, &setups, "Chess960 is understood, castling included");
    interview.part();
    outcome
}
