//! Moves as the protocol writes them. The engine makes queens only, and understands every promotion.

use uci::UciMove;

use super::moves::Move;
use super::pieces;
use super::position::Position;
use super::square::Square;

/// A move of the engine, which takes a queen for a pawn that arrives.
///
/// # Panics
/// Never: two squares and a letter are a move to the protocol.
pub fn write(position: &Position, mv: Move) -> UciMove {
    let piece = if position.is_promotion(mv) { "q" } else { "" };
    format!("{mv}{piece}").parse().expect("two squares are a move")
}

/// Plays a move as the protocol writes it, any promotion included. `None` where it is illegal.
pub fn play(position: &Position, text: UciMove) -> Option<Position> {
    let text = text.as_str();
    let mv = Move { from: Square::named(&text[..2])?, to: Square::named(&text[2..4])? };
    if !position.legal_moves().contains(&mv) {
        return None;
    }
    let mut next = *position;
    match (position.is_promotion(mv), &text[4..]) {
        (false, "") => next.play(mv),
        (true, letter @ ("q" | "r" | "b" | "n")) => {
            next.play_promotion(mv, pieces::from_letter(letter.chars().next()?)?.abs());
        }
        _ => return None,
    }
    Some(next)
}
