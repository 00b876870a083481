//! Iterative deepening, MTD(f) and its hash table ("Algorithme de recherche", "L'argent de transposition").
//!
//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin, "Best-First Fixed-Depth Minimax Algorithms", 1996) asks a single
//! question, "is the score at least gamma?", until the bounds meet; the hash table makes repetitions cheap. As in the
//! document's program, gamma halves the interval between the bounds; only the first gamma of an iteration is the previous
//! score, which is the f in the name. Alpha-beta with a zero window answers the question. The document's text says no
//! more; the null move, the captures after the last ply and their limit come from its program.

use std::cmp::Reverse;
use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use uci::server::SearchBudget;

use super::board::Piece;
use super::piece_square::{KING, QUEEN};
use super::position::{Move, Position};

/// Bounds this close have met, in centipawns (13 in the document's program).
pub const EVAL_ROUGHNESS: i32 = 13;
const MAX_DEPTH: u32 = 99;

#[derive(Clone, Debug)]
pub struct Iteration {
    pub depth: u32,
    /// The best score proved, in centipawns.
    pub score: i32,
    pub best: Move,
}

#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub lower: i32,
    pub upper: i32,
}

impl Searcher<'_> {
    /// Searches with increasing depth and passes each finished iteration to `report`. Returns the best of `moves`, the
    /// legal moves of the root; `None` if there are none.
    pub fn search(
        &mut self,
        root: &Position,
        moves: &[Move],
        report: &mut dyn FnMut(&Searcher<'_>, &Iteration),
    ) -> Option<Move> {
        let mut best = *moves.first()?;
        let mut guess = root.score;
        let mut iterations_with_move = 0;
        for depth in 1..=MAX_DEPTH {
            if !self.allows_iteration(depth, iterations_with_move) {
                break;
            }
            let before = best;
            let Ok(bounds) = self.converge(root, moves, depth, guess, &mut best) else { break };
            iterations_with_move = if best == before { iterations_with_move + 1 } else { 0 };
            // If every move loses, the lower bound says no more than the upper one.
            guess = if bounds.upper <= -MATE_LOWER { bounds.upper } else { bounds.lower };
            report(self, &Iteration { depth, score: guess, best });
            // Iterations find the shortest mate first, so nothing better can follow.
            if guess.abs() >= MATE_LOWER {
                break;
            }
        }
        Some(best)
    }

    /// One iteration: closes the bounds around the score. `best` becomes the move that proved the lower bound; before the
    /// end, it changes only if the new move is proved as good as `guess`, so that an interruption does no harm.
    pub fn converge(
        &mut self,
        root: &Position,
        moves: &[Move],
        depth: u32,
        guess: i32,
        best: &mut Move,
    ) -> Result<Bounds, Interrupted> {
        let (mut lower, mut upper) = (-MATE_UPPER, MATE_UPPER);
        let mut gamma = guess.clamp(1 - MATE_UPPER, MATE_UPPER);
        let mut found = *best;
        while lower < upper - EVAL_ROUGHNESS {
            let (score, mv) = self.bound_root(root, moves, found, gamma, depth as i32)?;
            if score >= gamma {
                (lower, found) = (score, mv.unwrap_or(found));
                if gamma >= guess {
                    *best = found;
                }
            } else {
                upper = score;
            }
            gamma = (lower + upper + 1) / 2;
        }
        *best = found;
        Ok(Bounds { lower, upper })
    }

    /// Answers the question of [`Searcher::bound`] at the root: only legal moves, the best so far first, without hash
    /// table and null move, so that every score comes with the move that reaches it.
    fn bound_root(
        &mut self,
        root: &Position,
        moves: &[Move],
        first: Move,
        gamma: i32,
        depth: i32,
    ) -> Result<(i32, Option<Move>), Interrupted> {
        let mut score = -MATE_UPPER;
        let others = moves.iter().copied().filter(|&mv| mv != first);
        for mv in std::iter::once(first).chain(others) {
            score = score.max(-self.bound(&root.play(mv), 1 - gamma, depth - 1)?);
            if score >= gamma {
                return Ok((score, Some(mv)));
            }
        }
        Ok((score, None))
    }

    /// The expected line, as far as the hash table knows it.
    pub fn principal_variation(&self, root: &Position, iteration: &Iteration) -> Vec<Move> {
        let mut line = vec![iteration.best];
        let mut position = root.play(iteration.best);
        while line.len() < iteration.depth as usize
            && let Some(mv) = self.table.get(&position).and_then(|entry| entry.best)
            && position.is_legal(mv)
        {
            line.push(mv);
            position = position.play(mv);
        }
        line
    }
}

