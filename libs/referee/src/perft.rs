//! Perft by shakmaty: the reference for Arbiter's own move generator and for other engines.

use std::collections::BTreeMap;

use shakmaty::{Move, Position};

use super::{FenError, Referee, Variant, fen};

/// The number of sequences of exactly `depth` legal moves; 1 for depth 0.
///
/// # Errors
/// [`FenError`] if the FEN is not a legal position of the variant.
pub fn perft(fen: &str, variant: Variant, depth: u32) -> Result<u64, FenError> {
    Ok(shakmaty::perft(&fen::parse_position(fen, variant)?, depth))
}

impl Referee {
    /// The number of sequences of exactly `depth` legal moves from the current position, by first move. Empty for depth
    /// 0.
    pub fn divide(&self, depth: u32) -> BTreeMap<String, u64> {
        let Some(below) = depth.checked_sub(1) else { return BTreeMap::new() };
        let mode = self.variant.castling_mode();
        let count = |&first: &Move| {
            let mut child = self.position.clone();
            child.play_unchecked(first);
            (first.to_uci(mode).to_string(), shakmaty::perft(&child, below))
        };
        self.position.legal_moves().iter().map(count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divide_adds_up_to_perft_and_writes_castling_as_the_variant_does() {
        let parts = Referee::new(Variant::Standard).divide(3);
        assert_eq!(parts.len(), 20);
        assert_eq!(parts.values().sum::<u64>(), 8902);
        assert_eq!(parts["e2e4"], 600);
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        for (variant, castling) in [(Variant::Standard, "e1g1"), (Variant::Chess960, "e1h1")] {
            assert!(Referee::from_fen(fen, variant).unwrap().divide(1).contains_key(castling));
        }
    }
}
