//! Retrograde analysis of king and queen, or king and rook, against king.

use std::collections::VecDeque;

use chess::attacks::{king, of_kind};
use chess::{Bitboard, Color, PieceKind, Position, Square};

/// The squares of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    pub white_king: Square,
    pub piece: Square,
    pub black_king: Square,
}

/// The ending with one kind of piece: for each placement the plies to mate, `None` where there is none.
pub struct LoneKing {
    pub kind: PieceKind,
    white_to_move: Vec<Option<u8>>,
    black_to_move: Vec<Option<u8>>,
}

impl Placement {
    /// All possible placements: the kings apart, and no two pieces on one square.
    pub fn all() -> impl Iterator<Item = Placement> {
        let placements = Square::all().flat_map(|white_king| {
            Square::all().flat_map(move |piece| {
                Square::all().map(move |black_king| Placement { white_king, piece, black_king })
            })
        });
        placements.filter(|placement| placement.is_possible())
    }

    fn index(self) -> usize {
        (self.white_king.index() * 64 + self.piece.index()) * 64 + self.black_king.index()
    }

    fn is_possible(self) -> bool {
        let taken = self.white_king.bitboard() | self.piece.bitboard() | self.black_king.bitboard();
        taken.count() == 3 && !king(self.white_king).has(self.black_king)
    }

    /// The attacks of the piece, through the black king, which cannot flee along its line.
    fn attacked(self, kind: PieceKind) -> Bitboard {
        of_kind(kind, self.piece, self.white_king.bitboard())
    }

    pub fn is_check(self, kind: PieceKind) -> bool {
        self.attacked(kind).has(self.black_king)
    }

    fn is_defended(self) -> bool {
        king(self.white_king).has(self.piece)
    }

    /// The placements after a black move, unless it can take the piece.
    fn black_moves(self, kind: PieceKind) -> Option<Vec<Placement>> {
        if king(self.black_king).has(self.piece) && !self.is_defended() {
            return None;
        }
        let allowed = king(self.black_king) & !king(self.white_king) & !self.attacked(kind);
        let targets = allowed & !self.piece.bitboard();
        Some(targets.into_iter().map(|black_king| Placement { black_king, ..self }).collect())
    }

    /// The placements from which a white move leads here.
    fn before_white(self, kind: PieceKind) -> impl Iterator<Item = Placement> {
        let kings = king(self.white_king).into_iter().map(move |white_king| Placement { white_king, ..self });
        let occupied = self.white_king.bitboard() | self.black_king.bitboard();
        let pieces = of_kind(kind, self.piece, occupied).into_iter();
        let before = kings.chain(pieces.map(move |piece| Placement { piece, ..self }));
        before.filter(move |placement| placement.is_possible() && !placement.is_check(kind))
    }

    /// The placements from which a black move leads here.
    fn before_black(self) -> impl Iterator<Item = Placement> {
        let kings = king(self.black_king).into_iter().map(move |black_king| Placement { black_king, ..self });
        kings.filter(|placement| placement.is_possible())
    }

    /// The position, with a half-move clock.
    pub fn position(self, kind: PieceKind, turn: Color, clock: u16) -> Position {
        let mut board = [["1"; 8]; 8];
        let piece = if kind == PieceKind::Queen { "Q" } else { "R" };
        for (square, letter) in [(self.white_king, "K"), (self.piece, piece), (self.black_king, "k")] {
            board[7 - square.rank().index()][square.file().index()] = letter;
        }
        let ranks = board.map(|rank| rank.concat()).join("/");
        let turn = if turn == Color::White { "w" } else { "b" };
        // FEN joins neighbouring empty squares.
        let ranks = (2..=8).rev().fold(ranks, |text, run| text.replace(&"1".repeat(run), &run.to_string()));
        Position::from_fen(&format!("{ranks} {turn} - - {clock} 80")).unwrap()
    }

    /// The placement of a position.
    pub fn of(position: &Position, kind: PieceKind) -> Option<Placement> {
        let piece = position.pieces(Color::White, kind).first()?;
        let [white_king, black_king] = [Color::White, Color::Black].map(|color| position.king(color));
        Some(Placement { white_king, piece, black_king })
    }
}

impl LoneKing {
    /// Solves the ending.
    pub fn solve(kind: PieceKind) -> LoneKing {
        let unknown = vec![None; 64 * 64 * 64];
        let mut ending = LoneKing { kind, white_to_move: unknown.clone(), black_to_move: unknown };
        let mut queue = VecDeque::new();
        for placement in Placement::all().filter(|placement| placement.is_check(kind)) {
            if placement.black_moves(kind).is_some_and(|moves| moves.is_empty()) {
                ending.black_to_move[placement.index()] = Some(0);
                queue.push_back((Color::Black, placement, 0));
            }
        }
        // Shorter mates come first, so that the first value is the best for White and the last for Black.
        while let Some((turn, placement, plies)) = queue.pop_front() {
            let before: Vec<Placement> = match turn {
                Color::Black => placement.before_white(kind).collect(),
                Color::White => placement.before_black().filter(|before| ending.is_lost(*before)).collect(),
            };
            for placement in before {
                let known = ending.values_mut(!turn);
                if known[placement.index()].is_none() {
                    known[placement.index()] = Some(plies + 1);
                    queue.push_back((!turn, placement, plies + 1));
                }
            }
        }
        ending
    }

    /// Plies to mate; `None` in a draw.
    pub fn plies(&self, placement: Placement, turn: Color) -> Option<u8> {
        let values = if turn == Color::White { &self.white_to_move } else { &self.black_to_move };
        values[placement.index()]
    }

    fn values_mut(&mut self, turn: Color) -> &mut Vec<Option<u8>> {
        if turn == Color::White { &mut self.white_to_move } else { &mut self.black_to_move }
    }

    /// Whether every black move leads to a placement already known as won.
    fn is_lost(&self, placement: Placement) -> bool {
        let is_won = |after: &Placement| self.white_to_move[after.index()].is_some();
        placement.black_moves(self.kind).is_some_and(|moves| moves.iter().all(is_won))
    }
}
