//! Section V: the procedures `GenereCoupsOrdinaires` (every move except castling, even if it leaves the king in check)
//! and `GenereRoque` (castling, separate so that the search can omit it), and the functions `Echec` and `Valide`: a king
//! is in check if an ordinary move could capture it. The order of squares and steps is the article's, because the last of
//! equal moves is played.
//!
//! The conditions of castling follow the rules, not quite the article: its `EmpechementRoque` tests all squares from the
//! king to the rook, but compares only the opponent's first move with them, and misses a pawn that attacks an empty
//! square.
//!
//! The referee handles repetition and the fifty-move rule, which the article leaves to the players (section II, notes 3
//! and 5).

use std::fmt;

use super::board::{BISHOP, EMPTY, KING, KNIGHT, PAWN, QUEEN, ROOK, Square};
use super::position::{Move, MoveList, Position, Wing, king_home, pawn_rank};

/// Steps, as sums of files and ranks (section III-C).
const BISHOP_STEPS: [i8; 4] = [10 + 1, -10 - 1, -10 + 1, 10 - 1];
const ROOK_STEPS: [i8; 4] = [-1, 1, -10, 10];
const KNIGHT_STEPS: [i8; 8] = [10 + 2, 20 + 1, 20 - 1, 10 - 2, -10 - 2, -20 - 1, -20 + 1, -10 + 2];
/// The queen moves in the same directions, only further.
const KING_STEPS: [i8; 8] = [-1, 1, -10, 10, 10 + 1, -10 - 1, 10 - 1, -10 + 1];
/// The captures of a white pawn; Black's are the opposite.
const PAWN_CAPTURES: [i8; 2] = [-10 + 1, 10 + 1];

impl Position {
    pub fn ordinary_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        for from in Square::all() {
            match self.own(from) {
                PAWN => self.pawn_moves(from, &mut moves),
                BISHOP => self.slides(from, &BISHOP_STEPS, &mut moves),
                KNIGHT => self.steps(from, &KNIGHT_STEPS, &mut moves),
                ROOK => self.slides(from, &ROOK_STEPS, &mut moves),
                QUEEN => self.slides(from, &KING_STEPS, &mut moves),
                KING => self.steps(from, &KING_STEPS, &mut moves),
                _ => {}
            }
        }
        moves
    }

    fn pawn_moves(&self, from: Square, moves: &mut MoveList) {
        let sign = self.side.sign();
        let to = from.step(sign);
        if self.board[to] == EMPTY {
            moves.push(Move { from, to });
            let to = to.step(sign);
            if from.rank() == pawn_rank(self.side) && self.board[to] == EMPTY {
                moves.push(Move { from, to });
            }
        }
        for step in PAWN_CAPTURES {
            let to = from.step(step * sign);
            let is_en_passant = self.passed[(!self.side).index()] == Some(to);
            if is_en_passant || (self.may_enter(to) && self.board[to] != EMPTY) {
                moves.push(Move { from, to });
            }
        }
    }

    fn steps(&self, from: Square, steps: &[i8], moves: &mut MoveList) {
        let targets = steps.iter().map(|&step| from.step(step));
        moves.extend(targets.filter(|&to| self.may_enter(to)).map(|to| Move { from, to }));
    }

    /// Adds moves from the nearest square to the furthest. The edge stops a piece like another piece.
    fn slides(&self, from: Square, steps: &[i8], moves: &mut MoveList) {
        for &step in steps {
            let mut to = from.step(step);
            while self.may_enter(to) {
                moves.push(Move { from, to });
                if self.board[to] != EMPTY {
                    break;
                }
                to = to.step(step);
            }
        }
    }

    /// All moves of the side to move; some may leave its king in check.
    pub fn all_moves(&self) -> MoveList {
        let mut moves = self.ordinary_moves();
        let king = king_home(self.side);
        if self.own(king) == KING {
            for wing in Wing::BOTH {
                if self.castling.has(self.side, wing) && self.may_castle(king, wing) {
                    moves.push(Move { from: king, to: king.step(2 * wing.step()) });
                }
            }
        }
        moves
    }

    /// Whether the rook is at home, no piece is between, and the king is not attacked anywhere on its way.
    fn may_castle(&self, king: Square, wing: Wing) -> bool {
        let (rook, step) = (wing.rook(self.side), wing.step());
        self.own(rook) == ROOK
            && self.is_free_between(king, rook, step)
            && (0..=2).all(|steps| !self.with_king_moved(king, king.step(steps * step)).is_check())
    }

    fn is_free_between(&self, king: Square, rook: Square, step: i8) -> bool {
        let mut square = king.step(step);
        while square != rook {
            if self.board[square] != EMPTY {
                return false;
            }
            square = square.step(step);
        }
        true
    }

    fn with_king_moved(&self, from: Square, to: Square) -> Position {
        let mut moved = *self;
        if from != to {
            moved.board.shift(from, to);
        }
        moved
    }

    pub fn is_check(&self) -> bool {
        self.with_other_side().can_take_king()
    }

    /// Whether the side to move could capture the other king. A move that allows this is illegal.
    pub fn can_take_king(&self) -> bool {
        self.ordinary_moves().iter().any(|mv| -self.own(mv.to) == KING)
    }

    /// Whether a move of [`Position::all_moves`] is legal: the opponent cannot capture the king.
    pub fn is_legal(&self, mv: Move) -> bool {
        !self.after(mv).can_take_king()
    }

    /// The legal moves. Each promotion is a single move to a queen.
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = self.all_moves();
        moves.retain(|mv| self.is_legal(*mv));
        moves
    }

    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.legal_moves().len() as u64,
            _ => self.legal_moves().iter().map(|mv| self.after(*mv).perft(depth - 1)).sum(),
        }
    }
}

/// The four states of a game, with the article's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameState {
    InProgress = 0,
    /// The game goes on, and the side to move is in check.
    Check = 1,
    Stalemate = 2,
    Mate = 3,
}

impl GameState {
    pub fn of(position: &Position) -> GameState {
        match (position.legal_moves().is_empty(), position.is_check()) {
            (false, false) => GameState::InProgress,
            (false, true) => GameState::Check,
            (true, false) => GameState::Stalemate,
            (true, true) => GameState::Mate,
        }
    }
}

impl fmt::Display for GameState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameState::InProgress => "in progress",
            GameState::Check => "check",
            GameState::Stalemate => "stalemate",
            GameState::Mate => "mate",
        })
    }
}
