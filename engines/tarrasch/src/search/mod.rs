//! Finding the best move.
//!
//! [`Searcher::run`] deepens iteration by iteration (`iterative_deepening`), each a principal variation search
//! (`alpha_beta`) that ends in `quiescence`. What is not worth searching is decided in `pruning`, what is worth a
//! deeper search in `singular`, the order of moves in `move_picker`. Syzygy tablebases are probed in `tablebase_probe`, and
//! for the moves at the root in `root_ranking`. The search never prints: it hands a [`Report`] to
//! a callback. A [`ThreadPool`] is one or several searchers on the same position, a thread each.

mod alpha_beta;
mod candidate;
mod correction_history;
mod draws;
mod history;
mod interrupted;
mod iterative_deepening;
mod move_picker;
mod node;
mod params;
mod principal_variation;
mod prior_move_history;
mod probcut;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root_moves;
mod root_ranking;
mod see;
mod shared_state;
mod singular;
mod tablebase_probe;
mod techniques;
mod thread_data;
mod thread_pool;
mod threats;
mod vote;
mod window;

pub use params::Parameter;
pub use principal_variation::Line;
pub use report::{Outcome, Report};
pub use see::{see, see_at_least};
pub use techniques::{Technique, Techniques};
pub use thread_data::ThreadData;
pub use thread_pool::ThreadPool;

use self::correction_history::CorrectionHistory;
use self::history::{Context, History, PawnStructure, PieceTo, PlayedQuiet};
use self::interrupted::Interrupted;
use self::principal_variation::PrincipalVariations;
use self::reductions::Reductions;
use self::root_moves::RootMoves;
use self::shared_state::Seat;
use self::threats::Threats;
use super::eval::Evaluator;
use super::transposition_table::Entry;
use super::{Depth, Limits, Nodes, Ply, SearchControl, SharedTable, Value};
use chess::{Move, Position, ZobristKey};

/// Nodes between two looks at the clock and the stop flag: about a tenth of a millisecond.
const NODES_BETWEEN_CHECKS: u64 = 128;

/// One thread's search of one position.
#[derive(Debug)]
pub struct Searcher<'a> {
    table: SharedTable<'a>,
    history: &'a mut History,
    corrections: &'a mut CorrectionHistory,
    evaluator: &'a mut Evaluator,
    techniques: Techniques,
    limits: &'a Limits,
    control: &'a SearchControl,
    /// The place among other threads; `None` when this is the only one.
    seat: Option<Seat<'a>>,
    reductions: &'a Reductions,
    root_moves: RootMoves,
    variations: PrincipalVariations,
    /// The keys of the game and of the line being searched, the current position's last.
    keys: Vec<ZobristKey>,
    /// The index of the root in `keys`.
    root_index: usize,
    stack: Box<[StackEntry]>,
    nodes: Nodes,
    /// The node count at which limits are looked at next.
    next_check: u64,
    deepest: Ply,
    /// Tablebase hits of this thread.
    tb_hits: u64,
    /// Whether tablebases are probed below the root.
    probes_tablebases: bool,
    /// No null move is tried nearer to the root than this; set while a null-move cutoff is verified.
    null_moves_from: Ply,
    /// The iteration going on.
    iteration: Depth,
    /// The last iteration finished.
    completed: Depth,
}

/// What the search keeps of each node on the current line.
#[derive(Clone, Copy, Debug, Default)]
struct StackEntry {
    /// The static evaluation; `None` in check.
    eval: Option<Value>,
    /// The move played from here; `None` for a null move.
    moved: Option<PieceTo>,
    /// The same, if it is quiet and the history may learn of it.
    quiet: Option<PlayedQuiet>,
    /// Whether a null move was played from here.
    is_null: bool,
    /// How many double extensions the line to here has.
    doubled: u8,
}

