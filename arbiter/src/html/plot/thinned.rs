//! A long sequence kept short.

/// The most items kept; an even number.
const MOST: usize = 500;

/// Evenly spaced items of a sequence of unknown length: between [`MOST`] / 2 and [`MOST`] of a long one.
#[derive(Clone, Debug)]
pub struct Thinned<T> {
    items: Vec<T>,
    /// One item out of this many is kept.
    stride: u64,
    seen: u64,
}

impl<T> Thinned<T> {
    /// Takes the next item of the sequence; `item` is only called if it is kept.
    pub fn offer(&mut self, item: impl FnOnce() -> T) {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.stride) {
            return;
        }
        if self.items.len() == MOST {
            let mut place = 0;
            self.items.retain(|_| {
                place += 1;
                place % 2 == 0
            });
            self.stride *= 2;
            if !self.seen.is_multiple_of(self.stride) {
                return;
            }
        }
        self.items.push(item());
    }

    /// The items that were kept, in their order.
    pub fn items(&self) -> &[T] {
        &self.items
    }
}

impl<T> Default for Thinned<T> {
    fn default() -> Thinned<T> {
        Thinned { items: Vec::new(), stride: 1, seen: 0 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_kept_is_evenly_spaced_and_never_too_much(length in 1u64..5000) {
            let mut thinned = Thinned::default();
            for item in 1..=length {
                thinned.offer(|| item);
            }
            let items = thinned.items();
            let stride = items[0];
            prop_assert!(items.iter().enumerate().all(|(place, &item)| item == (place as u64 + 1) * stride));
            prop_assert_eq!(items.len() as u64, length / stride);
            prop_assert!(items.len() <= MOST && items.len() as u64 >= length.min(MOST as u64 / 2));
        }
    }
}
