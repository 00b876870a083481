//! Moves with their numbers.

use std::fmt::Write as _;

use referee::{Referee, Side};

/// The moves of a line that begins in the position on the board: `1. e4 e5 2. Nf3`, or `1... e5` where Black begins.
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

#[cfg(test)]
mod tests {
    use super::*;
    use referee::Variant;

    #[test]
    fn a_line_is_numbered_from_the_position() {
        let mut referee = Referee::new(Variant::Standard);
        assert_eq!(numbered_moves(&referee, ["e4", "e5", "Nf3"]), "1. e4 e5 2. Nf3");
        referee.play("e2e4").unwrap();
        assert_eq!(numbered_moves(&referee, ["c5", "Nf3", "d6"]), "1... c5 2. Nf3 d6");
        assert_eq!(numbered_moves(&referee, []), "");
    }
}
