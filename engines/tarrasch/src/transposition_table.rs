//! What earlier visits learned about a position.
//!
//! Clusters of four entries fill one cache line each. An entry is two words: the data, and the position's key combined
//! with the data by exclusive or. A reader that catches a writer half-way finds a key that does not match, so threads
//! can share the table without a lock (Hyatt and Mann, "A lock-less transposition-table implementation for parallel
//! search", 2002).

use std::io;
use std::sync::atomic::Ordering;

use super::table_memory::{Cluster, Slot, TableMemory};
use super::{Depth, Ply, Value};
use chess::{Move, ZobristKey};

/// How a stored value relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// This is the true value, as far as the depth sees.
    Exact,
}

/// What the table knows about one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or the one that caused a cutoff, if any was found.
    pub best: Option<Move>,
    /// The value at the ply of the reader.
    pub value: Value,
    /// How `value` relates to the true one.
    pub bound: Bound,
    /// The depth that `value` was searched to.
    pub depth: Depth,
    /// The static evaluation; `None` in check, where there is none.
    pub eval: Option<Value>,
}

impl Entry {
    /// Whether the value alone settles a search to `depth` with the window from `alpha` to `beta`.
    pub fn settles(&self, depth: Depth, alpha: Value, beta: Value) -> bool {
        self.depth >= depth
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.value >= beta,
                Bound::Upper => self.value <= alpha,
            }
    }

    /// The value instead of the static evaluation, if its bound says more; a mate says nothing of positions like it.
    pub fn refine(&self, eval: Value) -> Value {
        let says_more = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value > eval,
            Bound::Upper => self.value < eval,
        };
        if says_more && !self.value.is_mate() { self.value } else { eval }
    }
}

/// A hash table from positions to [`Entry`]s of a fixed size in memory.
#[derive(Debug)]
pub struct TranspositionTable {
    memory: TableMemory,
    /// Counts the searches, so that entries of old ones are replaced first.
    generation: u8,
}

/// The table as the threads of one search share it.
#[derive(Clone, Copy, Debug)]
pub struct SharedTable<'a> {
    clusters: &'a [Cluster],
    generation: u8,
}

impl TranspositionTable {
    /// A table that takes `megabytes` of memory (units of 2²⁰ bytes).
    ///
    /// # Errors
    /// When there is not that much memory.
    pub fn new(megabytes: usize) -> io::Result<TranspositionTable> {
        TranspositionTable::with_clusters((megabytes << 20) / size_of::<Cluster>())
    }

    fn with_clusters(count: usize) -> io::Result<TranspositionTable> {
        Ok(TranspositionTable { memory: TableMemory::new(count)?, generation: 0 })
    }

    /// Forgets everything, with up to so many threads.
    pub fn clear(&mut self, threads: usize) {
        self.memory.clear(threads);
        self.generation = 0;
    }

    /// Begins a new search: what is in the table ages by one.
    pub fn begin_search(&mut self) -> SharedTable<'_> {
        self.generation = (self.generation + 1) & Packed::GENERATIONS;
        SharedTable { clusters: self.memory.clusters(), generation: self.generation }
    }
}