/// The least score of a captured king: thirteen queens below the king's value, and above any score with both kings.
pub const MATE_LOWER: i32 = KING - 13 * QUEEN;
/// The score of capturing the king: above every sum of pieces.
pub const MATE_UPPER: i32 = KING + 10 * QUEEN;

/// After the last ply, only moves that gain at least this much are tried, in centipawns.
const QUIESCENCE_GAIN: i32 = 150;
/// The reduction of depth by a null move, in plies, including the move itself.
const NULL_MOVE_DEPTH: i32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

pub struct Searcher<'a> {
    table: &'a mut HashTable,
    budget: &'a SearchBudget<'a>,
    /// The document's node limit, which applies if `go` sets no limit.
    own_nodes: Option<u64>,
    uses_null_move: bool,
    pub nodes: u64,
}

impl<'a> Searcher<'a> {
    /// A search with the limits of `go`, or else with `own_nodes` nodes.
    pub fn new(
        table: &'a mut HashTable,
        budget: &'a SearchBudget<'a>,
        own_nodes: u64,
        uses_null_move: bool,
    ) -> Searcher<'a> {
        let own_nodes = budget.is_unlimited().then_some(own_nodes);
        Searcher { table, budget, own_nodes, uses_null_move, nodes: 0 }
    }

    pub fn allows_iteration(&self, depth: u32, iterations_with_move: u32) -> bool {
        self.own_nodes.is_none_or(|limit| self.nodes < limit)
            && self.budget.allows_iteration(depth, self.nodes, iterations_with_move)
    }

    /// Tests the score against `gamma`. A result of at least `gamma` is a lower bound of the true score; a result below
    /// `gamma` is an upper bound. `depth` is in plies; at 0 and below, only captures and other gains are searched.
    pub fn bound(&mut self, position: &Position, gamma: i32, depth: i32) -> Result<i32, Interrupted> {
        self.count_node()?;
        let depth = depth.max(0);
        if position.score <= -MATE_LOWER {
            return Ok(-MATE_UPPER);
        }
        let known = self.table.get(position);
        if let Some(score) = known.and_then(|entry| entry.answer(gamma, depth)) {
            return Ok(score);
        }
        let passing = self.pass(position, gamma, depth)?;
        let hash_move = known.and_then(|entry| entry.best);
        let (score, best) = match passing {
            Some(score) if score >= gamma => (score, None),
            _ => self.bound_moves(position, gamma, depth, hash_move)?,
        };
        let is_lost = depth > 0 && score <= -MATE_LOWER;
        let dead_end = if is_lost { without_moves(position) } else { None };
        let score = dead_end.unwrap_or_else(|| score.max(passing.unwrap_or(-MATE_UPPER)));
        self.table.put(position, Entry::new(known, depth, gamma, score, best));
        Ok(score)
    }

    /// The score of not moving: at depth 0 the position's score, else the score of a null move searched less deeply. With
    /// only king and pawns a null move proves nothing, because of zugzwang.
    fn pass(&mut self, position: &Position, gamma: i32, depth: i32) -> Result<Option<i32>, Interrupted> {
        if depth == 0 {
            return Ok(Some(position.score));
        }
        let is_officer = |piece| matches!(piece, Piece::KNIGHT | Piece::BISHOP | Piece::ROOK | Piece::QUEEN);
        if !self.uses_null_move || !position.board.pieces().any(|(_, piece)| is_officer(piece)) {
            return Ok(None);
        }
        Ok(Some(-self.bound(&position.flip(), 1 - gamma, depth - NULL_MOVE_DEPTH)?))
    }

    /// The best score of the moves, until one reaches gamma: the hash move first, then by immediate gain.
    fn bound_moves(
        &mut self,
        position: &Position,
        gamma: i32,
        depth: i32,
        hash_move: Option<Move>,
    ) -> Result<(i32, Option<Move>), Interrupted> {
        let mut best = -MATE_UPPER;
        let mut moves: Vec<(i32, Move)> =
            position.moves().into_iter().map(|mv| (position.value(mv), mv)).collect();
        if depth == 0 {
            moves.retain(|(value, _)| *value >= QUIESCENCE_GAIN);
        }
        moves.sort_by_key(|&(value, mv)| Reverse((hash_move == Some(mv), value)));
        for (_, mv) in moves {
            best = best.max(-self.bound(&position.play(mv), 1 - gamma, depth - 1)?);
            if best >= gamma {
                return Ok((best, Some(mv)));
            }
        }
        Ok((best, None))
    }

    fn count_node(&mut self) -> Result<(), Interrupted> {
        if self.own_nodes.is_some_and(|limit| self.nodes >= limit) || self.budget.is_spent(self.nodes) {
            return Err(Interrupted);
        }
        self.nodes += 1;
        Ok(())
    }
}

