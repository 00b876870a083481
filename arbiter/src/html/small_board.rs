//! A position as a small picture.

use maud::{Markup, Render, html};

/// The side of a square in units of the drawing; the pieces are drawn for it.
const SQUARE: usize = 45;

/// The dark squares as one path: on each rank every second square, beginning with h8 seen from White's side.
const DARK: &str = "M45 0h45v45h-45zM135 0h45v45h-45zM225 0h45v45h-45zM315 0h45v45h-45z";

/// The position of a FEN as SVG, White below. The drawings of the pieces are those of the game viewer on the same page;
/// of an invalid FEN it shows what could be read.
#[derive(Clone, Copy, Debug)]
pub struct SmallBoard<'a>(pub &'a str);

impl Render for SmallBoard<'_> {
    fn render(&self) -> Markup {
        html! {
            svg.board viewBox="0 0 360 360" aria-hidden="true" {
                path.light d="M0 0h360v360H0z" {}
                @for rank in 0..8 {
                    @let shift = if rank % 2 == 0 { 0 } else { -(SQUARE as isize) };
                    path.dark transform={ "translate(" (shift) " " (rank * SQUARE) ")" } d=(DARK) {}
                }
                @for (square, colour, name) in pieces(self.0) {
                    use class=(colour) href={ "#gv-" (name) } x=(square % 8 * SQUARE) y=(square / 8 * SQUARE)
                        width=(SQUARE) height=(SQUARE) {}
                }
            }
        }
    }
}

/// The pieces of a FEN: the square counted from a8, the colour and the name.
fn pieces(fen: &str) -> Vec<(usize, &'static str, &'static str)> {
    let mut pieces = Vec::new();
    let ranks = fen.split(' ').next().unwrap_or_default().split('/').take(8);
    for (rank, text) in ranks.enumerate() {
        let mut file = 0;
        for letter in text.chars() {
            match (letter.to_digit(9), piece(letter)) {
                (Some(empty), _) => file += empty as usize,
                (None, Some(name)) if file < 8 => {
                    let colour = if letter.is_ascii_uppercase() { "white" } else { "black" };
                    pieces.push((rank * 8 + file, colour, name));
                    file += 1;
                }
                _ => break,
            }
        }
    }
    pieces
}

const fn piece(letter: char) -> Option<&'static str> {
    match letter.to_ascii_lowercase() {
        'p' => Some("pawn"),
        'n' => Some("knight"),
        'b' => Some("bishop"),
        'r' => Some("rook"),
        'q' => Some("queen"),
        'k' => Some("king"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_stands_on_its_square() {
        let board = SmallBoard("4k2r/8/8/8/8/8/8/K7 w - - 0 1").render().into_string();
        let pieces: Vec<&str> = board.matches("<use ").collect();
        assert_eq!(pieces.len(), 3);
        assert!(board.contains(r##"class="black" href="#gv-rook" x="315" y="0""##), "{board}");
        assert!(board.contains(r##"class="white" href="#gv-king" x="0" y="315""##), "{board}");
    }

    #[test]
    fn a_text_that_is_no_position_is_an_empty_board() {
        for text in ["", "<script>", "kkkkkkkkkk/99", "x/y/z/x/y/z/x/y/k/k"] {
            let board = SmallBoard(text).render().into_string();
            assert!(board.matches("<use ").count() <= 8 && !board.contains("<script"), "{text}");
        }
    }
}
