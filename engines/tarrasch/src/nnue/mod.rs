//! The network (NNUE): an evaluation trained on games of Tarrasch against itself.
//!
//! # Architecture
//! `(768 → N) × 2 → 8`. Each side sees the board from its own end. Its 768 inputs ([`feature()`]) say which piece is on
//! which square. The sum of the rows of the active inputs is the side's accumulator, N numbers. The output is a weighted
//! sum of both accumulators, clipped and squared (`SCReLU`). The number of pieces chooses one of eight sets of output
//! weights ([`bucket()`]). NNUE is due to Yu Nasu ("Efficiently updatable neural-network-based evaluation functions for
//! computer shogi", 2018); `SCReLU` and perspectives are on the Chess Programming Wiki, "NNUE".
//!
//! # Quantization
//! Weights are integers, so that updates never drift and every machine computes the same value. [`Accumulators`] updates
//! the sums of earlier positions.
//!
//! `tools/nnue` trains networks; [`NetworkWeights::to_bytes`] and [`Network::from_bytes`] define their file.

mod accumulators;
mod board;
mod bucket;
mod changes;
mod feature;
mod network;
mod network_file;
mod piece_values;
mod shipped;
mod tile;

pub use accumulators::Accumulators;
pub use board::Board;
pub use bucket::{BUCKETS, bucket};
pub use feature::{FEATURES, feature, is_mirrored};
pub use network::{Network, QA, SCALE_UNITS};
pub use network_file::{LARGEST_OUTPUT_WEIGHT, NetworkError, NetworkWeights, WIDEST};
pub use piece_values::PieceValues;
pub use tile::TILE;
