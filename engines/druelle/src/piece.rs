//! A piece, which knows its square and its player (section 3.6.1).

use super::side::Side;
use super::square::Square;

/// The kinds of pieces, in the order of the canonical text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Roi.
    King,
    /// Dame.
    Queen,
    /// Fou.
    Bishop,
    /// Tour.
    Rook,
    /// Cavalier.
    Knight,
    /// Pion.
    Pawn,
}

impl Kind {
    /// All kinds in the order of the canonical text.
    pub const ALL: [Kind; 6] = [Kind::King, Kind::Queen, Kind::Bishop, Kind::Rook, Kind::Knight, Kind::Pawn];

    /// What it is worth, in centipawns (section 2.4, which gives no figures). The king is never lost, so nothing is
    /// counted for it.
    pub const fn value(self) -> i32 {
        match self {
            Kind::King => 0,
            Kind::Queen => 900,
            Kind::Rook => 500,
            Kind::Bishop | Kind::Knight => 300,
            Kind::Pawn => 100,
        }
    }

    /// The French initial; a pawn has none.
    pub const fn initial(self) -> &'static str {
        match self {
            Kind::King => "R",
            Kind::Queen => "D",
            Kind::Bishop => "F",
            Kind::Rook => "T",
            Kind::Knight => "C",
            Kind::Pawn => "",
        }
    }

    /// The small letter that FEN and the protocol have for it.
    pub const fn letter(self) -> char {
        match self {
            Kind::King => 'k',
            Kind::Queen => 'q',
            Kind::Bishop => 'b',
            Kind::Rook => 'r',
            Kind::Knight => 'n',
            Kind::Pawn => 'p',
        }
    }

    /// What a small letter of FEN stands for.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

/// Where a piece is in [`Game`](super::game::Game): what the document's pointers to pieces are here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceId(pub u8);

/// A piece of the game, on the board or taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What it is; a pawn can become something else.
    pub kind: Kind,
    /// Where it stands, or stood when it was taken.
    pub square: Square,
    /// Whose it is.
    pub owner: Side,
}
