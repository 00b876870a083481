//! Sliding attacks by magic multiplication: the occupied relevant squares times the magic number give an index in the
//! top bits of the product. Two occupations may share an index only if they have the same attacks.
//!
//! Each magic is the first that maps all occupations of its square without a clash, of these candidates: three draws
//! from `SplitMix64` joined by AND, so that few bits are set. The seed is the index of the square plus one.

use super::super::{Bitboard, Square};
use super::ray::{self, BISHOP_ENTRIES, ROOK_ENTRIES, Slice, fill, next_subset, slices};

static ROOK_SLICES: [Slice; 64] = slices(ray::ROOK);
static BISHOP_SLICES: [Slice; 64] = slices(ray::BISHOP);
static ROOK_ATTACKS: [Bitboard; ROOK_ENTRIES] = spread(ray::ROOK, &ROOK_MAGICS);
static BISHOP_ATTACKS: [Bitboard; BISHOP_ENTRIES] = spread(ray::BISHOP, &BISHOP_MAGICS);

/// The index of an occupation of the relevant squares within its slice.
const fn place(magic: u64, slice: Slice, occupied: u64) -> usize {
    (occupied.wrapping_mul(magic) >> (64 - slice.bits)) as usize
}

/// The attacks of [`fill`], each stored at its magic index.
const fn spread<const ENTRIES: usize>(directions: [usize; 4], magics: &[u64; 64]) -> [Bitboard; ENTRIES] {
    let ordered: [Bitboard; ENTRIES] = fill(directions);
    let slices = slices(directions);
    let mut table = [Bitboard::EMPTY; ENTRIES];
    let mut entry = 0;
    let mut square = 0;
    while square < 64 {
        let slice = slices[square];
        let start = slice.start as usize;
        let relevant = slice.relevant.bits();
        let mut occupied = 0;
        loop {
            table[start + place(magics[square], slice, occupied)] = ordered[entry];
            entry += 1;
            occupied = next_subset(occupied, relevant);
            if occupied == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

#[inline]
fn look_up(table: &[Bitboard], slice: Slice, magic: u64, occupied: Bitboard) -> Bitboard {
    table[slice.start as usize + place(magic, slice, (occupied & slice.relevant).bits())]
}

/// The squares a rook attacks on a board with these squares occupied.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let index = square.index();
    look_up(&ROOK_ATTACKS, ROOK_SLICES[index], ROOK_MAGICS[index], occupied)
}

/// The squares a bishop attacks on a board with these squares occupied.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let index = square.index();
    look_up(&BISHOP_ATTACKS, BISHOP_SLICES[index], BISHOP_MAGICS[index], occupied)
}

/// One magic per square, from a1 to h8.
const ROOK_MAGICS: [u64; 64] = [
    0x2080_0240_0022_8050, 0x0040_0010_0040_2008, 0xA200_0830_8042_0120, 0x0200_0841_0420_1200,
    0x2200_0600_0410_2008, 0x8200_4814_1001_0600, 0x4400_0098_0410_4603, 0xA100_1023_0001_C882,
    0xC082_8000_C000_8060, 0x0000_8020_0880_4000, 0x0820_8020_0188_1000, 0x0C8E_0020_9042_0038,
    0x0A02_8080_0800_0400, 0x0016_0004_0200_1009, 0xA022_0002_0018_2504, 0x0004_8020_5300_0080,
    0x00C0_0080_0060_4281, 0x0120_8180_4000_2000, 0x0088_5200_4062_0080, 0x1848_8080_0805_1000,
    0x0004_0080_0508_0080, 0x0231_0100_020C_0028, 0x0102_0400_5022_0831, 0x1010_0600_008B_1044,
    0x0080_0040_4000_2000, 0x0021_0821_0040_0082, 0x0060_0091_0041_0164, 0x8000_0800_8010_0082,
    0x0002_8800_8080_0C00, 0x8002_0056_0011_4408, 0x0023_0001_0022_0084, 0x0000_0902_0004_8164,
    0x0003_4000_8080_1060, 0x0380_4220_0040_1000, 0x0400_6240_8200_1202, 0x4006_0800_8080_1000,
    0x4586_0400_8080_2800, 0x8100_800E_0080_0400, 0x0414_6681_2400_3008, 0x0089_0C90_4600_0401,
    0x2004_C014_A280_8000, 0x0010_0820_0044_4000, 0x0001_0450_2001_0040, 0x0082_1001_005B_0020,
    0x0010_8800_0501_0010, 0x1446_0010_2402_0008, 0x004A_0948_0224_0010, 0x1905_0482_4102_0004,
    0x8001_4181_0200_6200, 0x0180_4009_2002_8080, 0x0310_2000_1000_8080, 0x0000_8110_0508_0080,
    0x0408_0098_0400_8080, 0x0840_8022_0024_0080, 0x0802_0008_4C09_4200, 0x0200_8009_0000_5A80,
    0x0213_0140_8200_6212, 0x4030_1900_4004_80A1, 0x0008_3040_8022_000A, 0x0000_1000_A820_0501,
    0x4042_0048_1004_2002, 0x0011_0024_0072_4821, 0x0000_1008_4102_0084, 0x0100_4240_8418_2102,
];

/// One magic per square, from a1 to h8.
const BISHOP_MAGICS: [u64; 64] = [
    0x4002_1410_0208_4100, 0x0004_0828_02C0_810A, 0x0014_0802_1340_0020, 0x0404_0C00_9844_0440,
    0x8001_1040_3400_40A0, 0x0040_8220_A040_2A00, 0x04C2_0504_8A40_0050, 0x0202_0020_9888_0901,
    0x0100_1104_0880_8400, 0x8080_0405_0244_030A, 0x2810_1000_8089_0400, 0x0000_0444_0281_A108,
    0x0000_0848_4001_2000, 0x0010_1208_2208_0400, 0x0020_0441_0420_A000, 0x0008_1041_0828_0212,
    0x2044_4C08_1030_6210, 0x0114_0612_A832_0C14, 0x4410_0301_0241_8500, 0x0801_0420_2041_8000,
    0x0000_8094_00A0_9001, 0x1105_0002_0142_1261, 0x9C08_5842_0202_2000, 0x4888_4000_8044_1010,
    0x0005_1138_2020_0100, 0x0808_2000_8431_060A, 0x4004_0204_1000_A040, 0x2202_1008_0800_8020,
    0x4000_8402_0080_2004, 0x5010_0080_2100_80A2, 0x3028_1108_1288_8820, 0x0102_0080_004C_0080,
    0x9102_2020_0012_2228, 0x0004_0221_0008_8903, 0x0006_0801_0206_0208, 0x4002_0040_4004_0100,
    0x2290_0600_200E_0068, 0x2820_0244_1002_8200, 0x1002_2200_40A4_0401, 0x082A_0202_0000_2280,
    0x2801_0808_0401_4002, 0x0008_4210_4400_1020, 0x0840_1210_8800_3008, 0x0050_0202_1404_4200,
    0x0021_0809_0244_0402, 0x4040_0181_9100_2480, 0x0002_0808_0101_1082, 0x2006_040C_118C_02E0,
    0x4062_080C_0258_0302, 0x0385_0C02_0202_0000, 0x0020_8042_00D0_0000, 0x0140_4004_2088_0800,
    0x8401_0210_4202_0024, 0x8010_4084_0814_8804, 0x0004_0910_0400_8111, 0x000A_2404_0AA2_0100,
    0x0000_C222_0820_0400, 0x0005_0342_0804_0220, 0x0950_0012_0182_2100, 0x0020_4010_0020_8800,
    0x2140_0210_2002_4400, 0x4000_0020_2401_1202, 0x2008_20A0_4301_0112, 0x0811_1002_0093_6200,
];
