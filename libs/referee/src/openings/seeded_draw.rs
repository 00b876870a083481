use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// Random numbers of a seed, the same in every version.
///
/// Seed, stream and draw are defined here, because a library may change them and old runs must stay repeatable: the
/// seed is the first eight bytes of the `ChaCha8` key, little end first, and a number below a bound is the upper half
/// of a 64-bit draw times the bound.
#[derive(Clone, Debug)]
pub struct SeededDraw {
    generator: ChaCha8Rng,
}

impl SeededDraw {
    /// The numbers of a seed; those of another stream have nothing to do with them.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        Self { generator }
    }

    /// The next number, below `bound`; 0 where that is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.generator.next_u64()) * u128::from(bound)) >> 64) as u64
    }
}
