//! The language of the piece letters in moves.

use std::fmt::Write as _;

use clap::ValueEnum;
use serde::Serialize;

use referee::druelle::french::french_to_uci;
use referee::san::{SanErrorReason, line_to_san, san_to_uci};
use referee::{Referee, Side};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Notation {
    /// K Q R B N.
    #[default]
    English,
    /// R D T F C (roi, dame, tour, fou, cavalier), and castling with zeros.
    French,
}

/// The letters of the pieces, English and French.
const LETTERS: [(char, char); 5] = [('K', 'R'), ('Q', 'D'), ('R', 'T'), ('B', 'F'), ('N', 'C')];

impl Notation {
    pub fn show(self, san: &str) -> String {
        match self {
            Notation::English => san.to_owned(),
            Notation::French if san.starts_with('O') => san.replace('O', "0"),
            Notation::French => translate(san, |(english, french)| (english, french)),
        }
    }

    /// The typed text with English piece letters. It need not be a move.
    fn in_english(self, text: &str) -> String {
        match self {
            Notation::English => text.to_owned(),
            Notation::French if text.starts_with(['0', 'O', 'o']) => text.to_owned(),
            Notation::French => translate(text, |(english, french)| (french, english)),
        }
    }
}

fn translate(text: &str, direction: impl Fn((char, char)) -> (char, char)) -> String {
    let letters = LETTERS.map(direction);
    let replaced = |letter| letters.iter().find(|(from, _)| *from == letter).map_or(letter, |(_, to)| *to);
    text.chars().map(replaced).collect()
}

/// The moves of a line from the given position: `1. e4 e5 2. Nf3`, or `1... e5` if Black is to move.
pub fn numbered_moves<'a>(before: &Referee, moves: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let mut number = before.move_number();
    let mut side = before.turn();
    for san in moves {
        let written = match side {
            Side::White => write!(text, "{number}. {san} "),
            Side::Black if text.is_empty() => write!(text, "{number}... {san} "),
            Side::Black => write!(text, "{san} "),
        };
        // Writing to a string never fails.
        let _ = written;
        number += u32::from(side == Side::Black);
        side = side.other();
    }
    text.trim_end().to_owned()
}

/// Reads a move in algebraic or coordinate notation and returns it in UCI notation. Unless the text means exactly one
/// legal move, the error says why and lists the possible moves in the user's notation.
pub fn read_move(referee: &Referee, notation: Notation, text: &str) -> Result<String, String> {
    let read = match notation {
        Notation::English => san_to_uci(referee, text).map_err(|error| error.reason),
        Notation::French => french_to_uci(referee, text).map_err(|error| error.reason),
    };
    let standard = notation.in_english(text);
    read.map_err(|reason| match reason {
        SanErrorReason::Unparsable if !is_by_coordinates(&standard) => {
            let example = match notation {
                Notation::English => "Nf3, exd5, O-O or g1f3",
                Notation::French => "Cf3, exd5, 0-0 or g1f3",
            };
            format!(
                "`{text}` is neither a move nor a command; expected a move such as {example}, or help for the commands"
            )
        }
        SanErrorReason::Unparsable | SanErrorReason::Illegal => {
            let check = if referee.is_check() { ": your king is in check" } else { "" };
            let legal = similar(referee, notation, |uci, san| is_same_piece(&standard, uci, san));
            let instead = if legal.is_empty() { "" } else { "; expected one of " };
            format!("{text} is illegal{check}{instead}{}", legal.join(" "))
        }
        SanErrorReason::Ambiguous => {
            let candidates = similar(referee, notation, |uci, san| {
                is_same_piece(&standard, uci, san) && target(&standard) == Some(&uci[2..4])
            });
            format!("{text} is ambiguous: expected {}", candidates.join(" or "))
        }
    })
}

fn similar(referee: &Referee, notation: Notation, fits: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let legal = referee.legal_moves();
    let named = legal.iter().filter_map(|uci| Some((uci, line_to_san(referee, &[uci]).ok()?.pop()?)));
    let fitting = named.filter(|(uci, san)| fits(uci, san));
    let mut shown: Vec<String> = fitting.map(|(_, san)| notation.show(&san)).collect();
    shown.sort();
    shown
}

/// Whether a legal move, given in UCI and SAN, moves the piece that the text names: by its origin square if the text has
/// coordinates, else by the piece letter, or by the file for pawns.
fn is_same_piece(text: &str, uci: &str, san: &str) -> bool {
    if let Some(origin) = text.get(..2).filter(|_| is_by_coordinates(text)) {
        return uci.starts_with(origin);
    }
    match text.chars().next() {
        Some(letter @ 'A'..='Z') => san.starts_with(letter),
        Some('0') => san.starts_with('O'),
        first => san.chars().next() == first,
    }
}

fn is_by_coordinates(text: &str) -> bool {
    let is_square = |square: Option<&str>| {
        square.is_some_and(|square| matches!(square.as_bytes(), [b'a'..=b'h', b'1'..=b'8']))
    };
    is_square(text.get(..2)) && is_square(text.get(2..4))
}

fn target(text: &str) -> Option<&str> {
    let rank = text.rfind(|c: char| c.is_ascii_digit())?;
    text.get(rank.checked_sub(1)?..=rank)
}

#[cfg(test)]
mod tests {
    use referee::Variant;

    use super::*;

    #[test]
    fn french_moves_have_french_letters() {
        for (english, french) in [
            ("Nf3", "Cf3"),
            ("Kxe2", "Rxe2"),
            ("Raxd1+", "Taxd1+"),
            ("bxc8=Q#", "bxc8=D#"),
            ("Bb5", "Fb5"),
            ("O-O-O+", "0-0-0+"),
            ("e4", "e4"),
        ] {
            assert_eq!(Notation::French.show(english), french);
            let read = Notation::French.in_english(french);
            assert_eq!(read.replace('0', "O"), english);
            assert_eq!(Notation::English.in_english(english), english);
        }
    }

    #[test]
    fn a_line_is_numbered_from_the_position() {
        let mut referee = Referee::new(Variant::Standard);
        assert_eq!(numbered_moves(&referee, ["e4", "e5", "Nf3"]), "1. e4 e5 2. Nf3");
        referee.play("e2e4").unwrap();
        assert_eq!(numbered_moves(&referee, ["c5", "Nf3", "d6"]), "1... c5 2. Nf3 d6");
        assert_eq!(numbered_moves(&referee, []), "");
    }
}
