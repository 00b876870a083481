//! Positions as text. The article knows only its start position; UCI sets up any.

use std::fmt;

use uci::server::{Color, FenError, FenFields};

use super::castling_rights::{CastlingRights, Wing, king_home};
use super::mailbox::Mailbox;
use super::pieces::{self, EMPTY, KING, PAWN, ROOK};
use super::position::Position;
use super::side::Side;
use super::square::Square;

/// The position in which games begin.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The letters of the castling field, in their order.
const CASTLINGS: [(char, Side, Wing); 4] = [
    ('K', Side::White, Wing::King),
    ('Q', Side::White, Wing::Queen),
    ('k', Side::Black, Wing::King),
    ('q', Side::Black, Wing::Queen),
];

impl Position {
    /// The position in which games begin.
    ///
    /// # Panics
    /// Never: the position is legal.
    pub fn start() -> Position {
        Position::from_fen(START).expect("the first position is legal")
    }

    /// The position that a FEN describes. The two counters at its end may be missing and are not looked at.
    ///
    /// # Errors
    /// Which field cannot be used, and why.
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        let fields = FenFields::split(fen)?;
        let board = read_board(&fields)?;
        let castling = read_castling(fields.castling, &board)?;
        let side = if fields.side == Color::White { Side::White } else { Side::Black };
        let mut position = Position { board, castling, passed: [None; 2], side, balance: 0 };
        position.passed[side.other().index()] = read_passed(fields.en_passant, &position)?;
        if position.can_take_king() {
            return Err(FenError::Illegal("the side that is not to move is in check"));
        }
        Ok(position)
    }
}

/// The half-moves that a game had before the position of a FEN, by its last field; 0 where that says nothing.
pub fn half_moves_before(fen: &str, side: Side) -> u32 {
    let number = fen.split_whitespace().nth(5).and_then(|number| number.parse::<u32>().ok());
    let full_moves = number.unwrap_or(1).clamp(1, 10_000) - 1;
    2 * full_moves + u32::from(side == Side::Black)
}

fn read_board(fields: &FenFields<'_>) -> Result<Mailbox, FenError> {
    let mut board = Mailbox::empty();
    for found in fields.pieces()? {
        let square = Square::new(found.file as i8 + 1, found.rank as i8 + 1);
        board[square] = pieces::from_letter(found.letter).unwrap_or(EMPTY);
    }
    let kings = |king| Square::all().filter(|&square| board[square] == king).count();
    if (kings(KING), kings(-KING)) != (1, 1) {
        return Err(FenError::Illegal("each side has one king"));
    }
    if Square::all().any(|square| matches!(square.rank(), 1 | 8) && board[square].abs() == PAWN) {
        return Err(FenError::Illegal("a pawn stands on the first or the last rank"));
    }
    Ok(board)
}

fn read_castling(field: &str, board: &Mailbox) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::default();
    if field == "-" {
        return Ok(rights);
    }
    for letter in field.chars() {
        let known = CASTLINGS.iter().find(|(known, side, wing)| {
            *known == letter
                && board[king_home(*side)] == KING * side.sign()
                && board[wing.rook(*side)] == ROOK * side.sign()
        });
        let expected = "letters of KQkq whose king and rook are at home, or `-`";
        let &(_, side, wing) = known.ok_or_else(|| FenError::field("3 (castling)", expected, field))?;
        rights.allow(side, wing);
    }
    Ok(rights)
}

fn read_passed(field: &str, position: &Position) -> Result<Option<Square>, FenError> {
    if field == "-" {
        return Ok(None);
    }
    let mover = position.side.other();
    let is_behind_a_double_step = |square: &Square| {
        let (origin, target) = (square.step(-mover.sign()), square.step(mover.sign()));
        origin.rank() == mover.pawn_rank()
            && position.board[target] == PAWN * mover.sign()
            && [origin, *square].iter().all(|&passed| position.board[passed] == EMPTY)
    };
    let square = Square::named(field).filter(is_behind_a_double_step);
    let expected = "the square behind a pawn that has just gone two steps, or `-`";
    square.map(Some).ok_or_else(|| FenError::field("4 (en passant)", expected, field))
}

/// Writes the four fields of a FEN that a position knows.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = |rank| {
            let cells =
                (1..=8).map(|file| pieces::letter(self.board[Square::new(file, rank)]).unwrap_or('1'));
            join_empty(&cells.collect::<String>())
        };
        let ranks: Vec<String> = (1..=8).rev().map(rank).collect();
        let side = if self.side == Side::White { 'w' } else { 'b' };
        let rights = CASTLINGS.iter().filter(|(_, side, wing)| self.castling.has(*side, *wing));
        let rights: String = rights.map(|(letter, ..)| *letter).collect();
        let rights = if rights.is_empty() { "-" } else { &rights };
        write!(f, "{} {side} {rights} ", ranks.join("/"))?;
        match self.passed[self.side.other().index()] {
            Some(square) => square.fmt(f),
            None => f.write_str("-"),
        }
    }
}

/// Replaces each row of ones, the empty squares, by their number.
fn join_empty(cells: &str) -> String {
    (1..=8).rev().fold(cells.to_owned(), |text, count| text.replace(&"1".repeat(count), &count.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_written_as_it_was_read() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq -",
            "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3",
            "4k3/8/8/3b4/4P3/2n5/8/4R1K1 b - e3",
        ];
        for fen in fens {
            assert_eq!(Position::from_fen(fen).unwrap().to_string(), fen);
        }
    }

    #[test]
    fn each_mistake_is_told_with_its_field() {
        let cases = [
            ("", "fields"),
            ("8/8/8/8 w - -", "board"),
            ("9/8/8/8/8/8/8/K1k5 w - -", "board"),
            ("xnbqkbnr/8/8/8/8/8/8/4K3 w - -", "board"),
            ("44p/8/8/8/8/8/8/K1k5 w - -", "board"),
            ("8/8/8/8/8/8/8/K7 w - -", "king"),
            ("P7/8/8/8/8/8/8/K1k5 w - -", "pawn"),
            ("8/8/8/8/8/8/8/K1k5 x - -", "side to move"),
            ("8/8/8/8/8/8/8/K1k5 w K -", "castling"),
            ("8/8/8/8/8/8/8/K1k5 w - e6", "en passant"),
            ("8/8/8/8/8/8/8/K1k5 w - z9", "en passant"),
            ("8/8/8/8/8/8/8/Kk6 w - -", "is in check"),
        ];
        for (fen, field) in cases {
            let error = Position::from_fen(fen).unwrap_err().to_string();
            assert!(error.contains(field), "{fen}: {error}");
        }
        assert!(Position::from_fen(START).is_ok());
    }
}
