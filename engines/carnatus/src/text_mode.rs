//! Playing by hand, with coordinates, against the document's 10,000 nodes a move.

use std::io::{self, BufRead, Write};

use super::engine::Carnatus;
use super::game::Game;
use super::side::Side;

/// How the game stands when it is over.
fn end(game: &Game) -> Option<&'static str> {
    if !game.position.legal_moves().is_empty() {
        return None;
    }
    Some(match (game.position.is_check(), game.side) {
        (true, Side::White) => "Checkmate, Black wins.",
        (true, Side::Black) => "Checkmate, White wins.",
        (false, _) => "Stalemate.",
    })
}

/// Plays a game against whoever writes `input`; the person has `person`.
///
/// # Errors
/// When `input` cannot be read or `output` cannot be written.
pub fn play(person: Side, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut engine = Carnatus::new();
    let mut game = Game::start();
    let mut lines = input.lines();
    loop {
        writeln!(output, "\n{game}")?;
        if let Some(end) = end(&game) {
            return writeln!(output, "{end}");
        }
        if game.side != person {
            // There is a move, or the game would be over.
            if let Some(mv) = engine.answer(&game) {
                writeln!(output, "carnatus plays {}", game.side.uci(mv))?;
                game = game.play(mv);
            }
            continue;
        }
        write!(output, "Your move (e2e4, e7e8q) or quit: ")?;
        output.flush()?;
        let Some(line) = lines.next().transpose()? else { return Ok(()) };
        match line.trim() {
            "quit" => return Ok(()),
            "" => {}
            text => {
                if let Some(mv) = game.find(&text.to_ascii_lowercase()) {
                    game = game.play(mv);
                } else {
                    let expected = "two squares such as e2e4 are expected";
                    writeln!(output, "`{text}` is not a legal move: {expected}.")?;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(person: Side, input: &str) -> String {
        let mut output = Vec::new();
        play(person, input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn a_move_of_the_person_is_answered() {
        let text = played(Side::White, "e2e5\ne2e4\nquit\n");
        assert!(text.contains("`e2e5` is not a legal move"), "{text}");
        assert_eq!(text.matches("carnatus plays").count(), 1);
    }

    #[test]
    fn the_engine_begins_when_the_person_has_black() {
        assert_eq!(played(Side::Black, "").matches("carnatus plays").count(), 1);
    }

    #[test]
    fn the_end_of_a_game_is_told() {
        let game = Game::from_fen("7k/5KQ1/8/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(end(&game), Some("Checkmate, White wins."));
        let game = Game::from_fen("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(end(&game), Some("Stalemate."));
        assert_eq!(end(&Game::start()), None);
    }
}
