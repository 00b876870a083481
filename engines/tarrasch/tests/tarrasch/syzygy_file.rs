//! The endings of king and queen, or king and rook, against king by retrograde analysis, and the Syzygy files that they
//! make.

use std::collections::VecDeque;
use std::path::Path;

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

    pub fn of(position: &Position, kind: PieceKind) -> Option<Placement> {
        let piece = position.pieces(Color::White, kind).first()?;
        let [white_king, black_king] = [Color::White, Color::Black].map(|color| position.king(color));
        Some(Placement { white_king, piece, black_king })
    }
}

impl LoneKing {
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

const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];
/// Placements of three different pieces, up to symmetry.
const PLACES: usize = 31_332;
/// The binary logarithm of the size of a block in bytes.
const BLOCK_BITS: u8 = 10;
const BLOCK: usize = 1 << BLOCK_BITS;
/// The binary logarithms of the bits of a code: two for three outcomes, four for sixteen distances.
const WDL_CODE: u8 = 1;
const DTZ_CODE: u8 = 2;
/// A table that tells plies, not moves, where the side to move wins.
const WIN_PLIES: u8 = 4;

/// Writes both tables of the ending into a folder.
pub fn write(ending: &LoneKing, folder: &Path) {
    let sides = [Color::White, Color::Black].map(|turn| values(ending, turn));
    let [won, lost] = [4, 0];
    let outcomes = [(&sides[0], won), (&sides[1], lost)].map(|(side, decided)| {
        let outcome = |plies: &Option<u8>| if plies.is_some() { decided } else { 2 };
        side.iter().map(outcome).collect::<Vec<u8>>()
    });
    let distances = sides[0].iter().map(|plies| plies.map_or(0, |plies| plies - 1)).collect();
    let name = if ending.kind == PieceKind::Queen { "KQvK" } else { "KRvK" };
    let file = |ending| folder.join(name).with_extension(ending);
    std::fs::write(file("rtbw"), table(WDL_MAGIC, ending.kind, 0, WDL_CODE, &outcomes)).unwrap();
    std::fs::write(file("rtbz"), table(DTZ_MAGIC, ending.kind, WIN_PLIES, DTZ_CODE, &[distances])).unwrap();
}

/// The plies to mate in the order of the places.
fn values(ending: &LoneKing, turn: Color) -> Vec<Option<u8>> {
    let mut values = vec![None; PLACES];
    for placement in Placement::all() {
        let plies = ending.plies(placement, turn);
        // A placement with both kings on the diagonal shares its place with its mirror image, which is as good.
        values[place(placement)] = plies;
    }
    values
}

/// The place of a placement among those of three different pieces.
fn place(placement: Placement) -> usize {
    let squares = [placement.white_king, placement.piece, placement.black_king];
    let squares = in_standard_view(squares.map(Square::index));
    let [rank_0, rank_1, rank_2] = squares.map(rank);
    let [_, first, second] = squares;
    let before_1 = usize::from(squares[0] < first);
    let before_2 = usize::from(squares[0] < second) + usize::from(first < second);
    // The first piece off the diagonal has the lower half to itself; behind it everything is free.
    let is_off = |square: &usize| file(*square) != rank(*square);
    let sections = [0, 6 * 63 * 62, 4 * 28 * 62, 4 * 7 * 28];
    let section = squares.iter().position(is_off).unwrap_or(3);
    let within = match section {
        0 => {
            ([0, 3, 5][rank_0] + file(squares[0]) - rank_0 - 1) * 63 * 62 + (first - before_1) * 62 + second
                - before_2
        }
        1 => rank_0 * 28 * 62 + below_diagonal(first) * 62 + second - before_2,
        2 => rank_0 * 7 * 28 + (rank_1 - before_1) * 28 + below_diagonal(second),
        _ => rank_0 * 7 * 6 + (rank_1 - before_1) * 6 + rank_2 - before_2,
    };
    sections[..=section].iter().sum::<usize>() + within
}

/// The board turned so that the first piece stands in the lower left quarter, and the first that is not on its diagonal
/// stands below it.
fn in_standard_view(mut squares: [usize; 3]) -> [usize; 3] {
    if file(squares[0]) > 3 {
        squares = squares.map(|square| square ^ 7);
    }
    if rank(squares[0]) > 3 {
        squares = squares.map(|square| square ^ 0x38);
    }
    let off = squares.iter().find(|&&square| file(square) != rank(square));
    match off {
        Some(&square) if rank(square) > file(square) => squares.map(|square| file(square) * 8 + rank(square)),
        _ => squares,
    }
}

fn file(square: usize) -> usize {
    square % 8
}

fn rank(square: usize) -> usize {
    square / 8
}

/// The number of a square among the 28 below the diagonal.
fn below_diagonal(square: usize) -> usize {
    let (file, rank) = (file(square), rank(square));
    (0..rank).map(|lower| 7 - lower).sum::<usize>() + file - rank - 1
}

/// A file with the values of one or two sides to move.
fn table(magic: [u8; 4], kind: PieceKind, flags: u8, code: u8, sides: &[Vec<u8>]) -> Vec<u8> {
    let piece = if kind == PieceKind::Queen { 5 } else { 4 };
    let mut bytes = magic.to_vec();
    // The sides differ in material; the pieces come in this order, king, piece and the other king, for both to move.
    bytes.extend([1, 0]);
    bytes.extend([6, piece, 14].map(|piece| piece | piece << 4));
    pad(&mut bytes, 2);
    for side in sides {
        header(&mut bytes, flags, code, side);
    }
    let codes = (BLOCK * 8) >> code;
    let blocks = PLACES.div_ceil(codes);
    for _ in sides {
        for block in 0..blocks as u32 {
            // The middle of each span, which here is that of a block.
            bytes.extend(block.to_le_bytes());
            bytes.extend((codes as u16 / 2).to_le_bytes());
        }
    }
    for side in sides {
        bytes.extend(side.chunks(codes).flat_map(|block| (block.len() as u16 - 1).to_le_bytes()));
    }
    for side in sides {
        pad(&mut bytes, 64);
        let first = bytes.len();
        let per_byte = 8 >> code;
        // All values are even.
        let join = |byte: u8, value: &u8| byte << (1 << code) | value / 2;
        bytes.extend(side.chunks_exact(per_byte).map(|values| values.iter().fold(0, join)));
        bytes.resize(first + blocks * BLOCK, 0);
    }
    // An unused checksum.
    bytes.extend([0; 16]);
    bytes
}

/// How the values of one side are compressed: a span has as many values as a block, and all codes have the same length.
fn header(bytes: &mut Vec<u8>, flags: u8, code: u8, values: &[u8]) {
    let symbols = values.iter().max().map_or(0, |&value| u16::from(value) / 2 + 1);
    let codes_bits = BLOCK_BITS + 3 - code;
    bytes.extend([flags, BLOCK_BITS, codes_bits, 0]);
    bytes.extend((PLACES.div_ceil(1 << codes_bits) as u32).to_le_bytes());
    bytes.extend([1 << code, 1 << code, 0, 0]);
    bytes.extend(symbols.to_le_bytes());
    for symbol in 0..symbols {
        // A value in twelve bits, and twelve ones for "no pair of symbols".
        bytes.extend([2 * symbol as u8, 0xf0, 0xff]);
    }
    pad(bytes, 2);
}

fn pad(bytes: &mut Vec<u8>, unit: usize) {
    bytes.resize(bytes.len().next_multiple_of(unit), 0);
}
