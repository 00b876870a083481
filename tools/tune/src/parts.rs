//! Work on many items that several threads share, with results that do not depend on how many there are.

use std::thread;

/// Into how many parts work is cut. Sums of fractions depend on their order, so it is the same for any number of
/// threads.
const PARTS: usize = 16;

/// Does `work` on sixteen parts of the items, and returns the results in the order of the parts.
pub fn in_parts<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let parts: Vec<&[T]> = items.chunks(items.len().div_ceil(PARTS).max(1)).collect();
    let share = parts.len().div_ceil(threads.max(1)).max(1);
    let work = &work;
    thread::scope(|scope| {
        let workers: Vec<_> = parts
            .chunks(share)
            .map(|parts| scope.spawn(move || parts.iter().map(|part| work(part)).collect::<Vec<R>>()))
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no part of the work panics")).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once_in_its_order_whatever_the_threads() {
        for items in [0, 1, 15, 16, 17, 1000] {
            let items: Vec<usize> = (0..items).collect();
            let with = |threads| in_parts(&items, threads, <[usize]>::to_vec);
            assert_eq!(with(1).concat(), items);
            assert_eq!(with(1), with(3));
            assert_eq!(with(1), with(40));
        }
    }
}
