//! The record `tPosition` (section III-D), the board and the other state of a game; and the procedure `Deplace` (section
//! IV), which plays a move and updates all of it.

use std::fmt;

use arrayvec::ArrayVec;
use chess::Color;

use super::board::{EMPTY, KING, Mailbox, PAWN, QUEEN, Square};

/// A position. It is copied before each move that the search tries, and moves are never taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub board: Mailbox,
    pub castling: CastlingRights,
    /// For each side, the square that its pawn passed over, if its last move was a double step.
    pub passed: [Option<Square>; 2],
    pub side: Color,
    /// The material won since the position was set up, positive for White. It starts at 0 for every position.
    pub balance: i32,
}

impl Position {
    pub fn with_other_side(mut self) -> Position {
        self.side = !self.side;
        self
    }

    /// The kind of the side to move's piece on `square`; 0 or less, or off the board, if it owns none there.
    pub fn own(&self, square: Square) -> i8 {
        self.board[square] * self.side.sign()
    }

    /// Whether a piece of the side to move may go to `square`: the cell exists and holds none of its own pieces.
    pub fn may_enter(&self, square: Square) -> bool {
        (EMPTY..=KING).contains(&-self.own(square))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub from: Square,
    pub to: Square,
}

/// The moves of a position. The article has room for 100 and doubts in a note that this is always enough; the largest
/// known number in a game is 218, plus the moves that leave the king in check.
pub type MoveList = ArrayVec<Move, 256>;

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wing {
    King,
    Queen,
}

impl Wing {
    /// Both wings, in the order in which the article tries them.
    pub const BOTH: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The king's step from file to file towards this wing.
    pub const fn step(self) -> i8 {
        match self {
            Wing::King => 10,
            Wing::Queen => -10,
        }
    }

    pub const fn rook(self, side: Color) -> Square {
        match self {
            Wing::King => Square::new(8, home_rank(side)),
            Wing::Queen => Square::new(1, home_rank(side)),
        }
    }
}

const fn home_rank(side: Color) -> i8 {
    match side {
        Color::White => 1,
        Color::Black => 8,
    }
}

/// The starting rank of a side's pawns, 2 or 7.
pub const fn pawn_rank(side: Color) -> i8 {
    home_rank(side) + side.sign()
}

pub const fn king_home(side: Color) -> Square {
    Square::new(5, home_rank(side))
}

/// The castling rights, whose king and rook have not moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CastlingRights(pub [[bool; 2]; 2]);

impl CastlingRights {
    pub const fn has(self, side: Color, wing: Wing) -> bool {
        self.0[side.index()][wing as usize]
    }

    /// A piece left or reached `square`, so the original piece has moved or is gone.
    ///
    /// The article looks only at squares that pieces leave. There, a captured rook keeps its castling right, and the
    /// other rook may come and castle in its place, which is illegal.
    pub fn touch(&mut self, square: Square) {
        for side in [Color::White, Color::Black] {
            for wing in Wing::BOTH {
                if square == king_home(side) || square == wing.rook(side) {
                    self.0[side.index()][wing as usize] = false;
                }
            }
        }
    }
}

impl Position {
    /// The position after a move. The move need not be legal: kings are captured like other pieces.
    pub fn after(&self, mv: Move) -> Position {
        let mut next = *self;
        next.play(mv);
        next
    }

    pub fn play(&mut self, mv: Move) {
        let sign = self.side.sign();
        let (mut from, to) = (mv.from, mv.to);
        let kind = self.own(from);
        self.castling.touch(from);
        self.castling.touch(to);
        let is_double_step = kind == PAWN && to.minus(from) == 2 * sign;
        self.passed[self.side.index()] = is_double_step.then(|| from.step(sign));
        if kind == PAWN && self.passed[(!self.side).index()] == Some(to) {
            // En passant in two steps, as in the article: sideways to capture the pawn, then forward.
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
        self.side = !self.side;
    }

    /// Plays a move that promotes a pawn to `kind`. The engine always takes a queen; its opponents need not.
    pub fn play_promotion(&mut self, mv: Move, kind: i8) {
        let sign = self.side.sign();
        self.play(mv);
        self.balance += i32::from(kind - QUEEN) * i32::from(sign);
        self.board[mv.to] = kind * sign;
    }

    pub fn is_promotion(&self, mv: Move) -> bool {
        self.own(mv.from) == PAWN && matches!(mv.to.rank(), 1 | 8)
    }

    fn promote(&mut self, square: Square, kind: i8) {
        let sign = self.side.sign();
        self.board[square] = kind * sign;
        self.balance += i32::from(kind - PAWN) * i32::from(sign);
    }

    fn castle_rook(&mut self, king: Square) {
        let rank = king.rank();
        let (from, to) = if king.file() == 7 { (8, 6) } else { (1, 4) };
        self.board.shift(Square::new(from, rank), Square::new(to, rank));
    }
}

fn is_castling(from: Square, to: Square, home: Square) -> bool {
    from == home && to.minus(from).abs() == 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_leaves_the_position_and_the_balance_that_it_should() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
        for (fen, mv, expected, balance) in [
            ("4k3/8/8/6pP/8/8/8/4K3 w - g6", "h5g6", "4k3/8/6P1/8/8/8/8/4K3 b - -", 2),
            (castling, "e1g1", "r3k2r/8/8/8/8/8/8/R4RK1 b kq -", 0),
            (castling, "e1c1", "r3k2r/8/8/8/8/8/8/2KR3R b kq -", 0),
            // A queen less a pawn, and a rook.
            ("r3k3/1P6/8/8/8/8/8/4K3 w q -", "b7a8", "Q3k3/8/8/8/8/8/8/4K3 b - -", 10 + 19 - 2),
            ("4k3/8/8/8/8/8/4P3/4K3 w - -", "e2e4", "4k3/8/8/8/4P3/8/8/4K3 b - e3", 0),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mv = position.all_moves().into_iter().find(|found| found.to_string() == mv).unwrap();
            let after = position.after(mv);
            assert_eq!((after.to_string().as_str(), after.balance), (expected, balance), "{fen}");
        }
    }
}
