//! The search.
//!
//! [`Searcher::run`] is iterative deepening (`iterative_deepening`). Each iteration is a principal variation search
//! (`alpha_beta`) that ends in `quiescence`. `pruning` decides what to skip, `reduced_searches` what to cut or extend, and
//! `move_picker` the order of moves. `tablebases` probes Syzygy tablebases. The search never prints: it hands a [`Report`]
//! to a callback. A [`ThreadPool`] runs one or several searchers on the same position, one per thread.

mod alpha_beta;
mod correction_history;
mod history;
mod iterative_deepening;
mod limits;
mod move_picker;
mod node;
mod params;
mod pruning;
mod quiescence;
mod reduced_searches;
mod root_moves;
mod see;
mod tablebases;
mod thread_pool;
mod threats;

pub use limits::{Limits, Technique, Techniques};
pub use params::Parameter;
pub use see::see_at_least;
pub use thread_pool::{ThreadData, ThreadPool};

use std::time::Duration;

use arrayvec::ArrayVec;

use self::correction_history::CorrectionHistory;
use self::history::{History, HistoryContext, PawnStructure, PieceTo, PlayedQuiet};
use self::node::Interrupted;
use self::params::Reductions;
use self::root_moves::RootMoves;
use self::thread_pool::ThreadHandle;
use self::threats::Threats;
use super::eval::Evaluator;
use super::transposition_table::{Bound, Entry};
use super::{Depth, Nodes, Ply, SearchControl, SharedTt, Value};
use chess::{Move, Position, ZobristKey};

/// The clock and the stop flag are checked every this many nodes: about every tenth of a millisecond.
const NODES_BETWEEN_CHECKS: u64 = 128;

/// One thread's search of one position.
#[derive(Debug)]
pub struct Searcher<'a> {
    tt: SharedTt<'a>,
    history: &'a mut History,
    correction_history: &'a mut CorrectionHistory,
    evaluator: &'a mut Evaluator,
    techniques: Techniques,
    limits: &'a Limits,
    control: &'a SearchControl,
    /// The link to the other threads; `None` if there are none.
    thread: Option<ThreadHandle<'a>>,
    reductions: &'a Reductions,
    root_moves: RootMoves,
    pv_table: PvTable,
    /// The keys of the game's positions and of the current line, up to the current position.
    keys: Vec<ZobristKey>,
    root_index: usize,
    stack: Box<[StackEntry]>,
    nodes: Nodes,
    /// The node count at which the limits are checked next.
    next_check: u64,
    sel_depth: Ply,
    /// Tablebase hits of this thread.
    tb_hits: u64,
    /// Whether tablebases are probed below the root.
    probes_tablebases: bool,
    /// Null moves are tried from this ply on: from the root, except during a null-move verification search.
    null_move_min_ply: Ply,
    /// The depth of the current iteration.
    root_depth: Depth,
    /// The depth of the last finished iteration.
    completed_depth: Depth,
}

/// The state of the search at each ply of the current line.
#[derive(Clone, Copy, Debug, Default)]
struct StackEntry {
    /// The corrected static evaluation; `None` in check.
    eval: Option<Value>,
    /// The move being searched; `None` for a null move.
    moved: Option<PieceTo>,
    /// Where the histories keep the score of that move, if it is quiet.
    quiet: Option<PlayedQuiet>,
    /// Whether the move is a null move.
    is_null: bool,
    /// The number of double extensions on the line up to this ply.
    double_extensions: u8,
}

