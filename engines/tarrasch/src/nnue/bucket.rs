//! Output buckets: other output weights for other numbers of pieces, so that endgames differ from openings (Chess
//! Programming Wiki, "NNUE").

/// The number of buckets.
pub const BUCKETS: usize = 8;

/// The bucket of a board with this many pieces, 1 to 32. A bucket covers four numbers.
#[inline]
pub const fn bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(1) / 4;
    if bucket < BUCKETS { bucket } else { BUCKETS - 1 }
}
