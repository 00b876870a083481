//! The search (§1 and §2).
//!
//! [`Search::run`] deepens iteration by iteration (§2.2.1); each is alpha-beta with principal variation search
//! (`alpha_beta`) that ends in quiescence (`extensions`). The first iteration goes to depth 2, which takes almost no
//! time, unless depth 1 is requested. When time is up, the move of the last completed depth is played. The search never
//! prints: it hands a [`Report`] to a callback.

mod alpha_beta;
mod extensions;
mod pruning;

#[cfg(test)]
pub use extensions::captures;
pub use extensions::{LastMove, deserves_extension};

use chess::{Move, Position};
use uci::server::SearchBudget;

use crate::hash_table::HashTable;
use crate::move_order;
use crate::units::{Depth, Ply, Value, Window};

pub struct Search<'a> {
    techniques: Techniques,
    /// The value of a quiet position for the side to move.
    evaluation: fn(&Position) -> Value,
    budget: &'a SearchBudget<'a>,
    table: &'a mut HashTable,
    /// The moves allowed at the root; empty for all.
    root_moves: &'a [Move],
    nodes: u64,
    /// The deepest ply of any line.
    deepest: Ply,
    variations: Variations,
}

/// The budget is spent: the search ends, and its unfinished results are worthless.
#[derive(Clone, Copy, Debug)]
struct Interrupted;

impl<'a> Search<'a> {
    /// A new search; `root_moves` are the moves allowed at the root, empty for all.
    pub fn new(
        techniques: Techniques,
        evaluation: fn(&Position) -> Value,
        budget: &'a SearchBudget<'a>,
        table: &'a mut HashTable,
        root_moves: &'a [Move],
    ) -> Search<'a> {
        Search {
            techniques,
            evaluation,
            budget,
            table,
            root_moves,
            nodes: 0,
            deepest: Ply::ROOT,
            variations: Variations::new(),
        }
    }

    fn enter(&mut self, ply: Ply) -> Result<(), Interrupted> {
        if self.budget.is_spent(self.nodes) {
            return Err(Interrupted);
        }
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        self.variations.clear(ply);
        Ok(())
    }
}

const FIRST_DEPTH: u32 = 2;

impl Search<'_> {
    /// Searches until the budget is spent or a mate in `mate` moves is found. Passes each finished iteration to `report`.
    pub fn run(mut self, position: &Position, mate: Option<u32>, report: &mut dyn FnMut(&Report)) -> Outcome {
        let mut moves = position.move_list();
        if !self.root_moves.is_empty() {
            moves.retain(|mv| self.root_moves.contains(mv));
        }
        move_order::sort(position, &mut moves, None, self.techniques.has(Technique::SeeOrdering));
        let mut outcome = Outcome { last: None, best: moves.first().copied(), nodes: 0 };
        if moves.is_empty() {
            return outcome;
        }
        let mut iterations_with_move = 0;
        let first = self.budget.depth().unwrap_or(FIRST_DEPTH).clamp(1, FIRST_DEPTH);
        for depth in first..=Depth::MAX.plies() as u32 {
            // The first iteration starts however little time is left, and is interrupted like any other.
            if depth > first && !self.budget.allows_iteration(depth, self.nodes, iterations_with_move) {
                break;
            }
            let depth = Depth::new(depth as i32);
            let Ok(value) = self.search(position, depth, Ply::ROOT, Window::OPEN, LastMove::default()) else {
                break;
            };
            let found = Report {
                depth,
                deepest: self.deepest,
                value,
                line: self.variations.principal().to_vec(),
                nodes: self.nodes,
                hashfull: self.table.hashfull(),
            };
            report(&found);
            let best = found.line.first().copied();
            iterations_with_move = if best == outcome.best { iterations_with_move + 1 } else { 0 };
            outcome.best = best;
            outcome.last = Some(found);
            let plies = value.plies_to_mate();
            if mate.is_some_and(|moves| plies.is_some_and(|plies| (1..=2 * moves as i32).contains(&plies))) {
                break;
            }
        }
        outcome.nodes = self.nodes;
        outcome
    }
}

#[derive(Clone, Debug)]
pub struct Report {
    pub depth: Depth,
    pub deepest: Ply,
    pub value: Value,
    /// The expected line of both sides.
    pub line: Vec<Move>,
    pub nodes: u64,
    pub hashfull: u32,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub last: Option<Report>,
    /// The move to play: from the last iteration, or else the first legal move. `None` without a legal move.
    pub best: Option<Move>,
    /// All nodes, including the unfinished iteration's.
    pub nodes: u64,
}

/// The best line from each ply on, so that a node can prepend its move to the line of its child.
#[derive(Debug)]
pub struct Variations(Box<[Vec<Move>]>);

impl Variations {
    pub fn new() -> Variations {
        Variations(vec![Vec::new(); Ply::COUNT + 1].into_boxed_slice())
    }

    pub fn clear(&mut self, ply: Ply) {
        self.0[ply.get()].clear();
    }

    /// Makes `mv`, followed by the line from the next ply, the line from `ply`.
    pub fn extend(&mut self, ply: Ply, mv: Move) {
        let (here, below) = self.0.split_at_mut(ply.next().get());
        let line = &mut here[ply.get()];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }

    pub fn principal(&self) -> &[Move] {
        &self.0[Ply::ROOT.get()]
    }
}

/// A technique that can be switched on and off, to measure what each part of the algorithm gains (§4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// §2.1.4: moves after the first are searched with a zero window first.
    Pvs,
    /// §2.2: positions that were searched before are not searched again.
    TranspositionTable,
    /// §2.3.1: a position that is good enough even after passing is cut off.
    NullMove,
    /// §2.3.3: if a side is far behind, its quiet moves near the horizon are searched less deeply.
    Futility,
    /// §2.3.2: quiescence skips captures that cannot make up the deficit.
    DeltaPruning,
    /// §1.2.2: forcing moves are searched more deeply.
    Extensions,
    /// §1.2.1: only quiet positions are evaluated.
    Quiescence,
    /// §2.1.3: captures are ordered by static exchange evaluation.
    SeeOrdering,
}

impl Technique {
    /// All techniques and their options: first those in the document's table, in its order, then the others.
    pub const ALL: [(Technique, &str); 8] = [
        (Technique::Pvs, "PVS"),
        (Technique::TranspositionTable, "TranspositionTable"),
        (Technique::NullMove, "NullMove"),
        (Technique::Futility, "Futility"),
        (Technique::DeltaPruning, "DeltaPruning"),
        (Technique::Extensions, "Extensions"),
        (Technique::Quiescence, "Quiescence"),
        (Technique::SeeOrdering, "SEEOrdering"),
    ];

    pub fn from_option_name(name: &str) -> Option<Technique> {
        Technique::ALL.iter().find(|(_, option)| *option == name).map(|(technique, _)| *technique)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques([bool; Technique::ALL.len()]);

impl Techniques {
    pub const EVERY: Techniques = Techniques([true; Technique::ALL.len()]);
    #[cfg(test)]
    pub const NONE: Techniques = Techniques([false; Technique::ALL.len()]);

    pub const fn has(self, technique: Technique) -> bool {
        self.0[technique as usize]
    }

    pub const fn set(&mut self, technique: Technique, is_on: bool) {
        self.0[technique as usize] = is_on;
    }

    /// These techniques and the given ones.
    #[cfg(test)]
    pub fn with(mut self, more: &[Technique]) -> Techniques {
        for &technique in more {
            self.set(technique, true);
        }
        self
    }
}