/// The score of mate or stalemate; `None` if there is a legal move.
fn without_moves(position: &Position) -> Option<i32> {
    let has_move = position.moves().into_iter().any(|mv| position.is_legal(mv));
    (!has_move).then(|| if position.is_check() { -MATE_UPPER } else { 0 })
}

impl Entry {
    /// The bound that answers the question, if it has the same depth.
    fn answer(&self, gamma: i32, depth: i32) -> Option<i32> {
        let of_this_depth = self.depth == depth;
        if of_this_depth && self.lower >= gamma {
            Some(self.lower)
        } else if of_this_depth && self.upper < gamma {
            Some(self.upper)
        } else {
            None
        }
    }

    /// An entry with the answer to a question, and with what remains valid of the previous entry.
    fn new(known: Option<Entry>, depth: i32, gamma: i32, score: i32, best: Option<Move>) -> Entry {
        let (lower, upper) = match known {
            Some(entry) if entry.depth == depth => (entry.lower, entry.upper),
            _ => (-MATE_UPPER, MATE_UPPER),
        };
        let best = best.or_else(|| known.and_then(|entry| entry.best));
        if score >= gamma {
            Entry { depth, lower: score, upper, best }
        } else {
            Entry { depth, lower, upper: score, best }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The depth of the search in plies; 0 for captures alone. The bounds hold only for this depth.
    pub depth: i32,
    pub lower: i32,
    pub upper: i32,
    /// The move that reached the lower bound last.
    pub best: Option<Move>,
}

/// Entries with the whole position as key, as in the document, so two positions are never confused. When the table is
/// full, it is cleared.
#[derive(Debug)]
pub struct HashTable {
    entries: HashMap<Position, Entry, FxBuildHasher>,
    capacity: usize,
}

impl HashTable {
    pub fn new(megabytes: usize) -> HashTable {
        let capacity = (megabytes << 20) / (size_of::<(Position, Entry)>() + 1);
        // A hash map that grows above seven eighths would pause the search, so all memory is allocated at once.
        HashTable { entries: HashMap::with_capacity_and_hasher(capacity, FxBuildHasher), capacity }
    }

    pub fn get(&self, position: &Position) -> Option<Entry> {
        self.entries.get(position).copied()
    }

    /// Stores an entry in place of an earlier one.
    pub fn put(&mut self, position: &Position, entry: Entry) {
        if self.entries.len() >= self.capacity {
            self.clear();
        }
        self.entries.insert(position.clone(), entry);
    }

    pub fn clear(&mut self) {
        self.entries.clear();
    }
}
