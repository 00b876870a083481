use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rand_mt::Mt64;

use super::{Book, Opening};

/// The order in which pairs of games use the openings of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningOrder {
    /// Every opening once in an order that the seed decides, then all again in another order, and so on. The lines of a
    /// Polyglot book are already drawn in the seed's order, and keep it.
    Random {
        /// The same seed gives the same openings, in this and every later version.
        seed: u64,
    },
    /// Every opening once in the order in which fastchess shuffles a book (`opening_book.hpp`), then again in the same
    /// order: a Fisher–Yates shuffle from the front, where each draw is a number of the 64-bit Mersenne Twister modulo
    /// the remaining length.
    Fastchess {
        /// The value of fastchess's option `-srand`.
        seed: u64,
    },
    /// The order of the book, starting with the opening at index `start` and wrapping round.
    Sequential {
        /// The index, counted from 0, modulo the length of the book.
        start: u64,
    },
}

impl Default for OpeningOrder {
    fn default() -> Self {
        Self::Sequential { start: 0 }
    }
}

/// An endless sequence of openings from a book: one for every pair of games.
#[derive(Clone, Debug)]
pub struct OpeningSequence {
    book: Book,
    order: OpeningOrder,
    /// The pass through the book that `permutation` belongs to.
    round: u64,
    /// Indices into the book; empty for sequential order.
    permutation: Vec<u32>,
}

impl OpeningSequence {
    /// The openings of the book in the given order.
    pub fn new(book: Book, order: OpeningOrder) -> Self {
        let order = if book.is_drawn { OpeningOrder::Sequential { start: 0 } } else { order };
        let permutation = match order {
            OpeningOrder::Random { seed } => permutation(book.report().openings, seed, 0),
            OpeningOrder::Fastchess { seed } => shuffled_as_by_fastchess(book.report().openings, seed),
            OpeningOrder::Sequential { .. } => Vec::new(),
        };
        Self { book, order, round: 0, permutation }
    }

    /// The book that the openings are from.
    pub const fn book(&self) -> &Book {
        &self.book
    }

    /// The opening of a pair of games, counted from 0.
    /// Pairs may be queried in any order. A query for another pass through the book than the last one shuffles again,
    /// which is why this takes `&mut self`.
    pub fn opening(&mut self, pair_index: u64) -> Opening {
        let index = self.index(pair_index);
        self.book.opening(index)
    }

    /// The index in the book of the opening of a pair, counted from 0; see [`Self::opening`].
    pub fn index(&mut self, pair_index: u64) -> usize {
        let length = self.book.report().openings as u64;
        match self.order {
            OpeningOrder::Sequential { start } => ((start % length + pair_index % length) % length) as usize,
            OpeningOrder::Random { seed } => {
                let round = pair_index / length;
                if round != self.round {
                    self.permutation = permutation(length as usize, seed, round);
                    self.round = round;
                }
                self.permutation[(pair_index % length) as usize] as usize
            }
            OpeningOrder::Fastchess { .. } => self.permutation[(pair_index % length) as usize] as usize,
        }
    }
}

/// The numbers below `length` in the order for this seed and round (the Fisher–Yates shuffle in Durstenfeld's form);
/// the round selects the stream of random numbers.
pub fn shuffled(length: usize, seed: u64, round: u64) -> Vec<usize> {
    permutation(length, seed, round).into_iter().map(|number| number as usize).collect()
}

/// Like `shuffled`, with half the memory.
fn permutation(length: usize, seed: u64, round: u64) -> Vec<u32> {
    let mut draw = SeededDraw::new(seed, round);
    let mut numbers: Vec<u32> = (0..length as u32).collect();
    for last in (1..length).rev() {
        numbers.swap(last, draw.below(last as u64 + 1) as usize);
    }
    numbers
}

fn shuffled_as_by_fastchess(length: usize, seed: u64) -> Vec<u32> {
    let mut draw = Mt64::new(seed);
    let mut numbers: Vec<u32> = (0..length as u32).collect();
    for first in 0..length.saturating_sub(1) {
        numbers.swap(first, first + (draw.next_u64() % (length - first) as u64) as usize);
    }
    numbers
}

