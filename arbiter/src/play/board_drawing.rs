//! Draws the board in a terminal.

use std::env;
use std::fmt;

use console::Term;

use crate::cli::console as terminal;
use referee::Side;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardLook {
    /// Letters as in a FEN, dots for empty squares: for files and simple terminals.
    Letters,
    Pieces,
    Colours,
}

impl BoardLook {
    pub fn of_stdout() -> BoardLook {
        let term = Term::stdout();
        if !term.is_term() || !has_utf8_locale() || env::var_os("TERM").is_none_or(|name| name == "dumb") {
            BoardLook::Letters
        } else if terminal::wants_colour(&std::io::stdout()) {
            BoardLook::Colours
        } else {
            BoardLook::Pieces
        }
    }
}

/// Whether the user's locale is UTF-8; the first variable that is set decides (POSIX, section 8.2).
fn has_utf8_locale() -> bool {
    let set =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(env::var_os).find(|value| !value.is_empty());
    let locale = set.unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    cfg!(windows) || locale.contains("utf-8") || locale.contains("utf8")
}

/// A position to draw; `Display` writes nine lines, the last of which names the files.
#[derive(Clone, Copy, Debug)]
pub struct BoardDrawing<'a> {
    pub fen: &'a str,
    /// The last move in UCI notation, whose squares are highlighted.
    pub last: Option<&'a str>,
    pub below: Side,
    pub look: BoardLook,
}

type Square = (usize, usize);

/// Backgrounds from the 256-colour palette: an ordinary square, and a square of the last move.
const LIGHT: [u8; 2] = [180, 186];
const DARK: [u8; 2] = [101, 143];

const WHITE_PIECE: u8 = 231;
const BLACK_PIECE: u8 = 16;

impl BoardDrawing<'_> {
    /// The pieces by rank, from White's first rank; spaces for empty squares.
    fn ranks(&self) -> [[char; 8]; 8] {
        let mut ranks = [[' '; 8]; 8];
        for (square, piece, _) in referee::pieces(self.fen) {
            ranks[7 - square / 8][square % 8] = piece;
        }
        ranks
    }

    fn is_marked(&self, square: Square) -> bool {
        let touches = |uci: &str| {
            let squares = [uci.get(..2), uci.get(2..4)];
            squares.into_iter().flatten().any(|text| read_square(text) == Some(square))
        };
        self.last.is_some_and(touches)
    }

    fn write_cell(&self, f: &mut fmt::Formatter<'_>, piece: char, square: Square) -> fmt::Result {
        let marked = self.is_marked(square);
        match self.look {
            BoardLook::Letters => {
                let piece = if piece == ' ' { '.' } else { piece };
                write!(f, "{}{piece}", if marked { '>' } else { ' ' })
            }
            BoardLook::Pieces => {
                let piece = if piece == ' ' { "·" } else { glyph(piece, piece.is_ascii_uppercase()) };
                write!(f, "{}{piece}", if marked { '›' } else { ' ' })
            }
            BoardLook::Colours => {
                // The square a1 is dark.
                let shades = if (square.0 + square.1).is_multiple_of(2) { DARK } else { LIGHT };
                let back = shades[usize::from(marked)];
                let front = if piece.is_ascii_uppercase() { WHITE_PIECE } else { BLACK_PIECE };
                write!(f, "\x1b[48;5;{back};38;5;{front}m {} \x1b[0m", glyph(piece, false))
            }
        }
    }
}

fn read_square(text: &str) -> Option<Square> {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text.as_bytes() else { return None };
    Some((usize::from(file - b'a'), usize::from(rank - b'1')))
}

/// The symbol of a piece. The filled symbols are easier to see; with colours they serve both sides. The variation
/// selector makes the pawn text, because it is also an emoji.
fn glyph(piece: char, hollow: bool) -> &'static str {
    let symbols = if hollow {
        ["♔", "♕", "♖", "♗", "♘", "♙"]
    } else {
        ["♚", "♛", "♜", "♝", "♞", "♟\u{fe0e}"]
    };
    "kqrbnp".find(piece.to_ascii_lowercase()).map_or(" ", |kind| symbols[kind])
}

impl fmt::Display for BoardDrawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks = self.ranks();
        let from_white = self.below == Side::White;
        let order = |forwards: bool| -> Vec<usize> {
            if forwards { (0..8).collect() } else { (0..8).rev().collect() }
        };
        let files = order(from_white);
        for rank in order(!from_white) {
            write!(f, "  {} ", rank + 1)?;
            for &file in &files {
                let piece = ranks[rank][file];
                self.write_cell(f, piece, (file, rank))?;
            }
            writeln!(f)?;
        }
        f.write_str("    ")?;
        for file in files {
            let letter = char::from(b'a' + file as u8);
            match self.look {
                BoardLook::Colours => write!(f, " {letter} ")?,
                BoardLook::Letters | BoardLook::Pieces => write!(f, " {letter}")?,
            }
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

    fn drawing(below: Side, look: BoardLook) -> String {
        BoardDrawing { fen: AFTER_E4, last: Some("e2e4"), below, look }.to_string()
    }

    #[test]
    fn letters_are_ascii_and_pieces_have_their_symbols_and_each_side_sees_its_own_in_front() {
        let expected = "  8  r n b q k b n r
  7  p p p p p p p p
  6  . . . . . . . .
  5  . . . . . . . .
  4  . . . .>P . . .
  3  . . . . . . . .
  2  P P P P>. P P P
  1  R N B Q K B N R
     a b c d e f g h
";
        assert_eq!(drawing(Side::White, BoardLook::Letters), expected);
        let turned = drawing(Side::Black, BoardLook::Letters);
        assert!(turned.starts_with("  1  R N B K Q B N R\n  2  P P P>. P P P P\n"), "{turned}");
        assert!(turned.ends_with("\n     h g f e d c b a\n"), "{turned}");
        let pieces = drawing(Side::White, BoardLook::Pieces);
        assert!(pieces.starts_with("  8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n"), "{pieces}");
        assert!(pieces.contains("›♙") && pieces.contains("›·"), "{pieces}");
    }

    #[test]
    fn every_coloured_square_ends_its_colour() {
        let text = drawing(Side::White, BoardLook::Colours);
        assert_eq!((text.matches("\x1b[48;5;").count(), text.matches("\x1b[0m").count()), (64, 64));
        let marks = [LIGHT[1], DARK[1]].map(|shade| text.matches(&format!("48;5;{shade};")).count());
        assert_eq!(marks, [2, 0], "both squares of e2e4 are light");
    }
}
