//! The procedure `Deplace` (section IV): plays a move on the board and keeps everything beside it true.

use super::castling_rights::king_home;
use super::moves::Move;
use super::pieces::{KING, PAWN, QUEEN};
use super::position::Position;
use super::square::Square;

impl Position {
    /// The position after a move. The move need not be legal: kings are taken like other pieces.
    #[must_use]
    pub fn after(&self, mv: Move) -> Position {
        let mut next = *self;
        next.play(mv);
        next
    }

    /// Plays a move.
    pub fn play(&mut self, mv: Move) {
        let sign = self.side.sign();
        let (mut from, to) = (mv.from, mv.to);
        let kind = self.own(from);
        self.castling.touch(from);
        self.castling.touch(to);
        let is_double_step = kind == PAWN && to.minus(from) == 2 * sign;
        self.passed[self.side.index()] = is_double_step.then(|| from.step(sign));
        if kind == PAWN && self.passed[self.side.other().index()] == Some(to) {
            // En passant in two steps, as the article does it: aside, where the pawn is taken, then forward.
            let beside = Square::new(to.file(), from.rank());
            self.balance -= i32::from(self.board.shift(from, beside));
            from = beside;
        }
        if kind == KING && is_castling(from, to, king_home(self.side)) {
            self.board.shift(from, to);
            self.castle_rook(to);
        } else {
            self.balance -= i32::from(self.board.shift(from, to));
            if kind == PAWN && matches!(to.rank(), 1 | 8) {
                self.promote(to, QUEEN);
            }
        }
        self.side = self.side.other();
    }

    /// Plays a move by which a pawn becomes `kind`. The engine itself only takes queens; its opponents need not.
    pub fn play_promotion(&mut self, mv: Move, kind: i8) {
        let sign = self.side.sign();
        self.play(mv);
        self.balance += i32::from(kind - QUEEN) * i32::from(sign);
        self.board[mv.to] = kind * sign;
    }

    /// Whether the move takes a pawn of the side to move to its last rank.
    pub fn is_promotion(&self, mv: Move) -> bool {
        self.own(mv.from) == PAWN && matches!(mv.to.rank(), 1 | 8)
    }

    fn promote(&mut self, square: Square, kind: i8) {
        let sign = self.side.sign();
        self.board[square] = kind * sign;
        self.balance += i32::from(kind - PAWN) * i32::from(sign);
    }

    /// Brings the rook to the other side of a king that has castled to `king`.
    fn castle_rook(&mut self, king: Square) {
        let rank = king.rank();
        let (from, to) = if king.file() == 7 { (8, 6) } else { (1, 4) };
        self.board.shift(Square::new(from, rank), Square::new(to, rank));
    }
}

/// Whether a king goes two files from home.
fn is_castling(from: Square, to: Square, home: Square) -> bool {
    from == home && to.minus(from).abs() == 20
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(fen: &str, text: &str) -> Position {
        let position = Position::from_fen(fen).unwrap();
        let from = Square::named(&text[..2]).unwrap();
        position.after(Move { from, to: Square::named(&text[2..]).unwrap() })
    }

    #[test]
    fn a_capture_en_passant_takes_the_pawn_and_its_value() {
        let position = after("4k3/8/8/6pP/8/8/8/4K3 w - g6", "h5g6");
        assert_eq!(position.to_string(), "4k3/8/6P1/8/8/8/8/4K3 b - -");
        assert_eq!(position.balance, 2);
    }

    #[test]
    fn castling_brings_the_rook_along() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
        assert_eq!(after(fen, "e1g1").to_string(), "r3k2r/8/8/8/8/8/8/R4RK1 b kq -");
        assert_eq!(after(fen, "e1c1").to_string(), "r3k2r/8/8/8/8/8/8/2KR3R b kq -");
    }

    #[test]
    fn a_promotion_adds_a_queen_less_a_pawn_and_what_it_takes() {
        let position = after("r3k3/1P6/8/8/8/8/8/4K3 w q -", "b7a8");
        assert_eq!(position.to_string(), "Q3k3/8/8/8/8/8/8/4K3 b - -");
        assert_eq!(position.balance, 10 + 19 - 2);
    }

    #[test]
    fn a_double_step_leaves_the_square_that_it_passed() {
        let position = after("4k3/8/8/8/8/8/4P3/4K3 w - -", "e2e4");
        assert_eq!(position.to_string(), "4k3/8/8/8/4P3/8/8/4K3 b - e3");
    }
}
