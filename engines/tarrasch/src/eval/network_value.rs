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

/// The value that follows from what the network says, both for the side to move.
pub fn value(position: &Position, centipawns: i32) -> Value {
    let us = position.side_to_move();
    let counted = counted(position, if centipawns >= 0 { us } else { !us });
    Value::new(centipawns * counted / ALL).clamp_to_eval()
}

/// How much of what the network says counts when `ahead` is ahead, of [`ALL`]: the share of the endgame in the position
/// counts as much as the rules allow. The network is trained so that this part of its answer is right.
pub fn counted(position: &Position, ahead: Color) -> i32 {
    let scale = endgame_scale::scale(position, ahead);
    ALL - (Score::MIDDLEGAME - phase(position)) * (Score::FULL_SCALE - scale)
}

/// What [`counted`] is a part of.
pub const ALL: i32 = Score::MIDDLEGAME * Score::FULL_SCALE;
