//! The outputs of the network: one for each amount of material, so that an endgame is judged by other weights than an
//! opening (Chess Programming Wiki, "NNUE", output buckets).

/// The outputs of a network.
pub const BUCKETS: usize = 8;

/// Which of them judges a board with so many pieces, from 1 to 32: four numbers of pieces each.
#[inline]
pub const fn bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(1) / 4;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}
