//! The memory of the transposition table, in huge pages if the system has them.
//!
//! Probes are random accesses to memory far larger than what the TLB covers with pages of 4 KiB, so nearly every probe
//! is a TLB miss. Pages of 2 MiB avoid most of them. Linux gives them to memory with the advice `MADV_HUGEPAGE`.

use std::sync::atomic::AtomicU64;
use std::{io, thread};

use memmap2::MmapMut;
use zerocopy::FromBytes;

/// One TT entry: two words.
pub(super) type Slot = [AtomicU64; 2];
/// Four entries, which fill one cache line.
pub(super) type Cluster = [Slot; 4];

/// Zeroed memory for a whole number of clusters.
#[derive(Debug)]
pub(super) struct TtMemory(MmapMut);

impl TtMemory {
    /// The least memory that a thread of its own clears, in about one millisecond.
    const BYTES_PER_THREAD: usize = 16 << 20;

    pub(super) fn new(count: usize) -> io::Result<TtMemory> {
        let map = MmapMut::map_anon(count.saturating_mul(size_of::<Cluster>()))?;
        // A system without huge pages refuses; then the table has small ones.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(TtMemory(map))
    }

    /// The clusters, which threads can share.
    pub(super) fn clusters(&mut self) -> &[Cluster] {
        <[Cluster]>::mut_from_bytes(&mut self.0).expect("a map is aligned and of the right length")
    }

    /// Sets all memory to zero with up to `threads` threads. This also makes the system allocate all pages now instead of
    /// during a search.
    pub(super) fn clear(&mut self, threads: usize) {
        let threads = threads.min(self.0.len() / TtMemory::BYTES_PER_THREAD).max(1);
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
        let mut memory = TtMemory::new(3 << 18).unwrap();
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
    fn a_cluster_is_a_cache_line_and_more_memory_than_there_is_is_an_error() {
        let mut memory = TtMemory::new(4).unwrap();
        assert!(
            memory.clusters().iter().all(|cluster| std::ptr::from_ref(cluster).addr().is_multiple_of(64))
        );
        assert!(TtMemory::new(usize::MAX >> 8).is_err());
        assert!(TtMemory::new(usize::MAX).is_err());
    }
}
