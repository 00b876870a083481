//! The file of a network.
//!
//! Integers are little-endian. In this order:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `TarrNNUE` |
//! | 2 | the version of the format, 2 |
//! | 2 | N, a multiple of 64 |
//! | 2 | 1 if the board is mirrored for a king on the files e to h, else 0 |
//! | 2 | U, which means 1 in the output weights |
//! | 4 | an output of 1 in hundredths of a centipawn |
//! | 4 | zeros |
//! | 8 | the checksum of all other bytes: FNV-1a with 64 bits |
//! | 2 · 768 · N | the rows of the inputs, signed, in units of 1 / 255 |
//! | 2 · N | the biases, likewise |
//! | 2 · 2 · N | 8 times: output weights, signed, in units of 1 / U, within ±127: for the side to move, then for its opponent |
//! | 4 · 8 | the biases of the outputs, signed, in units of 1 / (255 · U) |

use std::path::Path;
use std::{array, fs};

use thiserror::Error;

use super::accumulators::{BUCKETS, FEATURES};
use super::{Network, TILE, Tile};

const MAGIC: [u8; 8] = *b"TarrNNUE";
const VERSION: u16 = 2;
const HEADER_BYTES: usize = 32;
const CHECKSUM_AT: usize = 24;

/// The largest N.
pub const WIDEST: usize = 1024;
/// The largest bias or weight of a row: a sum of 33 of them fits into 16 bits.
const LARGEST_ROW_WEIGHT: i16 = i16::MAX / 33;
/// The largest weight of an output: its product with a clipped sum fits into 16 bits.
pub const LARGEST_OUTPUT_WEIGHT: i16 = 127;

/// Why the bytes are not a network.
#[derive(Debug, Error)]
pub enum NetworkError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error("expected a network of Tarrasch, which begins with TarrNNUE")]
    Magic,
    #[error("expected version {VERSION} of the format, found {0}")]
    Version(u16),
    #[error("expected a width that is a multiple of {TILE} up to {WIDEST}, found {0}")]
    Width(u16),
    #[error("expected {expected} bytes, found {found}")]
    Size { expected: usize, found: usize },
    #[error("the checksum is not that of the bytes: the file is damaged")]
    Checksum,
    /// A weight is so large that a sum could overflow.
    #[error("weight {0} is out of range")]
    Weight(i16),
    /// A field has an unknown value.
    #[error(
        "expected 0 or 1 for mirroring, a unit of at least 1 and a scale from 1 to 1000000, found {0}, {1} and {2}"
    )]
    Header(u16, u16, u32),
}

/// The numbers of a network, each list in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkWeights {
    /// Whether the board is mirrored for a king on the files e to h.
    pub mirrors: bool,
    /// An output of 1 in hundredths of a centipawn.
    pub scale: u32,
    /// The rows of the inputs: [`FEATURES`] times the width.
    pub rows: Vec<i16>,
    /// The biases of the accumulator: N.
    pub biases: Vec<i16>,
    /// The output weights, 2 · N for each of the [`BUCKETS`]: for the side to move, then for its opponent.
    pub outputs: Vec<i16>,
    /// The number that represents 1 in the output weights, which are at most 127. A larger unit makes them finer.
    pub output_unit: u16,
    /// The bias of each output, in units of 1 / (255 · `output_unit`).
    pub output_biases: [i32; BUCKETS],
}

impl NetworkWeights {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(bytes_of_width(self.biases.len()));
        bytes.extend(MAGIC);
        for field in [VERSION, self.biases.len() as u16, self.mirrors.into(), self.output_unit] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend([0; HEADER_BYTES - CHECKSUM_AT + 4]);
        for weight in self.rows.iter().chain(&self.biases).chain(&self.outputs) {
            bytes.extend(weight.to_le_bytes());
        }
        bytes.extend(self.output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        let checksum = checksum(&bytes).to_le_bytes();
        bytes[CHECKSUM_AT..HEADER_BYTES].copy_from_slice(&checksum);
        bytes
    }
}

impl Network {
    pub fn load(path: &Path) -> Result<Network, NetworkError> {
        Network::from_bytes(&fs::read(path)?)
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NetworkError::Magic);
        }
        let (header, weights) = bytes
            .split_at_checked(HEADER_BYTES)
            .ok_or(NetworkError::Size { expected: HEADER_BYTES, found: bytes.len() })?;
        let half = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let word = |at: usize| u32::from(half(at)) | u32::from(half(at + 2)) << 16;
        let (version, width, mirrors, unit, scale) = (half(8), half(10), half(12), half(14), word(16));
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let columns = usize::from(width);
        if columns == 0 || columns > WIDEST || !columns.is_multiple_of(TILE) {
            return Err(NetworkError::Width(width));
        }
        let expected = bytes_of_width(columns);
        if bytes.len() != expected {
            return Err(NetworkError::Size { expected, found: bytes.len() });
        }
        let checksum = checksum(bytes);
        if checksum.to_le_bytes() != header[CHECKSUM_AT..] {
            return Err(NetworkError::Checksum);
        }
        if mirrors > 1 || unit == 0 || !(1..=1_000_000).contains(&scale) {
            return Err(NetworkError::Header(mirrors, unit, scale));
        }
        let (weights, output_biases) = weights.split_at(weights.len() - 4 * BUCKETS);
        let numbers: Vec<i16> =
            weights.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect();
        let (sums, outputs) = numbers.split_at((FEATURES + 1) * columns);
        within(sums, LARGEST_ROW_WEIGHT)?;
        within(outputs, LARGEST_OUTPUT_WEIGHT)?;
        let (rows, biases) = sums.split_at(FEATURES * columns);
        let side_of_output = |number: usize| Tile::of(&outputs[number * columns..][..columns]);
        let output_biases = output_biases.as_chunks().0;
        Ok(Network {
            tiles: columns / TILE,
            mirrors: mirrors == 1,
            scale,
            rows: Tile::of(rows),
            biases: Tile::of(biases),
            outputs: array::from_fn(|bucket| [2 * bucket, 2 * bucket + 1].map(side_of_output)),
            output_unit: unit,
            output_biases: array::from_fn(|bucket| i32::from_le_bytes(output_biases[bucket])),
            checksum,
        })
    }
}

fn bytes_of_width(width: usize) -> usize {
    HEADER_BYTES + 2 * (FEATURES + 1 + 2 * BUCKETS) * width + 4 * BUCKETS
}

fn within(weights: &[i16], largest: i16) -> Result<(), NetworkError> {
    match weights.iter().find(|weight| !(-largest..=largest).contains(weight)) {
        Some(&weight) => Err(NetworkError::Weight(weight)),
        None => Ok(()),
    }
}

/// FNV-1a with 64 bits (Fowler, Noll, Vo) of all bytes except the checksum.
fn checksum(bytes: &[u8]) -> u64 {
    let (before, rest) = bytes.split_at(CHECKSUM_AT);
    let after = &rest[HEADER_BYTES - CHECKSUM_AT..];
    before
        .iter()
        .chain(after)
        .fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}
