//! What is cut off although it might matter (chapters "Futility", "Null move" and "Delta pruning"), and when.
//!
//! Of the figures here the report gives only delta's. It also says that the futility values grow at 400,000 nodes so as
//! to cut off more; with the comparison that it describes, larger values cut off less, so here they are halved.

use super::phase::Phase;
use super::score::Score;

/// Nodes after which the search gets hasty.
pub const HASTY_NODES: u64 = 400_000;
/// Nodes after which it unwinds.
pub const MAX_NODES: u64 = 800_000;

/// What a move gains at most in quiescence: more than a queen, so little is cut off, as the report says itself.
pub const DELTA: Score = 1_500;

/// How much less deep it is searched what the opponent makes of two moves in a row.
pub const NULL_REDUCTION: u32 = 2;

/// By the depth that is left: a rook, a queen, a queen and a rook.
const FUTILITY: [Score; 3] = [500, 900, 1_400];

/// How far beyond the window a position must be, with `depth` half-moves left, to have no prospects.
pub fn futility_margin(phase: Phase, depth: u32, nodes: u64) -> Option<Score> {
    let margin = *FUTILITY.get(depth.checked_sub(1)? as usize)?;
    let margin = if nodes >= HASTY_NODES { margin / 2 } else { margin };
    (phase != Phase::LoneKing).then_some(margin)
}

/// Whether passing may be tried: not where having to move is often bad.
pub fn may_pass(phase: Phase) -> bool {
    phase == Phase::Middlegame
}

/// Whether quiescence may leave captures out.
pub fn has_delta(phase: Phase) -> bool {
    phase != Phase::LoneKing
}

/// How many captures in a row quiescence follows.
pub fn quiescence_depth(nodes: u64) -> u32 {
    if nodes >= HASTY_NODES { 2 } else { 3 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn futility_is_for_the_last_three_half_moves_and_not_against_a_lone_king() {
        let margins = [0, 1, 2, 3, 4].map(|depth| futility_margin(Phase::Middlegame, depth, 0).is_some());
        assert_eq!(margins, [false, true, true, true, false]);
        assert_eq!(futility_margin(Phase::LoneKing, 1, 0), None);
    }

    #[test]
    fn at_400_000_nodes_more_is_cut_off_and_quiescence_is_shorter() {
        for depth in 1..=3 {
            let margin = |nodes| futility_margin(Phase::Endgame, depth, nodes);
            assert!(margin(HASTY_NODES) < margin(HASTY_NODES - 1));
        }
        assert_eq!((quiescence_depth(HASTY_NODES - 1), quiescence_depth(HASTY_NODES)), (3, 2));
    }
}
