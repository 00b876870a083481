//! Translation between UCI and standard algebraic notation.
//!
//! Writing is strict: the shortest unambiguous form with `+` and `#`. Reading tolerates what real test suites and game
//! collections contain: missing or superfluous checks, `!` and `?`, `e.p.`, castling with zeros, promotions without
//! `=`, a forgotten or superfluous `x`, and moves by coordinates.

use shakmaty::{
    Chess, Move, Role,
    san::{San, SanError as Mismatch, SanPlus},
};
use thiserror::Error;

use super::{BrokenLine, Referee, find_move, walk};

/// A text in algebraic notation that does not name exactly one legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {text:?} {reason} in {fen}")]
pub struct SanError {
    /// The text as it came.
    pub text: String,
    /// The position it was meant for.
    pub fen: String,
    /// The problem.
    pub reason: SanErrorReason,
}

/// The problem of a move in algebraic notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SanErrorReason {
    /// Not a move in SAN.
    #[error("is not algebraic notation (expected something like Nf3, exd5 or e8=Q)")]
    Unparsable,
    /// No legal move is meant by it.
    #[error("is not legal")]
    Illegal,
    /// Several legal moves could be meant.
    #[error("could be more than one move (expected the file or rank it starts from)")]
    Ambiguous,
}

/// The moves of a line in algebraic notation.
///
/// # Errors
/// [`BrokenLine`] at the first move that is not legal UCI.
pub fn line_to_san(referee: &Referee, line: &[impl AsRef<str>]) -> Result<Vec<String>, BrokenLine> {
    let mut sans = Vec::with_capacity(line.len());
    walk(&referee.position, referee.variant, line, |position, next| {
        sans.push(SanPlus::from_move(position.clone(), next).to_string());
    })?;
    Ok(sans)
}

/// The UCI text of a move given in algebraic notation.
///
/// # Errors
/// [`SanError`] when it is not a move, not legal, or ambiguous.
pub fn san_to_uci(referee: &Referee, text: &str) -> Result<String, SanError> {
    let mode = referee.variant.castling_mode();
    read(referee, text).map(|found| found.to_uci(mode).to_string()).map_err(|reason| SanError {
        text: text.to_owned(),
        fen: referee.fen(),
        reason,
    })
}

/// The same for a move that was read as far as that goes without a position.
pub(super) fn parsed_to_move(referee: &Referee, san: San) -> Result<Move, SanError> {
    resolve(san, &referee.position).or_else(|_| {
        let text = san.to_string();
        read(referee, &text).map_err(|reason| SanError { text, fen: referee.fen(), reason })
    })
}

fn read(referee: &Referee, text: &str) -> Result<Move, SanErrorReason> {
    let position = &referee.position;
    let san = San::from_ascii(tidy(text).as_bytes()).ok();
    match san.map(|san| resolve(san, position)) {
        Some(Ok(found)) => Ok(found),
        Some(Err(Mismatch::AmbiguousSan)) => Err(SanErrorReason::Ambiguous),
        // `g1f3` reads as a pawn move, and `e1h1` as none.
        unreadable => {
            find_move(position, referee.variant, text.trim()).map(|(_, found)| found).map_err(|_| {
                if unreadable.is_some() { SanErrorReason::Illegal } else { SanErrorReason::Unparsable }
            })
        }
    }
}

/// The only legal move that fits, whether or not it is marked as the capture it is.
fn resolve(san: San, position: &Chess) -> Result<Move, Mismatch> {
    match san.to_move(position) {
        Err(Mismatch::IllegalSan) => with_other_capture_mark(san).to_move(position),
        found => found,
    }
}

const fn with_other_capture_mark(san: San) -> San {
    match san {
        San::Normal { role, file, rank, capture, to, promotion } => {
            San::Normal { role, file, rank, capture: !capture, to, promotion }
        }
        other => other,
    }
}

/// The text in the form that the standard has for it, as far as that can be seen without the position.
fn tidy(text: &str) -> String {
    let text = text.trim().trim_end_matches(['+', '#', '!', '?', ' ']);
    let text = text.strip_suffix("e.p.").or_else(|| text.strip_suffix("ep")).unwrap_or(text);
    let text = text.trim_end_matches(['+', ' ']).replace(':', "x");
    if text.starts_with(['0', 'O', 'o']) {
        return text.replace(['0', 'o'], "O");
    }
    let mut plain = text.replace(['-', '=', '(', ')', '/'], "");
    if let Some(role) = promotion(&plain) {
        plain.pop();
        plain.push('=');
        plain.push(role.upper_char());
    }
    plain
}

