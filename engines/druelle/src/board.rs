//! Squares of the board, and pieces, which know their square and their player (section 3.6.1).

use std::fmt;

use chess::{Color, File, PieceKind, Rank};

/// Column and line, both 0 to 7. Squares are ordered by column, then by line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    pub column: i8,
    pub line: i8,
}

impl Square {
    pub const fn new(column: i8, line: i8) -> Square {
        Square { column, line }
    }

    /// The square named by a text such as `e4` or `E4`.
    pub fn from_text(text: &str) -> Option<Square> {
        text.to_ascii_lowercase().parse::<chess::Square>().ok().map(Square::from)
    }

    /// The square this many columns and lines away, if it is on the board.
    pub fn offset(self, (columns, lines): (i8, i8)) -> Option<Square> {
        let (column, line) = (self.column + columns, self.line + lines);
        let is_on_board = (0..8).contains(&column) && (0..8).contains(&line);
        is_on_board.then_some(Square { column, line })
    }

    /// An index from 0 to 63, for tables.
    pub const fn index(self) -> usize {
        (self.column * 8 + self.line) as usize
    }
}

impl From<chess::Square> for Square {
    fn from(square: chess::Square) -> Square {
        Square::new(square.file() as i8, square.rank() as i8)
    }
}

impl From<Square> for chess::Square {
    fn from(square: Square) -> chess::Square {
        chess::Square::new(File::ALL[square.column as usize], Rank::ALL[square.line as usize])
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        chess::Square::from(*self).fmt(f)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The column of the king before castling; below, the columns of the rooks on the king's and on the queen's side.
pub const KING_COLUMN: i8 = 4;
pub const ROOK_COLUMNS: [i8; 2] = [7, 0];

/// The line at this distance from the player's first line, counted from 0.
pub const fn line_of(side: Color, from_own: i8) -> i8 {
    match side {
        Color::White => from_own,
        Color::Black => 7 - from_own,
    }
}

/// The place of a kind in the canonical text: king, queen, bishop, rook, knight, pawn.
pub const fn place(kind: PieceKind) -> usize {
    [5, 4, 2, 3, 1, 0][kind.index()]
}

/// The value in centipawns (section 2.4 gives no figures). The king is never lost, so it counts nothing.
pub const fn value(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::King => 0,
        PieceKind::Queen => 900,
        PieceKind::Rook => 500,
        PieceKind::Bishop | PieceKind::Knight => 300,
        PieceKind::Pawn => 100,
    }
}

/// The initial of the French name: roi, dame, fou, tour, cavalier; none for a pawn.
pub const fn initial(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::King => "R",
        PieceKind::Queen => "D",
        PieceKind::Bishop => "F",
        PieceKind::Rook => "T",
        PieceKind::Knight => "C",
        PieceKind::Pawn => "",
    }
}

/// The index of a piece in [`Game`](super::game::Game), instead of the document's pointers to pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceId(pub u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Changes when a pawn promotes.
    pub kind: PieceKind,
    /// The square where the piece stands, or stood when it was captured.
    pub square: Square,
    pub owner: Color,
}

impl From<(chess::Square, chess::Piece)> for Piece {
    fn from((square, piece): (chess::Square, chess::Piece)) -> Piece {
        Piece { kind: piece.kind, square: square.into(), owner: piece.color }
    }
}

impl From<Piece> for chess::Piece {
    fn from(piece: Piece) -> chess::Piece {
        chess::Piece { color: piece.owner, kind: piece.kind }
    }
}
