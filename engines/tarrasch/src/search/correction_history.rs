//! How far the static evaluation was off in positions that have something in common: the same pawns, or the same pieces
//! of one side (Chess Programming Wiki, "Static Evaluation Correction History").

use super::params;
use crate::{Depth, Value};
use chess::{Color, PieceKind, Position};

/// Entries of a table for each side to move, a power of two.
const ENTRIES: usize = 1 << 14;
/// An entry of this size stands for the largest correction; it learns ever more slowly as it comes near.
const MAX_ENTRY: i32 = 1024;
/// The pawns, White's pieces, Black's pieces.
const TABLES: usize = 3;

/// What to add to the evaluation: one part each for the pawns and for the pieces of either side, by the side to move.
#[derive(Debug)]
pub struct CorrectionHistory([[Box<[i16]>; 2]; TABLES]);

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        CorrectionHistory::new()
    }
}

impl CorrectionHistory {
    /// No errors known.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory([(); TABLES].map(|()| [0, 1].map(|_| vec![0; ENTRIES].into_boxed_slice())))
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.0.as_flattened_mut().iter_mut().for_each(|side| side.fill(0));
    }

    /// The evaluation less the error that is expected.
    pub fn corrected(&self, position: &Position, eval: Value) -> Value {
        let side = position.side_to_move().index();
        let entries = self.0.iter().zip(indices(position));
        let sum: i32 = entries.map(|(table, index)| i32::from(table[side][index])).sum();
        (eval + sum / params::correction_grain()).clamp_to_eval()
    }

    /// A search to `depth` found `value` where the corrected evaluation said `eval`.
    pub fn learn(&mut self, position: &Position, depth: Depth, eval: Value, value: Value) {
        let side = position.side_to_move().index();
        let bonus = ((value - eval) * depth.get() / params::correction_full_depth())
            .clamp(-MAX_ENTRY / 4, MAX_ENTRY / 4);
        for (table, index) in self.0.iter_mut().zip(indices(position)) {
            let entry = &mut table[side][index];
            let now = i32::from(*entry);
            *entry = (now + bonus - now * bonus.abs() / MAX_ENTRY) as i16;
        }
    }
}

/// The place of the position in each table.
fn indices(position: &Position) -> [usize; TABLES] {
    let pawns = position.pawn_key().bits() as usize % ENTRIES;
    [pawns, pieces_index(position, Color::White), pieces_index(position, Color::Black)]
}

/// Hashes the squares of a side's pieces, pawns aside: cheap enough to need no key that is kept with the position.
fn pieces_index(position: &Position, color: Color) -> usize {
    /// Any odd numbers without a pattern: the fractions of the square roots of 2, 3, 5, 7 and 11.
    const FACTORS: [(PieceKind, u64); 5] = [
        (PieceKind::Knight, 0x6A09_E667_F3BC_C909),
        (PieceKind::Bishop, 0xBB67_AE85_84CA_A73B),
        (PieceKind::Rook, 0x3C6E_F372_FE94_F82B),
        (PieceKind::Queen, 0xA54F_F53A_5F1D_36F1),
        (PieceKind::King, 0x510E_527F_ADE6_82D1),
    ];
    let hashed = |(kind, factor)| position.pieces(color, kind).bits().wrapping_mul(factor);
    let hash = FACTORS.into_iter().map(hashed).fold(0u64, |sum, hash| sum.rotate_left(7) ^ hash);
    (hash >> (u64::BITS - ENTRIES.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_repeat_are_corrected_within_limits() {
        let position = Position::start();
        let mut history = CorrectionHistory::new();
        let eval = Value::new(10);
        assert_eq!(history.corrected(&position, eval), eval);
        history.learn(&position, Depth::new(8), eval, Value::new(400));
        let once = history.corrected(&position, eval);
        assert!(once > eval);
        for _ in 0..1000 {
            history.learn(&position, Depth::new(8), eval, Value::new(400));
        }
        assert!(history.corrected(&position, eval) > once);
        assert!(
            history.corrected(&position, eval) - eval
                <= TABLES as i32 * MAX_ENTRY / params::correction_grain()
        );
        history.clear();
        assert_eq!(history.corrected(&position, eval), eval);
    }

    #[test]
    fn what_was_learnt_of_the_pawns_holds_for_other_pieces_and_the_other_way_round() {
        let fens = ["4k3/3p4/8/8/8/2N5/3P4/4K3 w - - 0 1", "3k4/3p4/8/8/8/2B5/3P4/3K4 w - - 0 1"];
        let [one, same_pawns] = fens.map(|fen| Position::from_fen(fen).unwrap());
        let same_pieces = Position::from_fen("4k3/8/8/8/8/2N5/8/4K3 w - - 0 1").unwrap();
        let other = Position::from_fen("5k2/2p5/8/8/8/2R5/8/2K5 w - - 0 1").unwrap();
        let mut history = CorrectionHistory::new();
        history.learn(&one, Depth::new(8), Value::DRAW, Value::new(200));
        let correction = |position| history.corrected(position, Value::DRAW).get();
        assert!(correction(&one) > correction(&same_pawns) && correction(&same_pawns) > 0);
        assert!(correction(&one) > correction(&same_pieces) && correction(&same_pieces) > 0);
        assert_eq!(correction(&other), 0);
    }
}
