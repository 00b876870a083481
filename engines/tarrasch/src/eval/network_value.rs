//! Where the network is asked, and what rules make of its answer. Rare endings are what it learns last, and what rules know
//! for certain.

use super::terms::endgame_scale;
use super::{Score, phase};
use crate::Value;
use chess::{Color, Position};

/// Whether the network is asked: not when a side has nothing but its king, as those games are over when they are learnt
/// from.
pub fn is_asked(position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| position.colored(color).more_than_one())
}

/// The value that follows from what the network says, both for the side to move: the share of the endgame in it counts as
/// much as the rules for the side that is ahead allow.
pub fn value(position: &Position, centipawns: i32) -> Value {
    let us = position.side_to_move();
    let scale = endgame_scale::scale(position, if centipawns >= 0 { us } else { !us });
    let all = Score::MIDDLEGAME * Score::FULL_SCALE;
    let lost = (Score::MIDDLEGAME - phase(position)) * (Score::FULL_SCALE - scale);
    Value::new(centipawns * (all - lost) / all).clamp_to_eval()
}