impl<'a> Searcher<'a> {
    /// A search of `position`, which came about through positions with the keys `game`, itself not included.
    pub fn new(
        position: &Position,
        game: &[ZobristKey],
        limits: &'a Limits,
        control: &'a SearchControl,
        table: SharedTable<'a>,
        thread_data: &'a mut ThreadData,
    ) -> Searcher<'a> {
        let mut keys = Vec::with_capacity(game.len() + Ply::COUNT + 1);
        keys.extend_from_slice(game);
        keys.push(position.key());
        let ThreadData { history, corrections, evaluator, reductions } = thread_data;
        history.clear_killers();
        reductions.refresh();
        evaluator.use_network(limits.network_in_use());
        let mut searcher = Searcher {
            table,
            history,
            corrections,
            evaluator,
            techniques: limits.techniques,
            limits,
            control,
            seat: None,
            reductions,
            root_moves: RootMoves::new(position, &limits.search_moves),
            variations: PrincipalVariations::new(),
            keys,
            root_index: game.len(),
            stack: vec![StackEntry::default(); Ply::COUNT + 1].into_boxed_slice(),
            nodes: Nodes::default(),
            next_check: 0,
            deepest: Ply::ROOT,
            tb_hits: 0,
            probes_tablebases: false,
            null_moves_from: Ply::ROOT,
            iteration: Depth::ZERO,
            completed: Depth::ZERO,
        };
        searcher.rank_root_moves(position);
        searcher
    }

    /// The same search as one thread of a pool.
    fn seated(mut self, seat: Seat<'a>) -> Searcher<'a> {
        self.seat = Some(seat);
        self
    }

    /// Plays a move for the search, and keeps what its children need to know. The node has been counted.
    #[inline]
    fn play(&mut self, position: &Position, ply: Ply, mv: Move) -> Position {
        let moved = Some(PieceTo::new(position, mv));
        let entry = &mut self.stack[ply.index()];
        (entry.moved, entry.quiet, entry.is_null) = (moved, None, false);
        let child = position.play(mv);
        self.keys.push(child.key());
        child
    }

    /// Passes, for the null move.
    fn play_null(&mut self, position: &Position, ply: Ply) -> Result<Position, Interrupted> {
        self.count_node()?;
        let entry = &mut self.stack[ply.index()];
        (entry.moved, entry.quiet, entry.is_null) = (None, None, true);
        let child = position.play_null();
        self.table.prefetch(child.key());
        self.keys.push(child.key());
        Ok(child)
    }

    /// Takes back what [`Searcher::play`] or [`Searcher::play_null`] did.
    fn take_back(&mut self) {
        self.keys.pop();
    }

    fn count_node(&mut self) -> Result<(), Interrupted> {
        if self.nodes.get() >= self.next_check {
            self.check_limits()?;
        }
        self.nodes += Nodes::new(1);
        Ok(())
    }

    /// Looks at the limits, and decides when to look again. Time and `stop` cannot interrupt the first iteration, so
    /// that there is always a move that was looked at.
    #[cold]
    fn check_limits(&mut self) -> Result<(), Interrupted> {
        self.next_check = self.nodes.get() + self.ration()?;
        if self.seat.is_some_and(Seat::is_over) {
            return Err(Interrupted);
        }
        let is_over = || self.control.clock_elapsed().is_some_and(|used| self.limits.time.is_over(used));
        if self.completed > Depth::ZERO && (self.control.is_stopped() || is_over()) {
            return Err(Interrupted);
        }
        Ok(())
    }

    /// What the table knows about the position.
    fn probe(&self, position: &Position, ply: Ply) -> Option<Entry> {
        let is_on = self.techniques.has(Technique::HashTable);
        if is_on { self.table.probe(position.key(), ply) } else { None }
    }

    /// How many nodes may be searched before the limits are looked at again. The threads share what is left of a limit
    /// in nodes, so one alone meets it exactly.
    fn ration(&self) -> Result<u64, Interrupted> {
        let Some(limit) = self.limits.nodes else {
            self.seat.inspect(|seat| seat.tell(self.nodes, self.tb_hits));
            return Ok(NODES_BETWEEN_CHECKS);
        };
        let left = limit.get().saturating_sub(self.team_nodes().get());
        let share = left.div_ceil(self.seat.map_or(1, Seat::team_size));
        if share == 0 { Err(Interrupted) } else { Ok(share.min(NODES_BETWEEN_CHECKS)) }
    }

    /// The nodes of all threads, this one's to the last.
    fn team_nodes(&self) -> Nodes {
        self.seat.map_or(self.nodes, |seat| {
            seat.tell(self.nodes, self.tb_hits);
            seat.team_nodes()
        })
    }

    /// The positions that all threads found in endgame tables, this one's to the last.
    fn team_table_hits(&self) -> u64 {
        self.seat.map_or(self.tb_hits, |seat| {
            seat.tell(self.nodes, self.tb_hits);
            seat.team_table_hits()
        })
    }

    /// What the history asks about this node.
    fn context(&self, position: &Position, ply: Ply) -> Context {
        let back = |plies: usize| ply.index().checked_sub(plies).and_then(|index| self.stack[index].moved);
        let mut threats = Threats::new(position);
        if !self.techniques.has(Technique::ThreatHistory) {
            threats = threats.without_all();
        }
        if !self.techniques.has(Technique::ThreatOrder) {
            threats = threats.without_kinds();
        }
        Context { before: [back(1), back(2), back(4), back(6)], threats, pawns: PawnStructure::new(position) }
    }
}
