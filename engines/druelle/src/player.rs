//! A player, with the list of their pieces (section 3.6.2).

use super::piece::PieceId;
use super::square::Square;

/// The pieces of a player and what they may still do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The pieces on the board, so that nobody has to look for them there.
    pub pieces: Vec<PieceId>,
    /// The king, which checks are about.
    pub king: PieceId,
    /// The sum of the values of the pieces, in centipawns, kept as pieces come and go (section 2.4).
    pub material: i32,
    /// The square that a pawn of this player has just passed and where it can be taken this turn: the document's
    /// `PrisePassant` and `positionPrisePassant` in one.
    pub en_passant: Option<Square>,
    /// Whether the player may still castle on the king's and on the queen's side. The document says "once in a game"
    /// and keeps no account of it.
    pub castling: [bool; 2],
}
