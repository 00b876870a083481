//! Correction history: the average error of the static evaluation in positions with the same pawns, or with the same
//! pieces of one side (Chess Programming Wiki, "Static Evaluation Correction History").

use super::params;
use crate::{Depth, Value};
use chess::{Color, PieceKind, Position};

/// Entries per table and side to move, a power of two.
const ENTRIES: usize = 1 << 14;
/// The largest absolute value of an entry; bonuses shrink as an entry nears it.
const MAX_ENTRY: i32 = 1024;
/// The tables: by pawns, by White's pieces, by Black's pieces.
const TABLES: usize = 3;

/// Three tables, each by side to move. A correction is the sum of one entry of each.
#[derive(Debug)]
pub struct CorrectionHistory([[Box<[i16]>; 2]; TABLES]);

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        CorrectionHistory::new()
    }
}

impl CorrectionHistory {
    pub fn new() -> CorrectionHistory {
        CorrectionHistory([(); TABLES].map(|()| [0, 1].map(|_| vec![0; ENTRIES].into_boxed_slice())))
    }

    pub fn clear(&mut self) {
        self.0.as_flattened_mut().iter_mut().for_each(|side| side.fill(0));
    }

    /// The evaluation plus its correction.
    pub fn corrected(&self, position: &Position, eval: Value) -> Value {
        let side = position.side_to_move().index();
        let entries = self.0.iter().zip(indices(position));
        let sum: i32 = entries.map(|(table, index)| i32::from(table[side][index])).sum();
        (eval + sum / params::correction_grain()).clamp_to_eval()
    }

    /// A search to `depth` returned `value`; the corrected evaluation was `eval`.
    pub fn update(&mut self, position: &Position, depth: Depth, eval: Value, value: Value) {
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

fn indices(position: &Position) -> [usize; TABLES] {
    let pawns = position.pawn_key().bits() as usize % ENTRIES;
    [pawns, pieces_index(position, Color::White), pieces_index(position, Color::Black)]
}

/// Hashes the squares of a side's pieces other than pawns. Cheap enough to compute at each node.
fn pieces_index(position: &Position, color: Color) -> usize {
    /// Odd numbers without a pattern: the fractions of the square roots of 2, 3, 5, 7 and 11.
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
