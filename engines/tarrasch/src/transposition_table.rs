//! The transposition table (TT), shared by threads without a lock.
//!
//! A cluster of four entries fills one cache line. An entry is two words: the data, and the key XOR the data. If one
//! thread reads while another writes, the key does not match (Hyatt and Mann, "A lock-less transposition-table
//! implementation for parallel search", 2002).

use std::io;
use std::sync::atomic::Ordering;

use super::tt_memory::{Cluster, Slot, TtMemory};
use super::{Depth, Ply, Value};
use chess::{Move, ZobristKey};
pub use uci::Bound;

/// The TT entry of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or the one that caused a cutoff; `None` if the node failed low.
    pub best: Option<Move>,
    /// The value, adjusted to the ply of the node that probes.
    pub value: Value,
    /// The relation of `value` to the true one.
    pub bound: Bound,
    /// The depth of the search that returned `value`.
    pub depth: Depth,
    /// The raw static evaluation; `None` in check.
    pub eval: Option<Value>,
}

impl Entry {
    /// Whether the entry allows a cutoff in a node of this depth and window.
    pub fn allows_cutoff(&self, depth: Depth, alpha: Value, beta: Value) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.value >= beta,
                Bound::Upper => self.value <= alpha,
            }
    }

    /// A better static evaluation: the TT value if its bound proves the evaluation wrong, except for mates.
    pub fn refine(&self, eval: Value) -> Value {
        let is_better = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value > eval,
            Bound::Upper => self.value < eval,
        };
        if is_better && !self.value.is_mate() { self.value } else { eval }
    }
}

#[derive(Debug)]
pub struct TranspositionTable {
    memory: TtMemory,
    /// Counts the searches, so that entries of older ones are replaced first.
    generation: u8,
}

/// The table during one search, shared by its threads.
#[derive(Clone, Copy, Debug)]
pub struct SharedTt<'a> {
    clusters: &'a [Cluster],
    generation: u8,
}

impl TranspositionTable {
    /// A table of `megabytes` × 2²⁰ bytes.
    pub fn new(megabytes: usize) -> io::Result<TranspositionTable> {
        TranspositionTable::with_clusters((megabytes << 20) / size_of::<Cluster>())
    }

    fn with_clusters(count: usize) -> io::Result<TranspositionTable> {
        Ok(TranspositionTable { memory: TtMemory::new(count)?, generation: 0 })
    }

    /// Removes all entries, with up to `threads` threads.
    pub fn clear(&mut self, threads: usize) {
        self.memory.clear(threads);
        self.generation = 0;
    }

    /// Begins a new search: all entries age by one generation.
    pub fn begin_search(&mut self) -> SharedTt<'_> {
        self.generation = (self.generation + 1) & Packed::GENERATIONS;
        SharedTt { clusters: self.memory.clusters(), generation: self.generation }
    }
}

impl SharedTt<'_> {
    /// The entry of the position with this key, adjusted to `ply`.
    pub fn probe(&self, key: ZobristKey, ply: Ply) -> Option<Entry> {
        let cluster = self.cluster(key);
        let packed = cluster.iter().find_map(|slot| read(slot, key))?;
        Some(packed.unpack(ply))
    }

    /// Prefetches the cluster of a position that will be probed soon.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "the prefetch saves a cache miss in most nodes")
    )]
    pub fn prefetch(&self, key: ZobristKey) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: a hint never faults, and every x86-64 processor has it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Stores the entry of a node at `ply`. It replaces the entry of the same position, or else the one of the cluster
    /// with the lowest depth - 4 × age.
    pub fn store(&self, key: ZobristKey, ply: Ply, mut entry: Entry) {
        let cluster = self.cluster(key);
        let same = cluster.iter().find_map(|slot| read(slot, key).map(|packed| (slot, packed)));
        let slot = if let Some((slot, packed)) = same {
            if entry.best.is_none() {
                entry.best = packed.best();
            }
            let is_much_deeper = packed.depth() > entry.depth + 3;
            if is_much_deeper && entry.bound != Bound::Exact && packed.generation() == self.generation {
                return;
            }
            slot
        } else {
            let worth = |slot: &&Slot| peek(slot).worth(self.generation);
            cluster.iter().min_by_key(worth).unwrap_or(&cluster[0])
        };
        write(slot, key, Packed::new(&entry, ply, self.generation));
    }

    /// The share of entries of the current search in permille, estimated from the first 1000 slots.
    pub fn hashfull(&self) -> u32 {
        let packed = self.clusters.as_flattened().iter().take(1000).map(peek);
        packed.filter(|packed| !packed.is_empty() && packed.generation() == self.generation).count() as u32
    }

    /// The cluster of a key: key × number of clusters / 2⁶⁴.
    fn cluster(&self, key: ZobristKey) -> &Cluster {
        let index = (u128::from(key.bits()) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }
}

/// The entry of this position in the slot. The first word is key XOR data, the second the data: a [`Packed`] entry, or
/// zero if the slot is empty.
fn read([check, data]: &Slot, key: ZobristKey) -> Option<Packed> {
    let data = data.load(Ordering::Relaxed);
    let check = check.load(Ordering::Relaxed);
    (check ^ data == key.bits() && data != 0).then_some(Packed(data))
}

/// The entry in the slot, of any position.
fn peek([_, data]: &Slot) -> Packed {
    Packed(data.load(Ordering::Relaxed))
}

fn write([check, data]: &Slot, key: ZobristKey, packed: Packed) {
    check.store(key.bits() ^ packed.0, Ordering::Relaxed);
    data.store(packed.0, Ordering::Relaxed);
}

