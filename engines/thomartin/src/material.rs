//! Material and squares (chapter "Évaluation matérielle"): the part of the evaluation that is always asked.

use shakmaty::{Board, Color, Role};

use super::phase::{Phase, lone_king};
use super::piece_square_tables::{bonus, lone_king_bonus};
use super::score::Score;

/// What a piece is worth, in hundredths of what pawns are usually worth.
pub const fn value(role: Role) -> Score {
    match role {
        Role::Pawn => 120,
        Role::Bishop => 320,
        Role::Knight => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 20_000,
    }
}

/// White's pieces on their squares less Black's.
pub fn balance(board: &Board, phase: Phase) -> Score {
    let lone = (phase == Phase::LoneKing).then(|| lone_king(board)).flatten();
    let worth = |(square, piece): (shakmaty::Square, shakmaty::Piece)| {
        let place = if lone == Some(piece.color) {
            lone_king_bonus(square)
        } else {
            bonus(phase, piece.role, piece.color, square)
        };
        let worth = value(piece.role) + place;
        piece.color.fold_wb(worth, -worth)
    };
    board.iter().map(worth).sum()
}

/// Whether a side has more than its king and pawns, so that it hardly ever has to move to its loss.
pub fn has_pieces(board: &Board, side: Color) -> bool {
    (board.by_color(side) & !board.kings() & !board.pawns()).any()
}