/// The piece that a text without `=` ends with, behind a square of the last rank.
fn promotion(plain: &str) -> Option<Role> {
    let (&last, before) = plain.as_bytes().split_last()?;
    let on_last_rank = before.ends_with(b"8") || before.ends_with(b"1");
    Role::from_char(char::from(last)).filter(|_| on_last_rank)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Variant;
    use crate::tests::random_game;

    fn read_in(fen: &str, text: &str) -> Result<String, SanErrorReason> {
        let referee = Referee::from_fen(fen, Variant::Standard).unwrap();
        san_to_uci(&referee, text).map_err(|error| error.reason)
    }

    #[test]
    fn every_form_found_in_the_wild_names_its_move() {
        let capture = "rnbqkbnr/ppp2ppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
        for text in ["exd6", "exd6e.p.", "exd6 e.p.", "e5xd6ep", "ed6", "e5d6", "exd6!?", "exd6+", "e:d6"] {
            assert_eq!(read_in(capture, text).as_deref(), Ok("e5d6"), "{text}");
        }
        let promotion = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";
        for text in ["exd8=Q+", "exd8=Q#", "exd8Q", "exd8(Q)", "ed8/Q", "e7xd8q", "e7d8q", "exd8=q"] {
            assert_eq!(read_in(promotion, text).as_deref(), Ok("e7d8q"), "{text}");
        }
        let castling = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        for text in ["O-O", "0-0", "o-o", "0-0!", "O-O+", "e1g1"] {
            assert_eq!(read_in(castling, text).as_deref(), Ok("e1g1"), "{text}");
        }
        assert_eq!(read_in(castling, "0-0-0").as_deref(), Ok("e1c1"));
        for text in ["Nf3", "Ng1f3", "Ng1-f3", "N1f3", "Nxf3", "Nf3#", "Nf3??", "g1f3"] {
            assert_eq!(read_in(capture, text).as_deref(), Ok("g1f3"), "{text}");
        }
    }

    #[test]
    fn a_bishop_on_b_is_not_a_pawn_on_b() {
        let fen = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1";
        assert_eq!(read_in(fen, "Bxc3").as_deref(), Ok("d2c3"));
        assert_eq!(read_in(fen, "bxc3").as_deref(), Ok("b2c3"));
    }

    #[test]
    fn what_names_no_move_or_several_is_told_apart() {
        let fen = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
        assert_eq!(read_in(fen, "Nd2"), Err(SanErrorReason::Ambiguous));
        assert_eq!(read_in(fen, "Nbd2").as_deref(), Ok("b1d2"));
        assert_eq!(read_in(fen, "Nd4"), Err(SanErrorReason::Illegal));
        assert_eq!(read_in(fen, "O-O"), Err(SanErrorReason::Illegal));
        for text in ["", "knight", "?!", "Nd", "♘d2"] {
            assert_eq!(read_in(fen, text), Err(SanErrorReason::Unparsable), "{text:?}");
        }
    }

    #[test]
    fn a_line_is_written_with_checks_and_mate() {
        let referee = Referee::new(Variant::Standard);
        let line = ["f2f3", "e7e5", "g2g4", "d8h4"];
        assert_eq!(line_to_san(&referee, &line).unwrap(), ["f3", "e5", "g4", "Qh4#"]);
        assert_eq!(line_to_san(&referee, &["f2f3", "e2e4"]).unwrap_err().legal, 1);
    }

    proptest! {
        #[test]
        fn reading_what_was_written_is_the_identity(
            choices in prop::collection::vec(0_usize..1000, 0..150), chess960: bool
        ) {
            let variant = if chess960 { Variant::Chess960 } else { Variant::Standard };
            for (before, uci) in random_game(variant, &choices).0 {
                let played = before.clone().play(&uci).unwrap();
                prop_assert_eq!(san_to_uci(&before, played.san()), Ok(uci));
            }
        }

        #[test]
        fn no_text_makes_reading_panic(text in "\\PC{0,10}") {
            let _ = san_to_uci(&Referee::new(Variant::Standard), &text);
        }
    }
}
