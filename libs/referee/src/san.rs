//! Translation between UCI and standard algebraic notation.
//!
//! Writing is strict: the shortest unambiguous form with `+` and `#`. Reading tolerates what real test suites and game
//! collections contain: missing or superfluous check signs, `!` and `?`, `e.p.`, castling with zeros and any dash,
//! promotions without `=`, a missing or superfluous `x`, lower-case piece letters, figurines, and moves by coordinates.

use shakmaty::{
    Move,
    san::{San, SanError as Mismatch, SanPlus},
    uci::UciMove,
    variant::VariantPosition,
};
use thiserror::Error;

use super::written_move::{ENGLISH, Language, is_sign, move_at};
use super::{BrokenLine, Referee, walk};

/// A text in algebraic notation that does not stand for exactly one legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {text:?} {reason} in {fen}")]
pub struct SanError {
    /// The text as given.
    pub text: String,
    /// The position that the move was read in.
    pub fen: String,
    /// The problem.
    pub reason: SanErrorReason,
}

/// The problem of a move in algebraic notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SanErrorReason {
    /// The text is not a move in SAN.
    #[error("is not algebraic notation (expected something like Nf3, exd5 or e8=Q)")]
    Unparsable,
    /// The text stands for no legal move.
    #[error("is not legal")]
    Illegal,
    /// The text could stand for several legal moves.
    #[error("could be more than one move (expected the file or rank it starts from)")]
    Ambiguous,
}

/// A line of UCI moves in algebraic notation.
///
/// # Errors
/// [`BrokenLine`] at the first move that is not a legal UCI move.
pub fn line_to_san(referee: &Referee, line: &[impl AsRef<str>]) -> Result<Vec<String>, BrokenLine> {
    let mut sans = Vec::with_capacity(line.len());
    walk(&referee.position, referee.variant, line, |position, next| {
        sans.push(SanPlus::from_move(position.clone(), next).to_string());
    })?;
    Ok(sans)
}

/// The UCI notation of a move given in algebraic notation.
///
/// # Errors
/// [`SanError`] if it is not a move, or is illegal or ambiguous.
pub fn san_to_uci(referee: &Referee, text: &str) -> Result<String, SanError> {
    let mode = referee.variant.castling_mode();
    read(referee, text).map(|found| found.to_uci(mode).to_string()).map_err(|reason| SanError {
        text: text.to_owned(),
        fen: referee.fen(),
        reason,
    })
}

/// The legal move for a SAN that has been parsed without a position.
pub(super) fn parsed_to_move(referee: &Referee, san: San) -> Result<Move, SanError> {
    resolve(san, &referee.position).or_else(|_| {
        let text = san.to_string();
        read(referee, &text).map_err(|reason| SanError { text, fen: referee.fen(), reason })
    })
}

fn read(referee: &Referee, text: &str) -> Result<Move, SanErrorReason> {
    read_in(referee, text, &ENGLISH)
}

/// The move that a text stands for, with the piece letters of a language.
pub(super) fn read_in(referee: &Referee, text: &str, language: &Language) -> Result<Move, SanErrorReason> {
    let (position, text) = (&referee.position, text.trim());
    let san = move_at(text.as_bytes(), language);
    let san = san.filter(|(_, length)| is_sign(&text.as_bytes()[*length..])).map(|(san, _)| san);
    match san.map(|san| resolve(san, position)) {
        Some(Ok(found)) => Ok(found),
        Some(Err(Mismatch::AmbiguousSan)) => Err(SanErrorReason::Ambiguous),
        // `g1f3` parses as a pawn move, and castling by squares, `e1g1` or `e1h1`, not at all.
        unreadable => {
            let uci = UciMove::from_ascii(text.as_bytes()).ok();
            uci.and_then(|uci| uci.to_move(position).ok()).ok_or(match unreadable {
                Some(_) => SanErrorReason::Illegal,
                None => SanErrorReason::Unparsable,
            })
        }
    }
}

/// The only legal move that fits, whether or not a capture is marked correctly.
fn resolve(san: San, position: &VariantPosition) -> Result<Move, Mismatch> {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Variant;
    use crate::tests::random_game;

    fn read_at(fen: &str, text: &str) -> Result<String, SanErrorReason> {
        let referee = Referee::from_fen(fen, Variant::Standard).unwrap();
        san_to_uci(&referee, text).map_err(|error| error.reason)
    }

    #[test]
    fn every_form_found_in_the_wild_names_its_move() {
        let capture = "rnbqkbnr/ppp2ppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
        for text in ["exd6", "exd6e.p.", "exd6 e.p.", "e5xd6ep", "ed6", "e5d6", "exd6!?", "exd6+", "e:d6"] {
            assert_eq!(read_at(capture, text).as_deref(), Ok("e5d6"), "{text}");
        }
        let promotion = "3r3k/4P3/8/8/8/8/8/K7 w - - 0 1";
        for text in ["exd8=Q+", "exd8=Q#", "exd8Q", "exd8(Q)", "ed8/Q", "e7xd8q", "e7d8q", "exd8=q"] {
            assert_eq!(read_at(promotion, text).as_deref(), Ok("e7d8q"), "{text}");
        }
        let castling = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        for text in ["O-O", "0-0", "o-o", "0-0!", "O-O+", "e1g1", "e1h1"] {
            assert_eq!(read_at(castling, text).as_deref(), Ok("e1g1"), "{text}");
        }
        assert_eq!(read_at(castling, "0-0-0").as_deref(), Ok("e1c1"));
        for text in ["Nf3", "Ng1f3", "Ng1-f3", "N1f3", "Nxf3", "Nf3#", "Nf3??", "g1f3", "nf3", "♘f3"] {
            assert_eq!(read_at(capture, text).as_deref(), Ok("g1f3"), "{text}");
        }
        let fen = "4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1";
        assert_eq!(read_at(fen, "Bxc3").as_deref(), Ok("d2c3"));
        assert_eq!(read_at(fen, "bxc3").as_deref(), Ok("b2c3"));
    }

    #[test]
    fn what_names_no_move_or_several_is_told_apart() {
        let fen = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
        assert_eq!(read_at(fen, "Nd2"), Err(SanErrorReason::Ambiguous));
        assert_eq!(read_at(fen, "Nbd2").as_deref(), Ok("b1d2"));
        assert_eq!(read_at(fen, "Nd4"), Err(SanErrorReason::Illegal));
        assert_eq!(read_at(fen, "O-O"), Err(SanErrorReason::Illegal));
        for text in ["", "knight", "?!", "Nd", "Sd2"] {
            assert_eq!(read_at(fen, text), Err(SanErrorReason::Unparsable), "{text:?}");
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
    }
}
