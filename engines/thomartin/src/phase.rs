//! The phases of a game (chapter "Phases de la partie").
//!
//! Phase 0, the opening, ends when the opening tree has no reply, so positions are in one of the other three phases.

use shakmaty::{Board, Color};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Most of the game: every improvement of the search is on.
    Middlegame = 1,
    /// At most six pieces beside kings and pawns: no null move, since waiting may be the best move.
    Endgame = 2,
    /// One side has only its king: no unsound pruning, so that no mate is missed.
    LoneKing = 3,
}

/// The endgame begins with at most this many pieces beside kings and pawns.
const ENDGAME_PIECES: usize = 6;
/// A side with at most this many pieces, its king included, searches deeper against a lone king.
const FEW_MEN: usize = 4;

impl Phase {
    pub fn of(board: &Board) -> Phase {
        if lone_king(board).is_some() {
            Phase::LoneKing
        } else if (board.occupied() & !board.kings() & !board.pawns()).count() <= ENDGAME_PIECES {
            Phase::Endgame
        } else {
            Phase::Middlegame
        }
    }

    pub fn depth(self, board: &Board) -> u32 {
        match (self, lone_king(board)) {
            (Phase::LoneKing, Some(lone)) if board.by_color(lone.other()).count() <= FEW_MEN => 9,
            (Phase::LoneKing, _) => 7,
            _ => 5,
        }
    }

    /// The weight of one more controlled square. The report gives the first weight, and only says that the second is
    /// lower.
    pub fn control_weight(self) -> i32 {
        match self {
            Phase::Middlegame => 10,
            Phase::Endgame => 3,
            Phase::LoneKing => 0,
        }
    }
}

/// The side that has only its king; White if both have.
pub fn lone_king(board: &Board) -> Option<Color> {
    Color::ALL.into_iter().find(|&side| board.by_color(side).count() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endgame_begins_with_six_pieces_and_the_last_phase_with_a_lone_king() {
        for (fen, phase, depth) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", Phase::Middlegame, 5),
            ("r2qk1n1/pppppppp/8/8/8/8/PPPPPPPP/R1BQK1N1", Phase::Middlegame, 5),
            ("r2qk1n1/pppppppp/8/8/8/8/PPPPPPPP/R2QK1N1", Phase::Endgame, 5),
            ("4k3/pppppppp/8/8/8/8/8/4K3", Phase::LoneKing, 7),
            ("4k3/8/8/8/8/8/PPPP4/4K3", Phase::LoneKing, 7),
            ("4k3/8/8/8/8/8/PPP5/4K3", Phase::LoneKing, 9),
            ("4k3/7r/8/8/8/8/8/4K3", Phase::LoneKing, 9),
        ] {
            let board: Board = fen.parse().unwrap();
            assert_eq!(Phase::of(&board), phase, "{fen}");
            assert_eq!(phase.depth(&board), depth, "{fen}");
        }
    }
}
