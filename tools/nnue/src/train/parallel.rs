//! Work shared by several threads.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does the work on every item, each on the next free thread. The result must not depend on the thread.
pub fn for_each<T: Send>(items: &mut [T], threads: usize, work: impl Fn(usize, &mut T) + Sync) {
    let queue = Mutex::new(items.iter_mut().enumerate());
    let take = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let labour = || {
        while let Some((index, item)) = take() {
            work(index, item);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(labour);
        }
        labour();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_gets_its_work_once() {
        for threads in [1, 2, 5] {
            let mut items = [0; 100];
            for_each(&mut items, threads, |index, item| *item += index);
            assert!(items.iter().enumerate().all(|(index, item)| *item == index));
        }
    }
}
