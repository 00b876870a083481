//! Sliding attacks by PEXT: the instruction gathers the occupation of the relevant squares into an index.

use super::super::{Bitboard, Square};
use super::ray;
use super::slider::{BISHOP_ENTRIES, ROOK_ENTRIES, Slice, fill, slices};

static ROOK_SLICES: [Slice; 64] = slices(ray::ROOK);
static BISHOP_SLICES: [Slice; 64] = slices(ray::BISHOP);
static ROOK_ATTACKS: [Bitboard; ROOK_ENTRIES] = fill(ray::ROOK);
static BISHOP_ATTACKS: [Bitboard; BISHOP_ENTRIES] = fill(ray::BISHOP);

#[inline]
#[expect(
    unsafe_code,
    reason = "measured on Zen 3: perft is 4 to 5% faster than with magics; the instruction has no safe form here"
)]
fn look_up(table: &[Bitboard], slice: Slice, occupied: Bitboard) -> Bitboard {
    // SAFETY: this file is only compiled where every processor that runs it has BMI2.
    let index = unsafe { std::arch::x86_64::_pext_u64(occupied.bits(), slice.relevant.bits()) };
    table[slice.start as usize + index as usize]
}

/// The squares a rook attacks on a board with these squares occupied.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&ROOK_ATTACKS, ROOK_SLICES[square.index()], occupied)
}

/// The squares a bishop attacks on a board with these squares occupied.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&BISHOP_ATTACKS, BISHOP_SLICES[square.index()], occupied)
}

#[cfg(test)]
mod tests {
    use super::super::slider::next_subset;
    use super::super::{magic, ray};
    use super::*;

    #[test]
    fn pext_magics_and_rays_agree_on_every_occupation() {
        for square in Square::all() {
            for (directions, by_pext, by_magic) in [
                (ray::ROOK, rook as fn(Square, Bitboard) -> Bitboard, magic::rook as fn(_, _) -> _),
                (ray::BISHOP, bishop, magic::bishop),
            ] {
                let relevant = ray::relevant(square, directions);
                let mut subset = 0_u64;
                loop {
                    // What stands on the other squares must not matter.
                    let others = Bitboard::new(subset.wrapping_mul(0x9E37_79B9_7F4A_7C15)) & !relevant;
                    let occupied = Bitboard::new(subset) | others;
                    let expected = ray::attacks(square, directions, occupied);
                    assert_eq!(by_pext(square, occupied), expected, "{square} {occupied:?}");
                    assert_eq!(by_magic(square, occupied), expected, "{square} {occupied:?}");
                    subset = next_subset(subset, relevant.bits());
                    if subset == 0 {
                        break;
                    }
                }
            }
        }
    }
}