impl<'a> Searcher<'a> {
    /// A search of `position`. `game` has the keys of the positions before it, oldest first.
    pub fn new(
        position: &Position,
        game: &[ZobristKey],
        limits: &'a Limits,
        control: &'a SearchControl,
        tt: SharedTt<'a>,
        thread_data: &'a mut ThreadData,
    ) -> Searcher<'a> {
        let mut keys = Vec::with_capacity(game.len() + Ply::COUNT + 1);
        keys.extend_from_slice(game);
        keys.push(position.key());
        let ThreadData { history, correction_history, evaluator, reductions } = thread_data;
        history.clear_killers();
        reductions.refresh();
        evaluator.use_network(limits.network_in_use());
        let mut searcher = Searcher {
            tt,
            history,
            correction_history,
            evaluator,
            techniques: limits.techniques,
            limits,
            control,
            thread: None,
            reductions,
            root_moves: RootMoves::new(position, &limits.search_moves),
            pv_table: PvTable::new(),
            keys,
            root_index: game.len(),
            stack: vec![StackEntry::default(); Ply::COUNT + 1].into_boxed_slice(),
            nodes: Nodes::default(),
            next_check: 0,
            sel_depth: Ply::ROOT,
            tb_hits: 0,
            probes_tablebases: false,
            null_move_min_ply: Ply::ROOT,
            root_depth: Depth::ZERO,
            completed_depth: Depth::ZERO,
        };
        searcher.rank_root_moves(position);
        searcher
    }

    /// Makes the search one thread of a pool.
    fn in_pool(mut self, thread: ThreadHandle<'a>) -> Searcher<'a> {
        self.thread = Some(thread);
        self
    }

    /// Makes a move on the position itself. The caller has counted the node.
    #[inline]
    fn play(&mut self, position: &mut Position, ply: Ply, mv: Move) {
        let moved = Some(PieceTo::new(position, mv));
        let entry = &mut self.stack[ply.index()];
        (entry.moved, entry.quiet, entry.is_null) = (moved, None, false);
        position.play_unchecked(mv);
        self.keys.push(position.key());
    }

    fn play_null(&mut self, position: &Position, ply: Ply) -> Result<Position, Interrupted> {
        self.count_node()?;
        let entry = &mut self.stack[ply.index()];
        (entry.moved, entry.quiet, entry.is_null) = (None, None, true);
        let child = position.play_null();
        self.tt.prefetch(child.key());
        self.keys.push(child.key());
        Ok(child)
    }

    fn unmake(&mut self) {
        self.keys.pop();
    }

    fn count_node(&mut self) -> Result<(), Interrupted> {
        if self.nodes.get() >= self.next_check {
            self.check_limits()?;
        }
        self.nodes += Nodes::new(1);
        Ok(())
    }

    /// Checks the limits and sets the next check. Time and `stop` do not interrupt the first iteration, so that there
    /// is always a searched move.
    #[cold]
    fn check_limits(&mut self) -> Result<(), Interrupted> {
        self.next_check = self.nodes.get() + self.nodes_until_check()?;
        if self.thread.is_some_and(ThreadHandle::is_stopped) {
            return Err(Interrupted);
        }
        let is_over =
            || self.control.clock_elapsed().is_some_and(|used| self.limits.time.is_past_hard_limit(used));
        if self.completed_depth > Depth::ZERO && (self.control.is_stopped() || is_over()) {
            return Err(Interrupted);
        }
        Ok(())
    }

    fn probe_tt(&self, position: &Position, ply: Ply) -> Option<Entry> {
        let is_on = self.techniques.has(Technique::HashTable);
        if is_on { self.tt.probe(position.key(), ply) } else { None }
    }

    /// The number of nodes until the next check. The threads share what is left of a node limit, so a single thread
    /// meets it exactly.
    fn nodes_until_check(&self) -> Result<u64, Interrupted> {
        let Some(limit) = self.limits.nodes else {
            self.thread.inspect(|thread| thread.publish(self.nodes, self.tb_hits));
            return Ok(NODES_BETWEEN_CHECKS);
        };
        let left = limit.get().saturating_sub(self.total_nodes().get());
        let share = left.div_ceil(self.thread.map_or(1, ThreadHandle::thread_count));
        if share == 0 { Err(Interrupted) } else { Ok(share.min(NODES_BETWEEN_CHECKS)) }
    }

    /// The nodes of all threads. Only this thread's share is up to date.
    fn total_nodes(&self) -> Nodes {
        self.thread.map_or(self.nodes, |thread| {
            thread.publish(self.nodes, self.tb_hits);
            thread.total_nodes()
        })
    }

    /// The tablebase hits of all threads. Only this thread's share is up to date.
    fn total_tb_hits(&self) -> u64 {
        self.thread.map_or(self.tb_hits, |thread| {
            thread.publish(self.nodes, self.tb_hits);
            thread.total_tb_hits()
        })
    }

    /// The indices of the histories for the moves of this node.
    fn history_context(&self, position: &Position, ply: Ply) -> HistoryContext {
        let back = |plies: usize| ply.index().checked_sub(plies).and_then(|index| self.stack[index].moved);
        let mut threats = Threats::new(position);
        if !self.techniques.has(Technique::ThreatHistory) {
            threats = threats.without_all();
        }
        if !self.techniques.has(Technique::ThreatOrder) {
            threats = threats.without_kinds();
        }
        HistoryContext {
            previous_moves: [back(1), back(2), back(4), back(6)],
            threats,
            pawns: PawnStructure::new(position),
        }
    }
}

