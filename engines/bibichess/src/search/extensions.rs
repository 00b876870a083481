//! Forcing moves are searched more deeply (§1.2.2), and only quiet positions are evaluated (§1.2.1): beyond the horizon,
//! captures are followed and checks are answered.
//!
//! In the document's sketch, a side in check may also stand on the evaluation. Then its figure 3 is impossible: the side
//! could escape mate by not moving. Here, a side in check has to move.

use chess::{Move, MoveList, PieceKind, Position, Rank, Square};

use super::{Interrupted, Search, Technique};
use crate::move_order::{self, exchange};
use crate::units::{Ply, Value, Window};

/// Whether a node is searched one ply more deeply: its side is in check or has a single legal move, or the last move
/// recaptured or brought a pawn to the seventh rank.
pub fn deserves_extension(position: &Position, legal_moves: usize, last: LastMove) -> bool {
    position.is_check() || legal_moves == 1 || last.is_recapture || last.is_to_seventh
}

/// Properties of the move that led to a node, for extensions and null moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastMove {
    captured_on: Option<Square>,
    /// Whether it captured on the square of the previous capture.
    pub is_recapture: bool,
    /// Whether it brought a pawn to the seventh rank of its side.
    pub is_to_seventh: bool,
    pub is_pass: bool,
}

impl LastMove {
    pub const PASS: LastMove =
        LastMove { captured_on: None, is_recapture: false, is_to_seventh: false, is_pass: true };

    /// Describes the legal move `mv` in `position`, which follows this one.
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
}

/// Delta pruning (§2.3.2): a pawn, in hundredths.
const DELTA: i32 = 100;

impl Search<'_> {
    /// The value of a position at the horizon, after the best captures or none, or after the best answer to a check.
    pub(super) fn quiesce(
        &mut self,
        position: &Position,
        ply: Ply,
        mut window: Window,
    ) -> Result<Value, Interrupted> {
        self.enter(ply)?;
        if !self.techniques.has(Technique::Quiescence) {
            return Ok(self.static_value(position, ply));
        }
        if ply == Ply::LAST {
            return Ok((self.evaluation)(position));
        }
        let mut moves;
        let mut floor = None;
        if position.is_check() {
            moves = position.move_list();
            window.alpha = window.alpha.max(Value::mated_at(ply));
        } else {
            let eval = (self.evaluation)(position);
            window.alpha = window.alpha.max(eval);
            floor = self.techniques.has(Technique::DeltaPruning).then(|| eval + DELTA);
            if window.is_refuted() {
                return Ok(window.alpha);
            }
            moves = captures(position);
        }
        move_order::sort(position, &mut moves, None, self.techniques.has(Technique::SeeOrdering));
        for mv in moves {
            if floor.is_some_and(|floor| floor + exchange(position, mv) <= window.alpha) {
                continue;
            }
            let value = -self.quiesce(&position.play(mv), ply.next(), window.of_opponent())?;
            if value > window.alpha {
                window.alpha = value;
                self.variations.extend(ply, mv);
                if window.is_refuted() {
                    break;
                }
            }
        }
        Ok(window.alpha)
    }

    fn static_value(&self, position: &Position, ply: Ply) -> Value {
        match (position.has_legal_move(), position.is_check()) {
            (true, _) => (self.evaluation)(position),
            (false, true) => Value::mated_at(ply),
            (false, false) => Value::DRAW,
        }
    }
}

/// The legal captures; a capture that promotes becomes a queen.
pub fn captures(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    position.noisy_moves(&mut moves);
    moves.retain(|mv| position.is_capture(*mv));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_extended(fen: &str, moves: &[&str]) -> bool {
        let mut position = Position::from_fen(fen).unwrap();
        let mut last = LastMove::default();
        for text in moves {
            let mv = position.parse_uci(text).unwrap();
            last = last.followed_by(&position, mv);
            position = position.play(mv);
        }
        deserves_extension(&position, position.move_list().len(), last)
    }

    #[test]
    fn checks_recaptures_single_moves_and_pawns_on_the_seventh_rank_are_extended() {
        assert!(is_extended("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &["a1a8"]));
        assert!(!is_extended("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &["a1a7"]));
        let position = "4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1";
        assert!(!is_extended(position, &["e4d5"]));
        assert!(is_extended(position, &["e4d5", "c6d5"]));
        assert!(!is_extended("4k3/8/8/3p4/1p2P3/P7/8/4K3 w - - 0 1", &["e4d5", "b4a3"]));
        assert!(is_extended("k7/8/1R6/8/8/8/8/4K3 w - - 0 1", &["e1e2"]));
        assert!(!is_extended("k7/8/8/2R5/8/8/8/4K3 w - - 0 1", &["e1e2"]));
        assert!(is_extended("7k/8/1P6/8/8/p7/8/7K w - - 0 1", &["b6b7"]));
        assert!(is_extended("7k/8/1P6/8/8/p7/8/7K b - - 0 1", &["a3a2"]));
        assert!(!is_extended("7k/1P6/8/8/8/p7/8/7K w - - 0 1", &["b7b8n"]));
    }
}
