//! A book of openings with a position on each line, as FEN or EPD.

use std::fs;
use std::path::Path;

use super::Chance;
use chess::{FenError, Position};

/// The lines of a book. A line is parsed only when it is drawn, because books have millions of them.
#[derive(Debug)]
pub struct FenBook {
    file: String,
    text: String,
    /// The number (from 1) and the offset of each line that is not blank and not a comment (`#`).
    lines: Vec<(usize, usize)>,
}

impl FenBook {
    /// The book in a file.
    ///
    /// # Errors
    /// The file cannot be read or has no position.
    pub fn load(path: &Path) -> Result<FenBook, String> {
        let file = path.display().to_string();
        let text = fs::read_to_string(path).map_err(|error| format!("book {file}: {error}"))?;
        let (mut lines, mut start) = (Vec::new(), 0);
        for (index, line) in text.split_inclusive('\n').enumerate() {
            if !line.trim().is_empty() && !line.starts_with('#') {
                lines.push((index + 1, start));
            }
            start += line.len();
        }
        if lines.is_empty() {
            return Err(format!("book {file}: expected lines of FEN or EPD, found none"));
        }
        Ok(FenBook { file, text, lines })
    }

    /// The position of a random line.
    ///
    /// # Errors
    /// The line is neither FEN nor EPD, or its position is illegal.
    pub fn draw(&self, chance: &mut Chance) -> Result<Position, String> {
        let (number, start) = self.lines[chance.below(self.lines.len() as u32) as usize];
        let line = self.text[start..].lines().next().unwrap_or_default();
        read(line).map_err(|error| format!("book {}:{number}: {error}", self.file))
    }
}

/// Reads a FEN, or an EPD whose operations `hmvc` and `fmvn` may count the moves.
fn read(line: &str) -> Result<Position, FenError> {
    let mut words = line.split_ascii_whitespace();
    let board: Vec<&str> = words.by_ref().take(4).collect();
    let rest: Vec<&str> = words.collect();
    let is_fen = rest.first().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let operand = |opcode| rest.windows(2).find(|pair| pair[0] == opcode).map(|pair| &pair[1]);
    let count = |index, opcode| if is_fen { rest.get(index) } else { operand(opcode) };
    let halfmoves = count(0, "hmvc").map_or("0", |word| word.trim_end_matches(';'));
    let fullmoves = count(1, "fmvn").map_or("1", |word| word.trim_end_matches(';'));
    Position::from_fen(&format!("{} {halfmoves} {fullmoves}", board.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fen_and_epd_are_read_with_their_counts() {
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (operations, counts) in [
            ("", "0 1"),
            (" 3 40", "3 40"),
            (" hmvc 5; fmvn 20;", "5 20"),
            (" hmvc 5 ; id \"x\";", "5 1"),
            (" bm e4; id \"x\";", "0 1"),
            (" 7 9 ; c0 \"x\";", "7 9"),
        ] {
            let position = read(&format!("{board}{operations}")).unwrap();
            assert_eq!(position.to_string(), format!("{board} {counts}"), "{operations}");
        }
        assert!(read("4k3/8/8").is_err());
    }
}