impl SharedTable<'_> {
    /// What is known about the position with this key, with mates counted from `ply`.
    pub fn probe(&self, key: ZobristKey, ply: Ply) -> Option<Entry> {
        let cluster = self.cluster(key);
        let packed = cluster.iter().find_map(|slot| read(slot, key))?;
        Some(packed.unpack(ply))
    }

    /// Has the processor fetch what is known about a position, which will be asked for soon.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "the hint saves a wait for memory in most nodes")
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

    /// Keeps `entry`, whose mates count from `ply`. Replaces what is known about the position, or else the least
    /// useful of its cluster: the shallowest, each search of age counting as four plies.
    pub fn store(&self, key: ZobristKey, ply: Ply, mut entry: Entry) {
        let cluster = self.cluster(key);
        let known = cluster.iter().find_map(|slot| read(slot, key).map(|packed| (slot, packed)));
        let slot = if let Some((slot, packed)) = known {
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

    /// How full the table is with entries of the current search, in thousandths, judged by its first 1000 slots.
    pub fn hashfull(&self) -> u32 {
        let packed = self.clusters.as_flattened().iter().take(1000).map(peek);
        packed.filter(|packed| !packed.is_empty() && packed.generation() == self.generation).count() as u32
    }

    /// The cluster of a key: the high bits of the product spread the keys evenly over any number of clusters.
    fn cluster(&self, key: ZobristKey) -> &Cluster {
        let index = (u128::from(key.bits()) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }
}

/// What is in the slot about this position. Its first word is the key combined with the data by exclusive or, its
/// second the data: a [`Packed`] entry, or zero when the slot is empty.
fn read([check, data]: &Slot, key: ZobristKey) -> Option<Packed> {
    let data = data.load(Ordering::Relaxed);
    let check = check.load(Ordering::Relaxed);
    (check ^ data == key.bits() && data != 0).then_some(Packed(data))
}

/// What is in the slot, about whatever position.
fn peek([_, data]: &Slot) -> Packed {
    Packed(data.load(Ordering::Relaxed))
}

fn write([check, data]: &Slot, key: ZobristKey, packed: Packed) {
    check.store(key.bits() ^ packed.0, Ordering::Relaxed);
    data.store(packed.0, Ordering::Relaxed);
}

/// An [`Entry`] in 64 bits, from the lowest: move 16, value 16, evaluation 16, depth 8, bound 2 (never 0, so that an
/// entry is never 0 either), generation 6.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    /// The mask of the generation: it counts from 0 to 63 and starts again.
    const GENERATIONS: u8 = 63;
    const NO_EVAL: i16 = i16::MIN;

    fn new(entry: &Entry, ply: Ply, generation: u8) -> Packed {
        let best = entry.best.map_or(0, Move::bits);
        let value = entry.value.to_table(ply).get() as i16;
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
            value: Value::new(((self.0 >> 16) as i16).into()).from_table(ply),
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
    fn what_is_stored_is_found_again() {
        let mut table = TranspositionTable::new(1).unwrap();
        let table = table.begin_search();
        assert_eq!(table.probe(key(), Ply::ROOT), None);
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for eval in [None, Some(Value::new(-500))] {
                let stored = Entry { eval, ..entry(9, bound) };
                table.store(key(), Ply::ROOT, stored);
                assert_eq!(table.probe(key(), Ply::ROOT), Some(stored));
            }
        }
    }

    #[test]
    fn a_mate_counts_from_where_it_is_read() {
        let mut table = TranspositionTable::new(1).unwrap();
        let table = table.begin_search();
        let value = Value::mate_in(Ply::new(7));
        table.store(key(), Ply::new(4), Entry { value, ..entry(3, Bound::Exact) });
        let found = table.probe(key(), Ply::new(10)).unwrap();
        assert_eq!(found.value, Value::mate_in(Ply::new(13)));
    }

    #[test]
    fn a_shallow_bound_does_not_replace_a_much_deeper_one_of_the_same_search() {
        let mut memory = TranspositionTable::new(1).unwrap();
        let table = memory.begin_search();
        table.store(key(), Ply::ROOT, entry(12, Bound::Lower));
        table.store(key(), Ply::ROOT, entry(2, Bound::Lower));
        assert_eq!(table.probe(key(), Ply::ROOT).unwrap().depth, Depth::new(12));
        let table = memory.begin_search();
        table.store(key(), Ply::ROOT, entry(2, Bound::Lower));
        assert_eq!(table.probe(key(), Ply::ROOT).unwrap().depth, Depth::new(2));
    }

    #[test]
    fn an_entry_without_move_keeps_the_one_known() {
        let mut table = TranspositionTable::new(1).unwrap();
        let table = table.begin_search();
        table.store(key(), Ply::ROOT, entry(3, Bound::Lower));
        table.store(key(), Ply::ROOT, Entry { best: None, ..entry(4, Bound::Upper) });
        assert_eq!(table.probe(key(), Ply::ROOT).unwrap().best, entry(3, Bound::Lower).best);
    }

    #[test]
    fn clearing_forgets_everything() {
        let mut memory = TranspositionTable::new(1).unwrap();
        memory.begin_search().store(key(), Ply::ROOT, entry(3, Bound::Lower));
        memory.clear(1);
        let table = memory.begin_search();
        assert_eq!(table.probe(key(), Ply::ROOT), None);
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn a_value_settles_a_search_that_is_not_deeper_and_whose_window_it_misses() {
        let (alpha, beta) = (Value::new(0), Value::new(1));
        let low = Entry { value: Value::new(-50), ..entry(5, Bound::Upper) };
        assert!(low.settles(Depth::new(5), alpha, beta));
        assert!(!low.settles(Depth::new(6), alpha, beta));
        assert!(!Entry { bound: Bound::Lower, ..low }.settles(Depth::new(5), alpha, beta));
        assert!(Entry { bound: Bound::Exact, ..low }.settles(Depth::new(5), alpha, beta));
    }

    #[test]
    fn more_memory_than_there_is_is_an_error() {
        assert!(TranspositionTable::new(1 << 40).is_err());
    }

    /// An entry whose fields tell what position it is about and how often it was stored.
    fn signed(owner: i32, depth: i32) -> Entry {
        let (value, eval) = (Value::new(100 * owner + depth), Some(Value::new(-owner)));
        Entry { value, eval, depth: Depth::new(depth), ..entry(0, Bound::Exact) }
    }

    #[test]
    fn threads_that_fight_for_one_cluster_never_read_a_torn_entry() {
        let mut table = TranspositionTable::with_clusters(1).unwrap();
        let table = table.begin_search();
        let start = Position::start();
        let mut moves = chess::MoveList::new();
        start.legal_moves(&mut moves);
        // One more than there is room for: they drive each other out, and are yet often found, asked thrice in a row.
        let keys: Vec<ZobristKey> = moves.into_iter().take(5).map(|mv| start.play(mv).key()).collect();
        let hits = std::thread::scope(|scope| {
            let fight = |seed: usize| {
                let mut hits = 0;
                for round in 0..100_000 {
                    let owner = (seed + round / 3) % keys.len();
                    if let Some(found) = table.probe(keys[owner], Ply::ROOT) {
                        assert_eq!(found, signed(owner as i32, found.depth.get()));
                        hits += 1;
                    }
                    table.store(keys[owner], Ply::ROOT, signed(owner as i32, (round % 50) as i32));
                }
                hits
            };
            let threads = [0, 1, 2, 3].map(|seed| scope.spawn(move || fight(seed)));
            threads.map(|thread| thread.join().unwrap())
        });
        assert!(hits.into_iter().all(|hits| hits > 0), "{hits:?}");
    }
}
