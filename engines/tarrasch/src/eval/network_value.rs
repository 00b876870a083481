//! Rules that override the network or scale its value: it learns rare endings poorly, and rules know them exactly.

use super::terms::endgame_scale;
use super::{Score, phase};
use crate::Value;
use chess::{Color, Position};

/// Whether the network evaluates the position. Not if a side has only its king: the training games end before.
pub fn is_asked(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| position.colored(color).more_than_one())
}

/// Scales the network's value, both for the side to move.
pub fn value(position: &Position, centipawns: i32) -> Value {
    let us = position.side_to_move();
    let counted = counted(position, if centipawns >= 0 { us } else { !us });
    Value::new(centipawns * counted / ALL).clamp_to_eval()
}

/// The part of the network's value that counts, of [`ALL`], when `ahead` is ahead. The endgame scale applies to the
/// endgame part of the game phase. The training scales the output in the same way.
pub fn counted(position: &Position, ahead: Color) -> i32 {
    let scale = endgame_scale::scale(position, ahead);
    ALL - (Score::MIDDLEGAME - phase(position)) * (Score::FULL_SCALE - scale)
}

/// [`counted`] for the full value.
pub const ALL: i32 = Score::MIDDLEGAME * Score::FULL_SCALE;
