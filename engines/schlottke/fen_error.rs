//! Why a position cannot be set up.

use thiserror::Error;

/// What is wrong with a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// The number of fields is wrong.
    #[error("expected a FEN of 4 to 6 fields, found {0}")]
    Fields(usize),
    /// The first field does not describe 64 squares.
    #[error("board: expected 8 ranks of 8 squares in `pnbrqk`, `PNBRQK` and digits, found `{0}`")]
    Board(String),
    /// A side has no king or several.
    #[error("board: expected one king of each side")]
    Kings,
    /// A pawn stands where none can.
    #[error("board: expected no pawn on the first or last rank")]
    Pawns,
    /// The second field is neither side.
    #[error("side to move: expected `w` or `b`, found `{0}`")]
    Side(String),
    /// The third field has another letter, or one whose king or rook is not at home.
    #[error("castling: expected `-` or letters of `KQkq` whose king and rook are at home, found `{0}`")]
    Castling(String),
    /// The fourth field is no square behind a pawn that can just have made a double step.
    #[error("en passant: expected `-` or the square behind a pawn that has just gone two steps, found `{0}`")]
    Passed(String),
    /// The side that has moved left its king in check.
    #[error("expected a position in which the side that is not to move is not in check")]
    OpponentInCheck,
}