/// A line, at the end of an iteration or after a fail high or low.
#[derive(Clone, Debug)]
pub struct Report {
    pub depth: Depth,
    /// The deepest ply visited so far.
    pub sel_depth: Ply,
    /// The number of the `MultiPV` line, from 0.
    pub line_index: usize,
    /// The value for the side to move at the root.
    pub value: Value,
    /// Whether `value` is exact or a bound.
    pub bound: Bound,
    /// The nodes of all threads so far.
    pub nodes: Nodes,
    /// The share of the TT in use, in permille.
    pub hashfull: u32,
    /// Tablebase hits so far; `None` without tablebases.
    pub tb_hits: Option<u64>,
    /// Time since `go`.
    pub time: Duration,
    /// The principal variation.
    pub line: Line,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    /// The principal variation; empty only if there is no legal move.
    pub line: Line,
    /// Its value for the side to move at the root.
    pub value: Value,
    /// The depth of the last finished iteration.
    pub depth: Depth,
    /// The deepest ply visited.
    pub sel_depth: Ply,
    /// The nodes of all threads.
    pub nodes: Nodes,
}

pub type Line = ArrayVec<Move, { Ply::COUNT }>;

/// The best line from each ply on (Chess Programming Wiki, "Triangular PV-Table").
#[derive(Debug)]
struct PvTable(Box<[Line]>);

impl PvTable {
    fn new() -> PvTable {
        PvTable(vec![Line::new(); Ply::COUNT + 1].into_boxed_slice())
    }

    fn clear(&mut self, ply: Ply) {
        self.0[ply.index()].clear();
    }

    /// The line from `ply` on becomes `mv`, followed by the line from the next ply on.
    fn extend(&mut self, ply: Ply, mv: Move) {
        let (head, tail) = self.0.split_at_mut(ply.index() + 1);
        let line = &mut head[ply.index()];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(tail[0].iter().copied().take(room));
    }

    fn from(&self, ply: Ply) -> &Line {
        &self.0[ply.index()]
    }
}

impl Searcher<'_> {
    /// Whether the position is a draw by repetition, the fifty-move rule or insufficient material.
    ///
    /// The first repetition of a position inside the search counts as a draw. A position of the game must occur for the
    /// third time.
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        is_fifty_move_draw(position) || position.is_insufficient_material() || self.is_repetition(position)
    }

    /// Upcoming repetition: whether a move of the side to move repeats a position of this search. Then it has at least a
    /// draw.
    pub(super) fn can_repeat(&self, position: &Position) -> bool {
        let current = self.keys.len() - 1;
        let reversible =
            usize::from(position.halfmove_clock()).min((current - self.root_index).saturating_sub(1));
        position.can_return_to(&self.keys[current - reversible..=current])
    }

    fn is_repetition(&self, position: &Position) -> bool {
        let current = self.keys.len() - 1;
        let reversible = usize::from(position.halfmove_clock()).min(current);
        let mut occurrences_in_game = 0;
        for index in (current - reversible..current).rev().skip(3).step_by(2) {
            if self.keys[index] == position.key() {
                if index > self.root_index {
                    return true;
                }
                occurrences_in_game += 1;
                if occurrences_in_game == 2 {
                    return true;
                }
            }
        }
        false
    }
}

/// A half-move clock of 100, unless the last move gave mate.
fn is_fifty_move_draw(position: &Position) -> bool {
    position.halfmove_clock() >= 100 && (!position.is_check() || position.has_legal_move())
}
