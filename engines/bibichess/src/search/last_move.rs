//! What a node has to know about the move that led to it.

use chess::{Move, PieceKind, Position, Rank, Square};

/// The move that led to a node, as far as extensions and null moves ask about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastMove {
    /// Where it captured.
    captured_on: Option<Square>,
    /// Whether it captured where the move before it had captured.
    is_recapture: bool,
    /// Whether it brought a pawn to the seventh rank of its side.
    is_to_seventh: bool,
    /// Whether it was none at all, but a null move.
    is_pass: bool,
}

impl LastMove {
    /// Passing.
    pub const PASS: LastMove =
        LastMove { captured_on: None, is_recapture: false, is_to_seventh: false, is_pass: true };

    /// The legal move `mv` in `position`, played after this one.
    #[must_use]
    pub fn followed_by(self, position: &Position, mv: Move) -> LastMove {
        let captured_on = position.is_capture(mv).then(|| mv.to());
        let seventh = Rank::Seventh.relative_to(position.side_to_move());
        LastMove {
            captured_on,
            is_recapture: captured_on.is_some() && captured_on == self.captured_on,
            is_to_seventh: position.kind_on(mv.from()) == Some(PieceKind::Pawn) && mv.to().rank() == seventh,
            is_pass: false,
        }
    }

    /// Whether it captured where the move before it had captured.
    pub const fn is_recapture(self) -> bool {
        self.is_recapture
    }

    /// Whether it brought a pawn to the seventh rank of its side.
    pub const fn is_to_seventh(self) -> bool {
        self.is_to_seventh
    }

    /// Whether it was a null move.
    pub const fn is_pass(self) -> bool {
        self.is_pass
    }
}
