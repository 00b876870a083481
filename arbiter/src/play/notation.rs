//! The language of the piece letters in moves.

use clap::ValueEnum;
use serde::Serialize;

/// The letters of the pieces.
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
    /// A move in standard notation, translated for the user.
    pub fn show(self, san: &str) -> String {
        match self {
            Notation::English => san.to_owned(),
            Notation::French if san.starts_with('O') => san.replace('O', "0"),
            Notation::French => translate(san, |(english, french)| (english, french)),
        }
    }

    /// The typed text with the letters of the standard notation. It need not be a move.
    pub fn in_english(self, text: &str) -> String {
        match self {
            Notation::English => text.to_owned(),
            Notation::French if text.starts_with(['0', 'O', 'o']) => text.to_owned(),
            Notation::French => translate(text, |(english, french)| (french, english)),
        }
    }
}

/// Replaces the letters of pieces; the letters of files are lower-case.
fn translate(text: &str, direction: impl Fn((char, char)) -> (char, char)) -> String {
    let letters = LETTERS.map(direction);
    let replaced = |letter| letters.iter().find(|(from, _)| *from == letter).map_or(letter, |(_, to)| *to);
    text.chars().map(replaced).collect()
}

#[cfg(test)]
mod tests {
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
}
