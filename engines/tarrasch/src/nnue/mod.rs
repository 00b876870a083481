//! The network: an evaluation learnt from games of Tarrasch against itself.
//!
//! # Architecture
//! `(768 → N) × 2 → 8`. Each side sees the board from its own end: 768 inputs say which piece stands where
//! ([`feature()`]), and the sum of the rows of those that are set is the side's accumulator, N numbers. Squared and clipped
//! (`SCReLU`), the accumulators of the side to move and of its opponent are weighed and added up, by one of eight sets
//! of weights, which the number of pieces chooses ([`bucket()`]). NNUE is due to Yu Nasu
//! ("Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018); `SCReLU` and the two
//! perspectives of one set of weights are on the Chess Programming Wiki, "NNUE".
//!
//! # Integers
//! Weights are whole numbers, so that a sum can be changed piece by piece and never drifts, and every
//! machine finds the same value. [`Accumulators`] remembers the sums of earlier positions and applies the difference.
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