/// An [`Entry`] in 64 bits, from the lowest: move 16, value 16, evaluation 16, depth 8, bound 2, generation 6. The bound
/// is never 0, so neither is an entry.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    /// The mask of the generation, which wraps around after 63.
    const GENERATIONS: u8 = 63;
    const NO_EVAL: i16 = i16::MIN;

    fn new(entry: &Entry, ply: Ply, generation: u8) -> Packed {
        let best = entry.best.map_or(0, Move::bits);
        let value = entry.value.to_tt(ply).get() as i16;
        let eval = entry.eval.map_or(Packed::NO_EVAL, |eval| eval.get() as i16);
        let depth = entry.depth.get().clamp(0, 255) as u8;
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        Packed(
            u64::from(best)
                | u64::from(value as u16) << 16
                | u64::from(eval as u16) << 32
                | u64::from(depth) << 48
                | bound << 56
                | u64::from(generation) << 58,
        )
    }

    fn unpack(self, ply: Ply) -> Entry {
        let eval = (self.0 >> 32) as i16;
        Entry {
            best: self.best(),
            value: Value::new(((self.0 >> 16) as i16).into()).from_tt(ply),
            bound: match self.0 >> 56 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            depth: self.depth(),
            eval: (eval != Packed::NO_EVAL).then(|| Value::new(eval.into())),
        }
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn best(self) -> Option<Move> {
        Move::from_bits(self.0 as u16)
    }

    fn depth(self) -> Depth {
        Depth::new((self.0 >> 48 & 255) as i32)
    }

    fn generation(self) -> u8 {
        (self.0 >> 58) as u8
    }

    /// The entry with the lowest of these is replaced.
    fn worth(self, now: u8) -> i32 {
        if self.is_empty() {
            return i32::MIN;
        }
        let age = now.wrapping_sub(self.generation()) & Packed::GENERATIONS;
        self.depth().get() - 4 * i32::from(age)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Position, Square};

    fn key() -> ZobristKey {
        Position::start().key()
    }

    fn entry(depth: i32, bound: Bound) -> Entry {
        let best = Some(Move::normal(Square::A1, Square::H8));
        Entry { best, value: Value::new(-37), bound, depth: Depth::new(depth), eval: Some(Value::new(12)) }
    }

    #[test]
    fn mates_and_tablebase_wins_are_adjusted_to_the_ply_of_the_probe() {
        let mut tt = TranspositionTable::new(1).unwrap();
        let tt = tt.begin_search();
        let (eval, table_loss) = (Value::new(35), -Value::tb_win_in(Ply::MAX));
        for (value, ply, there) in [
            (Value::mate_in(Ply::new(7)), 10, Value::mate_in(Ply::new(13))),
            (Value::mated_in(Ply::new(9)), 10, Value::mated_in(Ply::new(15))),
            (Value::tb_win_in(Ply::new(10)), 10, Value::tb_win_in(Ply::new(16))),
            (table_loss, 4, table_loss),
            (eval, 10, eval),
        ] {
            tt.store(key(), Ply::new(4), Entry { value, ..entry(3, Bound::Exact) });
            assert_eq!(tt.probe(key(), Ply::new(ply)).unwrap().value, there);
        }
    }

    #[test]
    fn a_shallow_bound_does_not_replace_a_much_deeper_one_of_the_same_search() {
        let mut memory = TranspositionTable::new(1).unwrap();
        let tt = memory.begin_search();
        tt.store(key(), Ply::ROOT, entry(12, Bound::Lower));
        tt.store(key(), Ply::ROOT, entry(2, Bound::Lower));
        assert_eq!(tt.probe(key(), Ply::ROOT).unwrap().depth, Depth::new(12));
        let tt = memory.begin_search();
        tt.store(key(), Ply::ROOT, entry(2, Bound::Lower));
        assert_eq!(tt.probe(key(), Ply::ROOT).unwrap().depth, Depth::new(2));
    }

    /// An entry whose fields all follow from `owner` and `depth`.
    fn signed(owner: i32, depth: i32) -> Entry {
        let (value, eval) = (Value::new(100 * owner + depth), Some(Value::new(-owner)));
        Entry { value, eval, depth: Depth::new(depth), ..entry(0, Bound::Exact) }
    }

    #[test]
    fn threads_that_fight_for_one_cluster_never_read_a_torn_entry() {
        let mut tt = TranspositionTable::with_clusters(1).unwrap();
        let tt = tt.begin_search();
        let start = Position::start();
        // One position more than a cluster has room for. Each is probed three times in a row, so there are hits.
        let keys: Vec<ZobristKey> =
            start.move_list().into_iter().take(5).map(|mv| start.play(mv).key()).collect();
        let hits = std::thread::scope(|scope| {
            let fight = |seed: usize| {
                let mut hits = 0;
                for round in 0..100_000 {
                    let owner = (seed + round / 3) % keys.len();
                    if let Some(found) = tt.probe(keys[owner], Ply::ROOT) {
                        assert_eq!(found, signed(owner as i32, found.depth.get()));
                        hits += 1;
                    }
                    tt.store(keys[owner], Ply::ROOT, signed(owner as i32, (round % 50) as i32));
                }
                hits
            };
            let threads = [0, 1, 2, 3].map(|seed| scope.spawn(move || fight(seed)));
            threads.map(|thread| thread.join().unwrap())
        });
        assert!(hits.into_iter().all(|hits| hits > 0), "{hits:?}");
    }
}
