//! The lines that a slider moves along, and where their squares lie in four rotated boards (§3.1.3).
//!
//! In each of the four boards the squares are numbered so that those of one line follow each other: the occupancy of a
//! line is then a shift and a mask, and what a slider attacks along it is one look-up. The document has eight entries a
//! table for ranks and files and shifts the result; here all four directions are alike, by square.

use std::sync::LazyLock;

use chess::{Bitboard, Square};

/// The four directions of lines, and the four rotated boards.
#[derive(Clone, Copy, Debug)]
pub enum Direction {
    /// From left to right: the board as it is.
    Rank,
    /// Upwards: the board mirrored at the diagonal from a1 to h8.
    File,
    /// As from a1 to h8.
    Diagonal,
    /// As from a8 to h1.
    Antidiagonal,
}

impl Direction {
    /// All four; the first two are a rook's, the others a bishop's.
    pub const ALL: [Direction; 4] =
        [Direction::Rank, Direction::File, Direction::Diagonal, Direction::Antidiagonal];
    /// The lines of a rook.
    pub const STRAIGHT: [Direction; 2] = [Direction::Rank, Direction::File];
    /// The lines of a bishop.
    pub const DIAGONAL: [Direction; 2] = [Direction::Diagonal, Direction::Antidiagonal];

    /// A number for each line of this direction, and the place of a square along its line.
    fn line_and_place(self, square: Square) -> (usize, usize) {
        let (file, rank) = (square.file().index(), square.rank().index());
        match self {
            Direction::Rank => (rank, file),
            Direction::File => (file, rank),
            Direction::Diagonal => (7 + file - rank, file),
            Direction::Antidiagonal => (file + rank, file),
        }
    }
}

/// One rotated board, and the attacks along its lines.
struct Rotated {
    /// The bit of each square.
    bit: [u8; 64],
    /// How far the line of each square is to be shifted down.
    shift: [u8; 64],
    /// The bits of the line of each square, once shifted down.
    mask: [u8; 64],
    /// The squares attacked from each square, by the occupancy of its line.
    attacks: Vec<[u64; 256]>,
}

static BOARDS: LazyLock<[Rotated; 4]> = LazyLock::new(|| Direction::ALL.map(Rotated::new));

impl Rotated {
    fn new(direction: Direction) -> Rotated {
        let mut rotated =
            Rotated { bit: [0; 64], shift: [0; 64], mask: [0; 64], attacks: vec![[0; 256]; 64] };
        let mut first_bit = 0;
        for number in 0..15 {
            let mut line: Vec<Square> =
                Square::all().filter(|&square| direction.line_and_place(square).0 == number).collect();
            line.sort_by_key(|&square| direction.line_and_place(square).1);
            for (place, &square) in line.iter().enumerate() {
                rotated.bit[square.index()] = (first_bit + place) as u8;
                rotated.shift[square.index()] = first_bit as u8;
                rotated.mask[square.index()] = ((1_u16 << line.len()) - 1) as u8;
                for occupancy in 0..1 << line.len() {
                    rotated.attacks[square.index()][occupancy] = attacked(&line, place, occupancy);
                }
            }
            first_bit += line.len();
        }
        rotated
    }
}

/// The squares of a line that a slider on the one at `place` attacks: in both directions up to the first piece.
fn attacked(line: &[Square], place: usize, occupancy: usize) -> u64 {
    let up_to_first = |places: &mut dyn Iterator<Item = usize>| {
        let mut set = 0;
        for place in places {
            set |= line[place].bitboard().bits();
            if occupancy & 1 << place != 0 {
                break;
            }
        }
        set
    };
    up_to_first(&mut (place + 1..line.len())) | up_to_first(&mut (0..place).rev())
}

/// The bit of a square in a rotated board.
pub fn bit(direction: Direction, square: Square) -> u64 {
    1 << BOARDS[direction as usize].bit[square.index()]
}

/// The squares that a slider attacks along one line, on a rotated board with these bits occupied.
pub fn attacks(direction: Direction, square: Square, occupied: u64) -> Bitboard {
    let rotated = &BOARDS[direction as usize];
    let index = square.index();
    let occupancy = (occupied >> rotated.shift[index]) as u8 & rotated.mask[index];
    Bitboard::new(rotated.attacks[index][usize::from(occupancy)])
}
