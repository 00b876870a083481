//! The memory of the transposition table, in large pages where the system offers them.
//!
//! Each probe goes to another place of a table that is many times larger than the reach of the processor's page cache
//! (TLB), so with pages of 4 KiB nearly every probe walks the page tables before it can fetch the entry. Pages of 2 MiB
//! need a five-hundredth of the translations. Linux gives them to memory that asks for them (`madvise`,
//! `MADV_HUGEPAGE`).

use std::io;
use std::sync::atomic::AtomicU64;
use std::thread;

use memmap2::MmapMut;
use zerocopy::FromBytes;

/// Two words for one entry.
pub(super) type Slot = [AtomicU64; 2];
/// The entries of one cache line.
pub(super) type Cluster = [Slot; 4];

/// Zeroed memory for a whole number of clusters.
#[derive(Debug)]
pub(super) struct TableMemory(MmapMut);

impl TableMemory {
    /// Below this many bytes a thread of its own is not worth starting: it takes about a millisecond to clear them.
    const BYTES_PER_THREAD: usize = 16 << 20;

    /// Memory for `count` clusters.
    ///
    /// # Errors
    /// When the system does not give that much.
    pub(super) fn new(count: usize) -> io::Result<TableMemory> {
        let map = MmapMut::map_anon(count.saturating_mul(size_of::<Cluster>()))?;
        // A system without large pages refuses, and the table works as well in small ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(TableMemory(map))
    }

    /// The clusters, to be shared among threads.
    ///
    /// # Panics
    /// Never: a map begins at the start of a page, and its length is a multiple of that of a cluster.
    pub(super) fn clusters(&mut self) -> &[Cluster] {
        <[Cluster]>::mut_from_bytes(&mut self.0).expect("a map is aligned and of the right length")
    }

    /// Overwrites everything with zeros, with up to so many threads. Afterwards all of the memory is really there: the
    /// system hands out pages when they are first written, which is better done now than during a search.
    pub(super) fn clear(&mut self, threads: usize) {
        let threads = threads.min(self.0.len() / TableMemory::BYTES_PER_THREAD).max(1);
        let share = self.0.len().div_ceil(threads);
        let mut parts = self.0.chunks_mut(share);
        let own = parts.next();
        thread::scope(|scope| {
            for part in parts {
                scope.spawn(|| part.fill(0));
            }
            if let Some(own) = own {
                own.fill(0);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    #[test]
    fn new_and_cleared_memory_is_zero_everywhere() {
        let mut memory = TableMemory::new(3 << 18).unwrap();
        let is_zero = |clusters: &[Cluster]| {
            clusters.as_flattened().as_flattened().iter().all(|word| word.load(Ordering::Relaxed) == 0)
        };
        assert_eq!(memory.clusters().len(), 3 << 18);
        assert!(is_zero(memory.clusters()));
        for threads in [1, 2, 3, 100] {
            for cluster in memory.clusters() {
                cluster[3][1].store(1, Ordering::Relaxed);
            }
            memory.clear(threads);
            assert!(is_zero(memory.clusters()));
        }
    }

    #[test]
    fn a_cluster_is_a_cache_line() {
        let mut memory = TableMemory::new(4).unwrap();
        assert!(
            memory.clusters().iter().all(|cluster| std::ptr::from_ref(cluster).addr().is_multiple_of(64))
        );
    }

    #[test]
    fn more_memory_than_there_is_is_an_error() {
        assert!(TableMemory::new(usize::MAX >> 8).is_err());
        assert!(TableMemory::new(usize::MAX).is_err());
    }
}