/// Random numbers from a seed, the same in every version.
///
/// Seeding, stream and draws are defined here, because a library may change them and old runs must remain repeatable:
/// the seed is the first eight bytes of the `ChaCha8` key, little-endian, and a number below a bound is the upper half
/// of the product of a 64-bit draw and the bound.
#[derive(Clone, Debug)]
pub struct SeededDraw {
    generator: ChaCha8Rng,
}

impl SeededDraw {
    /// The numbers of a seed. Different streams are independent.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        Self { generator }
    }

    /// The next number below `bound`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.generator.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// An index drawn in proportion to these weights; `None` if all are 0.
    pub fn weighted(&mut self, mut weights: impl Iterator<Item = u64> + Clone) -> Option<usize> {
        let mut left = self.below(weights.clone().sum());
        weights.position(|weight| match left.checked_sub(weight) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::openings::{BookFormat, BookOptions};

    fn book(length: usize) -> Book {
        let text = "4k3/8/8/8/8/8/4P3/4K3 w - -\n".repeat(length);
        Book::read("test", text.as_bytes(), BookFormat::Epd, &BookOptions::default()).unwrap()
    }

    fn lines(length: usize, order: OpeningOrder, pairs: std::ops::Range<u64>) -> Vec<usize> {
        let mut sequence = OpeningSequence::new(book(length), order);
        pairs.map(|pair| sequence.opening(pair).line).collect()
    }

    #[test]
    fn a_seed_gives_the_same_order_for_ever_ours_and_that_of_fastchess() {
        // Computed from the description of ChaCha, without this code or its library.
        assert_eq!(shuffled(10, 1, 0), [1, 4, 9, 8, 0, 5, 7, 6, 2, 3]);
        assert_eq!(shuffled(10, 1, 1), [3, 9, 0, 8, 4, 6, 2, 5, 7, 1]);
        assert_eq!(shuffled(10, 20261121, 0), [1, 2, 0, 3, 4, 9, 6, 8, 7, 5]);
        // Computed by the algorithm with C++'s own `std::mt19937_64`.
        assert_eq!(shuffled_as_by_fastchess(10, 1), [8, 7, 4, 0, 2, 9, 6, 1, 3, 5]);
        assert_eq!(shuffled_as_by_fastchess(10, 13835058055282163712), [3, 8, 2, 0, 7, 4, 6, 9, 1, 5]);
        let order = OpeningOrder::Fastchess { seed: 7 };
        assert_eq!(lines(5, order, 0..5), lines(5, order, 5..10), "the book comes round in the same order");
    }

    #[test]
    fn the_sequential_order_goes_round_and_the_second_random_round_has_another() {
        assert_eq!(lines(3, OpeningOrder::Sequential { start: 2 }, 0..5), [3, 1, 2, 3, 1]);
        assert_eq!(lines(3, OpeningOrder::Sequential { start: u64::MAX }, u64::MAX - 1..u64::MAX).len(), 1);
        let order = OpeningOrder::Random { seed: 7 };
        assert_ne!(lines(20, order, 0..20), lines(20, order, 20..40));
    }

    proptest! {
        #[test]
        fn every_round_has_every_opening_once(length in 1_usize..40, seed: u64, round in 0_u64..5) {
            let size = length as u64;
            let mut found = lines(length, OpeningOrder::Random { seed }, round * size..(round + 1) * size);
            found.sort_unstable();
            prop_assert_eq!(found, (1..=length).collect::<Vec<_>>());
        }

        #[test]
        fn a_pair_has_the_same_opening_whichever_was_asked_before(
            pairs in prop::collection::vec(0_u64..60, 1..20), seed: u64
        ) {
            let order = OpeningOrder::Random { seed };
            let straight = lines(7, order, 0..60);
            let mut sequence = OpeningSequence::new(book(7), order);
            for pair in pairs {
                prop_assert_eq!(sequence.opening(pair).line, straight[pair as usize]);
            }
        }
    }
}
